// The machine in one sentence; each number leads to its chart.
import type { ComponentChildren } from 'preact';
import { rowToRead, valueAt } from '../charts/chart_model';
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import type { ProcessFeed } from '../model/process_feed';
import { zone } from '../model/view';
import { text } from '../text';
import { clock } from '../time/time_format';
import { displayFor, valueText } from '../values/units';
import { columnsOf, valueOf, wholeDisks } from './overview_charts';

const PERCENT = displayFor('%');
const words = text.overview.verdict;

function toChart(id: string, event: MouseEvent): void {
  event.preventDefault();
  const chart = document.getElementById(id);
  chart?.scrollIntoView({ block: 'nearest' });
  chart?.focus({ preventScroll: true });
}

function Part({ chart, children }: { chart: string; children: ComponentChildren }) {
  return <a href={`#${chart}`} onClick={(event) => toChart(chart, event)}>{children}</a>;
}

function slowestDisk(frame: Frame, row: number): { name: string; seconds: number } | undefined {
  const columns = ['seconds per read', 'seconds per write'].flatMap((counter) => columnsOf(frame, 'disk', counter));
  const disks = new Set(wholeDisks([...new Set(columns.map((column) => column.instance ?? ''))]));
  let worst: { name: string; seconds: number } | undefined;
  for (const column of columns) {
    const seconds = disks.has(column.instance ?? '') ? valueAt(column, row) : null;
    if (seconds !== null && (!worst || seconds > worst.seconds)) worst = { name: column.instance ?? '', seconds };
  }
  return worst;
}

function worstPressure(frame: Frame, row: number): { name: string; share: number } | undefined {
  let worst: { name: string; share: number } | undefined;
  for (const column of columnsOf(frame, 'pressure', 'some')) {
    const share = valueAt(column, row);
    if (share !== null && (!worst || share > worst.share)) worst = { name: column.instance ?? '', share };
  }
  return worst;
}

export function Verdict({ feed, processes }: { feed: Feed; processes: ProcessFeed }) {
  void feed.revision.value;
  const frame = feed.frame.value;
  const at = moment.value;
  const label = at === undefined ? words.label : `${words.labelAt} (${clock(at, zone.value)})`;
  if (!frame?.hasValues) return <p class="verdict" aria-label={label}>{words.waiting}</p>;
  const row = rowToRead(frame, at);
  const busy = valueOf(frame, 'cpu(total)/busy', row);
  const used = valueOf(frame, 'memory/used', row);
  const total = valueOf(frame, 'memory/total', row);
  const disk = slowestDisk(frame, row);
  const disks = columnsOf(frame, 'disk', 'read bytes/s').some((column) => valueAt(column, row) !== null);
  const pressure = worstPressure(frame, row);
  const running = valueOf(frame, 'system/running', row);
  const top = processes.table.value?.items[0];
  return (
    <p class="verdict" aria-label={label}>
      <Part chart="cpu">{text.overview.charts.cpu} <b class="number">{valueText(busy, PERCENT)}</b></Part>
      {top && <span class="aside"> ({words.busiest(top.name, valueText(top.cpu_of_machine ?? top.cpu, PERCENT))})</span>}
      <i /><Part chart="memory">
        {text.overview.charts.memory} <b class="number">{valueText(used !== null && total ? (100 * used) / total : null, PERCENT)}</b>
      </Part>
      {(disk || disks) && (
        <><i /><Part chart="disk">
          {disk ? <>{words.disk} {disk.name} <b class="number">{valueText(disk.seconds, displayFor('s'))}</b></> : words.idleDisk}
        </Part></>
      )}
      {running !== null && (
        <><i /><Part chart="load">{words.running} <b class="number">{valueText(running, displayFor(''))}</b></Part></>
      )}
      {pressure && (
        <><i /><Part chart="pressure">
          {words.waited} {pressure.name} <b class="number">{valueText(pressure.share, PERCENT)}</b>
        </Part></>
      )}
    </p>
  );
}
