// One row above all charts: what happened in this window, and where nothing was recorded.
import type { Feed } from '../model/feed';
import { moment } from '../model/cursor';
import { chooseMoment, view, zone } from '../model/view';
import { text } from '../text';
import { clock, dateTime, windowText } from '../time/time_format';

const SHAPES: Record<string, string> = {
  start: 'M2 1 9 5 2 9Z', stop: 'M1.5 1.5h7v7h-7Z', crash: 'M1 1 9 9M9 1 1 9', reboot: 'M5 1a4 4 0 1 0 4 4M5 1 7.5 2.5',
  suspend: 'M7 1a4 4 0 1 0 2 6A4 4 0 0 1 7 1Z', clock_step: 'M5 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8M5 3v2l1.5 1', note: 'M1 1h8v6H5L3 9V7H1Z',
};
const OTHER_SHAPE = 'M5 1 9 5 5 9 1 5Z';

export function MarksStrip({ feed }: { feed: Feed }) {
  void feed.revision.value;
  const { from, to } = feed.window.value;
  const place = (time: number) => `${(100 * (time - from)) / (to - from)}%`;
  const marks = feed.marks.value.filter((mark) => mark.time >= from && mark.time <= to);
  const gaps = feed.frame.value?.gaps.filter((gap) => gap.to > from && gap.from < to) ?? [];
  const pinned = view.value.at;
  const cursor = moment.value;
  return (
    <div class="strip" role="group" aria-label={text.marks.label}>
      {gaps.map((gap) => (
        <span
          key={`gap ${gap.from}`} class="strip-gap" title={`${text.marks.kinds['gap']}: ${gap.reason}`}
          style={{ left: place(Math.max(gap.from, from)), width: `${(100 * (Math.min(gap.to, to) - Math.max(gap.from, from))) / (to - from)}%` }}
        />
      ))}
      {cursor !== undefined && cursor >= from && cursor <= to && <span class="strip-cursor" style={{ left: place(cursor) }} />}
      {pinned !== undefined && pinned >= from && pinned <= to && <span class="strip-pin" style={{ left: place(pinned) }} />}
      {marks.map((mark) => {
        const words = `${dateTime(mark.time, zone.value)} ${text.marks.kinds[mark.kind] ?? mark.kind.replaceAll('_', ' ')}${mark.text ? `: ${mark.text}` : ''}`;
        return (
          <button
            key={`${mark.id} ${mark.time}`} type="button" class={`mark mark-${mark.kind.replace(/[^a-z_]/g, '')}`}
            style={{ left: place(mark.time) }} title={words} aria-label={words} onClick={() => chooseMoment(mark.time)}
          >
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><path d={SHAPES[mark.kind] ?? OTHER_SHAPE} /></svg>
          </button>
        );
      })}
      {marks.length === 0 && gaps.length === 0 && <span class="strip-none">{text.marks.none}</span>}
      <span class="strip-window number">
        {pinned === undefined ? windowText(from, to, zone.value) : clock(pinned, zone.value)}
      </span>
    </div>
  );
}
