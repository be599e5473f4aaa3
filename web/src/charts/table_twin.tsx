// The same numbers as a table, for readers who do not see charts and for those who want to copy them.
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { zone } from '../model/view';
import { text } from '../text';
import { dateTime, windowText } from '../time/time_format';
import { valueText } from '../values/units';
import type { Picture } from './chart_model';

const MOST_ROWS = 300;

export function TableTwin({ feed, title, picture }: { feed: Feed; title: string; picture: (frame: Frame) => Picture }) {
  void feed.revision.value;
  const frame = feed.frame.value;
  if (!frame) return null;
  const { lines, display } = picture(frame);
  const { from, to } = feed.window.value;
  const rows: number[] = [];
  for (let row = frame.time.length - 1; row >= 0 && rows.length < MOST_ROWS; row -= 1) {
    if (frame.time[row]! >= from && frame.time[row]! <= to) rows.push(row);
  }
  return (
    <div class="twin" tabIndex={0} role="group" aria-label={title}>
      <table>
        <caption>
          {text.chart.tableCaption(title, windowText(from, to, zone.value))}
          {rows.length === MOST_ROWS && <span> {text.chart.tableNote(MOST_ROWS)}</span>}
        </caption>
        <thead>
          <tr>
            <th scope="col">{text.chart.time}</th>
            {lines.map((line) => <th scope="col" class="number" key={line.key}>{line.label}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={frame.time[row]}>
              <th scope="row">{dateTime(frame.time[row]!, zone.value)}</th>
              {lines.map((line) => (
                <td class="number" key={line.key}>
                  {valueText((line.peak ? line.column.max : line.column.avg)[row], display)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
