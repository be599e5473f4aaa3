// Keys that work everywhere on the page. A key typed into a field belongs to the field.
import { showTables } from '../model/preferences';
import { shownWindow } from '../model/shown_window';
import { chooseMoment, goBack, openPage, view, zoomTo } from '../model/view';
import { pickerOpen } from './time_picker';
import { helpOpen, stepWindow, toggleLive } from './top_bar';

const GO: Record<string, string> = { o: '/', c: '/counters', s: '/status' };
const SEQUENCE_MS = 1200;

function focusSearch(): void {
  if (view.value.path !== '/counters') openPage('/counters');
  setTimeout(() => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus());
}

function zoomBy(factor: number): void {
  const { from, to } = shownWindow.peek();
  const centre = view.peek().at ?? (from + to) / 2;
  const half = Math.max(1, ((to - from) * factor) / 2);
  zoomTo({ from: centre - half, to: centre + half });
}

function escape(): void {
  if (view.value.at !== undefined) chooseMoment(undefined);
  else goBack();
}

const ACTIONS: Record<string, () => void> = {
  '/': focusSearch,
  '?': () => (helpOpen.value = true),
  ' ': toggleLive,
  Escape: escape,
  '[': () => stepWindow(-1),
  ']': () => stepWindow(1),
  '+': () => zoomBy(0.5),
  '=': () => zoomBy(0.5),
  '-': () => zoomBy(2),
  t: () => (pickerOpen.value = true),
  v: () => (showTables.value = !showTables.value),
};

export function startKeys(): () => void {
  let goSince = -SEQUENCE_MS;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || helpOpen.value) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, select, textarea, [role="dialog"]')) return;
    // Space presses the button that has the focus.
    if (event.key === ' ' && target.closest('button, a, summary, [role="treeitem"]')) return;
    const going = performance.now() - goSince < SEQUENCE_MS;
    goSince = -SEQUENCE_MS;
    const page = going ? GO[event.key] : undefined;
    if (page) {
      openPage(page);
    } else if (event.key === 'g') {
      goSince = performance.now();
      return;
    } else {
      const action = ACTIONS[event.key];
      if (!action) return;
      action();
    }
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
