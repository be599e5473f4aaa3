// Values under the pointer, beside the cursor and never over it. Only the chart that is pointed at has one.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { zone } from '../model/view';
import { text } from '../text';
import { clock, dateTime } from '../time/time_format';
import { valueText } from '../values/units';
import { valueAt, type Picture } from './chart_model';
import { Swatch } from './swatch';

const MOST_ROWS = 12;

interface TooltipProps {
  feed: Feed;
  host: RefObject<HTMLDivElement | null>;
  picture: (frame: Frame) => Picture;
  hidden: ReadonlySet<string>;
}

export function Tooltip({ feed, host, picture, hidden }: TooltipProps) {
  const inside = useSignal(false);
  useEffect(() => {
    const element = host.current!;
    const enter = () => (inside.value = true);
    const leave = () => (inside.value = false);
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointerleave', leave);
    return () => {
      element.removeEventListener('pointerenter', enter);
      element.removeEventListener('pointerleave', leave);
    };
  }, []);

  const at = moment.value;
  const frame = feed.frame.value;
  void feed.revision.value;
  if (!inside.value || at === undefined || !frame) return null;
  const window = feed.window.value;
  const share = (at - window.from) / (window.to - window.from);
  const row = frame.rowAt(at);
  const shown = picture(frame);
  const gap = frame.gapAt(at);
  const rows = shown.lines
    .filter((line) => !hidden.has(line.label))
    .map((line) => ({
      line,
      value: valueAt(line.peak ? { ...line.column, avg: line.column.max } : line.column, row),
      low: line.column.min[row] ?? null,
      high: line.column.max[row] ?? null,
    }))
    .filter((entry) => entry.value !== null)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
    .slice(0, MOST_ROWS);
  const when = window.to - window.from > 86400 ? dateTime(at, zone.value) : clock(at, zone.value);
  return (
    <div class={`tooltip ${share < 0.5 ? 'at-right' : 'at-left'}`} aria-hidden="true">
      <div class="tooltip-time">{when}</div>
      {gap && <div class="tooltip-gap">{text.chart.gap}: {gap.reason}</div>}
      {rows.map(({ line, value, low, high }) => (
        <div class="tooltip-row" key={line.key}>
          <Swatch ink={line.ink} />
          <span class="tooltip-name">{line.label}</span>
          <span class="number">{valueText(value, shown.display)}</span>
          {frame.step > 1 && !line.peak && low !== null && high !== null && low !== high && (
            <span class="tooltip-range number">
              {text.chart.range(valueText(low, shown.display), valueText(high, shown.display))}
            </span>
          )}
        </div>
      ))}
      {!gap && rows.length === 0 && <div class="tooltip-gap">{text.chart.gap}</div>}
    </div>
  );
}
