// Who was busy in the second that is being looked at.
import { useEffect, useMemo } from 'preact/hooks';
import { ProblemNote } from '../components/problem';
import { Icon } from '../components/icons';
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import { ProcessFeed } from '../model/process_feed';
import { chooseMoment, live, view, zone } from '../model/view';
import { text } from '../text';
import { clock, dateTime } from '../time/time_format';
import { displayFor, valueText } from '../values/units';

const LIMIT = 30;
const PERCENT = displayFor('% of one CPU');
const BYTES = displayFor('bytes');
const RATE = displayFor('bytes/s');

function sum(one: number | null | undefined, other: number | null | undefined): number | null {
  return typeof one === 'number' || typeof other === 'number' ? (one ?? 0) + (other ?? 0) : null;
}

export function useProcesses(feed: Feed): ProcessFeed {
  const processes = useMemo(() => new ProcessFeed(feed, LIMIT), [feed]);
  useEffect(() => {
    processes.start();
    return () => processes.stop();
  }, [processes]);
  return processes;
}

export function ProcessPanel({ processes }: { processes: ProcessFeed }) {
  const { value: table } = processes.table;
  const { value: problem } = processes.problem;
  const words = text.processes;
  const time = table?.time ?? processes.asked.value;
  const newest = processes.asked.value === undefined && moment.value === undefined && live.value;
  const long = (at: number) => (Date.now() / 1000 - at > 43200 ? dateTime(at, zone.value) : clock(at, zone.value));
  const when = newest || time === undefined || time === null ? words.now : words.at(long(time));
  return (
    <section class="card processes" aria-labelledby="processes-title">
      <header class="card-head">
        <h2 id="processes-title">{words.title}</h2>
        <span class="when number">{when}</span>
        {view.value.at !== undefined && (
          <button type="button" class="quiet small" onClick={() => chooseMoment(undefined)}>
            <Icon name="pin" size={13} /> {text.chart.unpin}
          </button>
        )}
      </header>
      <div class="card-body scroll" tabIndex={0} role="group" aria-labelledby="processes-title">
        {problem ? <ProblemNote problem={problem} /> : (
          <table class="grid">
            <caption class="visually-hidden">{words.caption(when)}</caption>
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col" class="number" title={words.cpuHint}>{words.cpu}</th>
                <th scope="col" class="number" title={words.memoryHint}>{words.memory}</th>
                <th scope="col" class="number" title={words.ioHint}>{words.io}</th>
              </tr>
            </thead>
            <tbody>
              {table?.items.map((item) => (
                <tr key={`${item.pid} ${item.start} ${item.name}`}>
                  <th scope="row" class="process-name" title={`${item.name}:${item.pid}`}>
                    <span class="name">{item.name}</span> <span class="pid number">{item.pid}</span>
                  </th>
                  <td class="number">{valueText(item.cpu, PERCENT)}</td>
                  <td class="number">{valueText(item.resident_bytes, BYTES)}</td>
                  <td class="number">{valueText(sum(item.read_bytes_per_s, item.write_bytes_per_s), RATE)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {!problem && table?.items.length === 0 && <div class="empty">{words.none}</div>}
      </div>
      <footer class="card-foot note">{words.conventions}</footer>
    </section>
  );
}
