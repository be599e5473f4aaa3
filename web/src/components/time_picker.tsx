// The time range: quick ranges, two edges in words, and whose clock is shown.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { serverNow, serverZone } from '../model/link';
import { shownWindow } from '../model/shown_window';
import { live, setRange, setZone, view, zone } from '../model/view';
import { text } from '../text';
import { QUICK_RANGES, absoluteRange, isLive, parseMoment, relativeSeconds, resolveRange, type Range } from '../time/range';
import { dateTime, windowText } from '../time/time_format';
import { browserZone } from '../time/zone';
import { Icon } from './icons';

export const pickerOpen = signal(false);

/** A relative edge stays as typed, so that the range keeps moving; any other is shown in the chosen clock. */
function editable(edge: string): string {
  if (relativeSeconds(edge) !== undefined) return edge;
  const moment = parseMoment(edge, serverNow(), zone.value);
  return typeof moment === 'number' ? dateTime(moment, zone.value) : edge;
}

function checked(range: Range): Range | string {
  const now = serverNow();
  for (const edge of [range.from, range.to]) {
    const moment = parseMoment(edge, now, zone.value);
    if (moment === 'unreadable') return text.picker.unreadable(edge);
    if (moment === 'skipped') return text.picker.skipped(edge);
  }
  if (isLive(range)) return range;
  const moments = resolveRange(range, now, zone.value);
  return moments ? absoluteRange(moments.from, moments.to) : text.picker.order;
}

function label(): string {
  const { range } = view.value;
  if (live.value) return text.picker.last(range.from.replace(/^(now)?\s*-/, '').trim());
  const { from, to } = shownWindow.value;
  return windowText(from, to, zone.value);
}

function Panel({ close }: { close: () => void }) {
  const from = useSignal(editable(view.value.range.from));
  const to = useSignal(editable(view.value.range.to));
  const complaint = useSignal('');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const words = text.picker;

  const show = (event: Event) => {
    event.preventDefault();
    const range = checked({ from: from.value.trim(), to: to.value.trim() });
    if (typeof range === 'string') {
      complaint.value = range;
      return;
    }
    setRange(range);
    close();
  };

  return (
    <div class="picker-panel" role="dialog" aria-label={words.title}>
      <p class="field-label" id="picker-quick">{words.quick}</p>
      <div class="quick-ranges" role="group" aria-labelledby="picker-quick">
        {QUICK_RANGES.map((range, index) => (
          <button
            key={range} type="button" ref={index === 0 ? first : null} aria-pressed={live.value && view.value.range.from === `-${range}`}
            onClick={() => {
              setRange({ from: `-${range}`, to: 'now' });
              close();
            }}
          >
            {range}
          </button>
        ))}
      </div>
      <form onSubmit={show}>
        <label>
          <span class="field-label">{words.from}</span>
          <input name="from" value={from.value} autocomplete="off" spellcheck={false} onInput={(event) => (from.value = event.currentTarget.value)} />
        </label>
        <label>
          <span class="field-label">{words.to}</span>
          <input name="to" value={to.value} autocomplete="off" spellcheck={false} onInput={(event) => (to.value = event.currentTarget.value)} />
        </label>
        <p class="hint">{words.hint}</p>
        {complaint.value && <p class="complaint" role="alert">{complaint.value}</p>}
        <button type="submit" class="primary">{words.apply}</button>
      </form>
      <label>
        <span class="field-label">{words.zone}</span>
        <select value={view.value.zone} onChange={(event) => setZone(event.currentTarget.value)}>
          <option value="">{words.zoneBrowser(browserZone())}</option>
          {serverZone.value !== 'UTC' && <option value={serverZone.value}>{words.zoneServer(serverZone.value)}</option>}
          <option value="UTC">{words.zoneUtc}</option>
          {![ '', 'UTC', serverZone.value].includes(view.value.zone) && <option value={view.value.zone}>{view.value.zone}</option>}
        </select>
      </label>
    </div>
  );
}

export function TimePicker() {
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = pickerOpen.value;
  const close = () => {
    pickerOpen.value = false;
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) pickerOpen.value = false;
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);
  return (
    <div
      class="picker" ref={frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button" class="tool range-button number" ref={button} aria-haspopup="dialog" aria-expanded={open}
        aria-label={`${text.picker.open}: ${label()}`} title={`${text.picker.open} (t)`} onClick={() => (pickerOpen.value = !open)}
      >
        <Icon name="clock" size={15} /> <span>{label()}</span>
        <span class="zone-note">{zone.value === browserZone() ? '' : zone.value}</span>
      </button>
      {open && <Panel close={close} />}
    </div>
  );
}
