// Why a chart is empty, and the way to where data is.
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { status } from '../model/link';
import { zone, zoomTo } from '../model/view';
import { text } from '../text';
import { dateTime } from '../time/time_format';
import type { Picture } from './chart_model';

export function hasValues(picture: Picture): boolean {
  return picture.lines.some((line) => line.column.avg.some((cell) => cell !== null));
}

export function EmptyNote({ feed, frame, picture }: { feed: Feed; frame: Frame; picture: Picture }) {
  const { from, to } = feed.window.value;
  if (picture.lines.length === 0 && frame.hasValues) return <div class="empty">{text.chart.noSeries}</div>;
  const widest = [...frame.gaps].sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  const oldest = status.value?.store.oldest;
  const before = typeof oldest === 'number' && oldest >= to;
  return (
    <div class="empty">
      <p>{text.chart.holdsNothing}</p>
      {widest && <p>{widest.reason}</p>}
      {before && (
        <p>
          {text.chart.historyBegins(dateTime(oldest, zone.value))}{' '}
          <button type="button" class="quiet" onClick={() => zoomTo({ from: oldest, to: oldest + (to - from) })}>
            {text.chart.goThere}
          </button>
        </p>
      )}
    </div>
  );
}
