// Series of a chart with their values: of the cursor's moment, else the newest. Click = alone, Ctrl-click = hide or show.
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { heartbeat, serverNow } from '../model/link';
import { live } from '../model/view';
import { text } from '../text';
import { duration } from '../time/time_format';
import { valueText } from '../values/units';
import { rowToRead, valueAt, type Line, type Picture } from './chart_model';
import { Swatch } from './swatch';

interface LegendProps {
  feed: Feed;
  picture: (frame: Frame) => Picture;
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
}

const STALE_INTERVALS = 3;

/** How late a series is, when it has missed three intervals while others may go on. */
function lateness(line: Line, frame: Frame): string | undefined {
  if (!live.value || line.peak || line.column.lastTime === null) return undefined;
  void heartbeat.value;
  const age = serverNow() - line.column.lastTime - frame.step;
  return age > Math.max(5, STALE_INTERVALS * frame.step) ? duration(age) : undefined;
}

export function Legend({ feed, picture, hidden, onHide }: LegendProps) {
  void feed.revision.value;
  const frame = feed.frame.value;
  if (!frame) return <div class="legend" />;
  const shown = picture(frame);
  const at = moment.value;
  const row = rowToRead(frame, at);

  const press = (line: Line, event: MouseEvent) => {
    const labels = shown.lines.map((one) => one.label);
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      const next = new Set(hidden);
      if (!next.delete(line.label)) next.add(line.label);
      onHide(next);
      return;
    }
    const alone = !hidden.has(line.label) && hidden.size === labels.length - 1;
    onHide(alone ? new Set() : new Set(labels.filter((label) => label !== line.label)));
  };

  return (
    <ul class="legend" aria-label={text.chart.legend}>
      {shown.lines.map((line) => {
        const cells = line.peak ? { ...line.column, avg: line.column.max } : line.column;
        const value = at === undefined && live.value ? line.column.lastValue : valueAt(cells, row);
        const late = at === undefined ? lateness(line, frame) : undefined;
        return (
          <li key={line.key}>
            <button
              type="button" class={hidden.has(line.label) ? 'off' : ''} aria-pressed={!hidden.has(line.label)}
              title={`${line.column.path}\n${text.chart.soloHint}`} onClick={(event) => press(line, event)}
            >
              <Swatch ink={line.ink} />
              <span class="legend-name">{line.label}</span>
              <span class="number legend-value">{valueText(line.peak && at === undefined ? valueAt(cells, row) : value, shown.display)}</span>
              {late && <span class="legend-late">{late}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
