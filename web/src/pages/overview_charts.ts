// The six charts of the overview: which series they ask for and how lines are made of them.
import {
  inked, topAndOther, valueAt, type ChartDefinition, type Choice, type Picture,
} from '../charts/chart_model';
import type { Column, Frame } from '../model/frame';
import { text } from '../text';
import { displayFor, valueText, type Display } from '../values/units';

const PERCENT: Display = displayFor('%');
const CPU_MODES = ['system', 'user', 'nice', 'irq', 'softirq', 'steal', 'iowait'] as const;

const { charts: titles, notes, help } = text.overview;

export function columnsOf(frame: Frame, object: string, counter: string): Column[] {
  return [...frame.columns.values()].filter((column) => column.object === object && column.counter === counter);
}

export const columnOf = (frame: Frame, path: string): Column | undefined => frame.columns.get(path);

export const valueOf = (frame: Frame, path: string, row: number): number | null => {
  const column = frame.columns.get(path);
  return column ? valueAt(column, row) : null;
};

const choose = (frame: Frame, entries: readonly (readonly [label: string, path: string, filled?: boolean])[]): Choice[] =>
  entries.flatMap(([label, path, filled]) => {
    const column = frame.columns.get(path);
    return column ? [{ label, column, ...(filled ? { filled } : {}) }] : [];
  });

/** Devices that are no part of another one: sda but not sda1, nvme0n1 but not nvme0n1p2. */
export function wholeDisks(names: readonly string[]): string[] {
  const isPart = (name: string) =>
    names.some((other) => name.length > other.length && name.startsWith(other) && /^p?\d+$/.test(name.slice(other.length)));
  const whole = names.filter((name) => !isPart(name));
  const physical = whole.filter((name) => !/^(loop|ram|zram|dm-|md|sr|fd)\d*/.test(name));
  return physical.length > 0 ? physical : whole;
}

function diskChoices(frame: Frame, counters: readonly (readonly [counter: string, word: string])[]): Choice[] {
  const all = counters.flatMap(([counter]) => columnsOf(frame, 'disk', counter));
  const disks = new Set(wholeDisks([...new Set(all.map((column) => column.instance ?? ''))]));
  return all.filter((column) => disks.has(column.instance ?? '')).map((column) => ({
    label: `${column.instance} ${counters.find(([counter]) => counter === column.counter)![1]}`, column,
  }));
}

function sumAt(choices: readonly Choice[], counter: string, row: number): number | null {
  let sum: number | null = null;
  for (const { column } of choices) {
    if (column.counter !== counter) continue;
    const value = valueAt(column, row);
    if (value !== null) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** Both directions together, as the chart's headline. */
function bothWays(choices: readonly Choice[], row: number, display: Display): string | undefined {
  const parts = [...new Set(choices.map(({ column }) => column.counter))].map((counter) => sumAt(choices, counter, row));
  const present = parts.filter((part) => part !== null);
  return present.length === 0 ? undefined : valueText(present.reduce((sum, part) => sum + part, 0), display);
}

function cpuPicture(frame: Frame, row: number): Picture {
  const choices: Choice[] = choose(frame, CPU_MODES.map((mode) => [mode, `cpu(total)/${mode}`] as const));
  const busy = frame.columns.get('cpu(total)/busy');
  if (busy && frame.step > 1 && busy.lastTime !== null) choices.push({ label: text.overview.peak, column: busy, peak: true });
  const now = busy ? valueAt(busy, row) : null;
  return {
    lines: inked(choices), display: PERCENT, stacked: true, top: 100, fromZero: true,
    headline: now === null ? undefined : valueText(now, PERCENT),
  };
}

function memoryPicture(frame: Frame, row: number): Picture {
  const display = displayFor('bytes');
  const total = valueOf(frame, 'memory/total', row) ?? columnOf(frame, 'memory/total')?.lastValue ?? undefined;
  const used = valueOf(frame, 'memory/used', row);
  const swap = columnOf(frame, 'swap/used');
  const swaps = swap?.avg.some((cell) => (cell ?? 0) > 0) ?? false;
  return {
    lines: inked(choose(frame, [
      ['used', 'memory/used', true], ['cached', 'memory/cached'], ['buffers', 'memory/buffers'],
      ...(swaps ? [['swap', 'swap/used'] as const] : []),
    ])),
    display, stacked: false, top: total ?? undefined, fromZero: true,
    headline: used === null || total === undefined ? undefined : `${valueText(used, display)} / ${valueText(total, display)}`,
  };
}

function diskPicture(frame: Frame, row: number): Picture {
  const display = displayFor('bytes/s', 'disk');
  const { read, written } = text.overview.largest;
  const choices = diskChoices(frame, [['read bytes/s', read], ['write bytes/s', written]]);
  return {
    lines: inked(topAndOther(choices, text.chart.other)), display, stacked: false, fromZero: true,
    headline: bothWays(choices, row, display),
  };
}

function latencyPicture(frame: Frame, row: number): Picture {
  const display = displayFor('s');
  const { read, written } = text.overview.largest;
  const choices = diskChoices(frame, [['seconds per read', read], ['seconds per write', written]]);
  const worst = choices.reduce<number | null>((most, { column }) => {
    const value = valueAt(column, row);
    return value === null ? most : Math.max(most ?? 0, value);
  }, null);
  return {
    lines: inked(choices.slice(0, 8)), display, stacked: false, fromZero: true,
    headline: worst === null ? undefined : valueText(worst, display),
  };
}

function networkPicture(frame: Frame, row: number): Picture {
  const display = displayFor('bytes/s', 'network');
  const { received, sent } = text.overview.largest;
  const words: Record<string, string> = { 'received bytes/s': received, 'sent bytes/s': sent };
  const choices = [...columnsOf(frame, 'network', 'received bytes/s'), ...columnsOf(frame, 'network', 'sent bytes/s')]
    .filter((column) => column.instance !== 'lo')
    .map((column) => ({ label: `${column.instance} ${words[column.counter]}`, column }));
  return {
    lines: inked(topAndOther(choices, text.chart.other)), display, stacked: false, fromZero: true,
    headline: bothWays(choices, row, display),
  };
}

function pressurePicture(frame: Frame, row: number): Picture {
  const choices = choose(frame, [
    ['cpu some', 'pressure(cpu)/some'], ['memory some', 'pressure(memory)/some'], ['memory full', 'pressure(memory)/full'],
    ['io some', 'pressure(io)/some'], ['io full', 'pressure(io)/full'],
  ]);
  const worst = choices
    .map(({ label, column }) => ({ label, value: valueAt(column, row) ?? -1 }))
    .sort((a, b) => b.value - a.value)[0];
  return {
    lines: inked(choices), display: PERCENT, stacked: false, fromZero: true,
    headline: worst && worst.value > 0.005 ? `${worst.label} ${valueText(worst.value, PERCENT)}` : choices.length > 0 ? '0 %' : undefined,
  };
}

function loadPicture(frame: Frame, row: number): Picture {
  const display = displayFor('');
  const running = valueOf(frame, 'system/running', row);
  return {
    lines: inked(choose(frame, [['running', 'system/running'], ['blocked', 'system/blocked'], ['1 min', 'load/1 min']])),
    display, stacked: false, fromZero: true,
    headline: running === null ? undefined : valueText(running, display),
  };
}

export const OVERVIEW_CHARTS: readonly ChartDefinition[] = [
  {
    id: 'cpu', title: titles.cpu, note: notes.cpu, help: help.cpu, picture: cpuPicture,
    series: ['cpu(total)/busy', ...CPU_MODES.map((mode) => `cpu(total)/${mode}`)],
  },
  {
    id: 'memory', title: titles.memory, note: notes.memory, help: help.memory, picture: memoryPicture,
    series: ['memory/total', 'memory/used', 'memory/cached', 'memory/buffers', 'swap/used'],
  },
  {
    id: 'disk', title: titles.disk, note: '', help: help.disk, picture: diskPicture,
    series: ['disk(*)/read bytes/s', 'disk(*)/write bytes/s', 'disk(*)/seconds per read', 'disk(*)/seconds per write'],
    variants: [
      { id: 'throughput', label: notes.disk, picture: diskPicture },
      { id: 'latency', label: notes.latency, picture: latencyPicture },
    ],
  },
  {
    id: 'network', title: titles.network, note: notes.network, help: help.network, picture: networkPicture,
    series: ['network(*)/received bytes/s', 'network(*)/sent bytes/s'],
  },
  {
    id: 'pressure', title: titles.pressure, note: notes.pressure, help: help.pressure, picture: pressurePicture,
    series: ['pressure(*)/some', 'pressure(*)/full'],
  },
  {
    id: 'load', title: titles.load, note: notes.load, help: help.load, picture: loadPicture,
    series: ['system/running', 'system/blocked', 'load/1 min'],
  },
];
