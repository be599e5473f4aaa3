// The chosen counters with the numbers of the window that is shown.
import { useSignal } from '@preact/signals';
import { parsePath } from '../api/counter_path';
import { Icon } from '../components/icons';
import { details } from '../model/counter_catalogue';
import type { Feed } from '../model/feed';
import type { Column } from '../model/frame';
import { toggleSeries, view } from '../model/view';
import { text } from '../text';
import { displayFor, valueText } from '../values/units';

const words = text.counters;

interface Summary {
  low: number | null;
  mean: number | null;
  high: number | null;
}

export function summarize(column: Column, time: readonly number[], from: number, to: number): Summary {
  let low: number | null = null;
  let high: number | null = null;
  let sum = 0;
  let count = 0;
  for (let row = 0; row < time.length; row += 1) {
    if (time[row]! < from || time[row]! > to) continue;
    const average = column.avg[row];
    if (average === null || average === undefined) continue;
    low = Math.min(low ?? Infinity, column.min[row] ?? average);
    high = Math.max(high ?? -Infinity, column.max[row] ?? average);
    sum += average;
    count += 1;
  }
  return { low, high, mean: count > 0 ? sum / count : null };
}

const MOST_ROWS = 60;

export function SeriesTable({ feed }: { feed: Feed }) {
  void feed.revision.value;
  const copied = useSignal('');
  const frame = feed.frame.value;
  const { from, to } = feed.window.value;
  const chosen = view.value.series;
  const columns = [...(frame?.columns.values() ?? [])].slice(0, MOST_ROWS);
  const typeOf = (column: Column) =>
    details.value.get(column.object)?.counters.find((counter) => counter.name === column.counter)?.type ?? '';
  const copy = async (path: string) => {
    try {
      await navigator.clipboard.writeText(path);
      copied.value = path;
    } catch {
      copied.value = ''; // the browser does not allow it; the path can be selected
    }
  };
  return (
    <section class="card" aria-labelledby="chosen-title">
      <header class="card-head"><h2 id="chosen-title">{words.statistics}</h2></header>
      <ul class="chips" aria-label={words.chosen}>
        {chosen.map((path) => (
          <li key={path}>
            <span class="path">{path}</span>
            <button type="button" class="icon-button" aria-label={`${words.copyPath}: ${path}`} title={copied.value === path ? words.copied : words.copyPath} onClick={() => void copy(path)}>
              <Icon name={copied.value === path ? 'check' : 'copy'} size={14} />
            </button>
            <button type="button" class="icon-button" aria-label={words.remove(path)} title={words.remove(path)} onClick={() => toggleSeries(path)}>
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div class="scroll-x" tabIndex={0} role="group" aria-labelledby="chosen-title">
        <table class="grid">
          <caption class="visually-hidden">{words.statistics}</caption>
          <thead>
            <tr>
              <th scope="col">{words.series}</th>
              <th scope="col" class="number">{words.lastValue}</th>
              <th scope="col" class="number">{words.minimum}</th>
              <th scope="col" class="number">{words.average}</th>
              <th scope="col" class="number">{words.maximum}</th>
              <th scope="col">{words.unit}</th>
              <th scope="col" class="wide-only">{words.type}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => {
              const display = displayFor(column.unit, column.object);
              const { low, mean, high } = summarize(column, frame!.time, from, to);
              return (
                <tr key={column.path}>
                  <th scope="row" class="path">{parsePath(column.path) ? column.path : `${column.object} ${column.counter}`}</th>
                  <td class="number">{valueText(column.lastValue, display)}</td>
                  <td class="number">{valueText(low, display)}</td>
                  <td class="number">{valueText(mean, display)}</td>
                  <td class="number">{valueText(high, display)}</td>
                  <td>{column.unit || words.noUnit}</td>
                  <td class="wide-only">{typeOf(column)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
