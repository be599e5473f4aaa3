// What is being looked at. The address holds all of it: path = page, query = range, selected second, series, zone.
import { computed, signal } from '@preact/signals';
import { encodeParameter } from '../api/client';
import { DEFAULT_RANGE, absoluteRange, isLive, parseMoment, type Moments, type Range } from '../time/range';
import { isoUtc } from '../time/time_format';
import { browserZone, isZone } from '../time/zone';

export interface View {
  path: string;
  range: Range;
  at: number | undefined; // the second that a click chose, Unix seconds
  series: readonly string[]; // chosen counters, on the page that has them
  zone: string; // '' = the browser's
}

export function parseView(path: string, search: string): View {
  const query = new URLSearchParams(search);
  const at = query.get('at');
  const moment = at === null ? undefined : parseMoment(at, Date.now() / 1000, 'UTC');
  const zone = query.get('tz') ?? '';
  return {
    path: path.length > 1 ? path.replace(/\/+$/, '') : path,
    range: { from: query.get('from') ?? DEFAULT_RANGE.from, to: query.get('to') ?? DEFAULT_RANGE.to },
    at: typeof moment === 'number' ? moment : undefined,
    series: [...new Set(query.getAll('series'))],
    zone: zone !== '' && isZone(zone) ? zone : '',
  };
}

export function addressOf(view: View): string {
  const parts = [`from=${encodeParameter(view.range.from)}`, `to=${encodeParameter(view.range.to)}`];
  if (view.at !== undefined) parts.push(`at=${isoUtc(view.at)}`);
  if (view.zone !== '') parts.push(`tz=${encodeParameter(view.zone)}`);
  for (const path of view.series) parts.push(`series=${encodeParameter(path)}`);
  return `${view.path}?${parts.join('&')}`;
}

/** Address of another page with the same window; a chosen series stays behind. */
export const pageAddress = (path: string): string => addressOf({ ...view.value, path, series: [] });

export const view = signal<View>(parseView(location.pathname, location.search));
/** How many of our own steps lie behind this one in the browser's history. */
export const depth = signal<number>(Number(history.state?.depth ?? 0));
export const live = computed(() => isLive(view.value.range));
export const zone = computed(() => view.value.zone || browserZone());

/** Where "Live" leads back to. */
let lastLive: Range = live.value ? view.value.range : DEFAULT_RANGE;

function show(next: View, mode: 'push' | 'replace'): void {
  if (isLive(next.range)) lastLive = next.range;
  const address = addressOf(next);
  if (mode === 'push' && address !== addressOf(view.value)) {
    depth.value += 1;
    history.pushState({ depth: depth.value }, '', address);
  } else {
    history.replaceState({ depth: depth.value }, '', address);
  }
  view.value = next;
}

/** Follows the browser's own back and forward; the address is completed at once so that it can be copied. */
export function startView(): () => void {
  const follow = () => {
    depth.value = Number(history.state?.depth ?? 0);
    view.value = parseView(location.pathname, location.search);
    if (live.value) lastLive = view.value.range;
  };
  addEventListener('popstate', follow);
  show(view.value, 'replace');
  return () => removeEventListener('popstate', follow);
}

export const openPage = (path: string): void => show({ ...view.value, path, series: [] }, 'push');

export const setRange = (range: Range): void => show({ ...view.value, range, at: undefined }, 'push');

export function zoomTo(window: Moments): void {
  show({ ...view.value, range: absoluteRange(window.from, window.to), at: undefined }, 'push');
}

export const pause = (window: Moments): void =>
  show({ ...view.value, range: absoluteRange(window.from, window.to) }, 'push');

export const goLive = (): void => show({ ...view.value, range: lastLive, at: undefined }, 'push');

export function goBack(): void {
  if (depth.value > 0) history.back();
}

/** Choosing a second changes the address but is no step of its own: "back" undoes zooms, not clicks. */
export const chooseMoment = (at: number | undefined): void => show({ ...view.value, at }, 'replace');

export function toggleSeries(path: string): void {
  const { series } = view.value;
  const next = series.includes(path) ? series.filter((one) => one !== path) : [...series, path];
  show({ ...view.value, series: next }, 'push');
}

export const setZone = (name: string): void => show({ ...view.value, zone: name }, 'replace');
