// The numbers of one window: what a query gave, and what the stream has added since.
import { parsePath } from '../api/counter_path';
import type { Gap, QueryAnswer } from '../api/types';
import type { Cells } from './cells';

export interface Column {
  path: string;
  object: string;
  instance: string | null;
  counter: string;
  unit: string;
  avg: Cells;
  min: Cells;
  max: Cells;
  tailCount: number; // samples in the newest bucket
  lastValue: number | null; // newest sample itself, not a bucket's average
  lastTime: number | null;
}

const lastFilled = (cells: Cells): number => {
  for (let index = cells.length - 1; index >= 0; index -= 1) if (cells[index] !== null) return index;
  return -1;
};

export class Frame {
  readonly columns = new Map<string, Column>();
  readonly time: number[];
  readonly gaps: Gap[];
  readonly warnings: string[];
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly tier: string;
  /** Samples up to here are in the answer already. */
  private readonly frontier: number;

  constructor(answer: QueryAnswer) {
    this.from = answer.from;
    this.to = answer.to;
    this.step = answer.step;
    this.tier = answer.tier;
    this.time = answer.time.slice();
    this.gaps = (answer.gaps ?? []).map((gap) => ({ ...gap }));
    this.warnings = answer.warnings ?? [];
    this.frontier = answer.to;
    for (const series of answer.series) {
      const avg = series.avg ?? answer.time.map(() => null);
      const last = lastFilled(avg);
      this.columns.set(series.path, {
        path: series.path,
        object: series.object,
        instance: series.instance || null,
        counter: series.counter,
        unit: series.unit,
        avg: avg.slice(),
        min: (series.min ?? avg).slice(),
        max: (series.max ?? avg).slice(),
        tailCount: last < 0 ? 1 : Math.max(1, Math.min(this.step, this.to - this.time[last]!)),
        lastValue: last < 0 ? null : avg[last]!,
        lastTime: last < 0 ? null : this.time[last]!,
      });
    }
  }

  get lastTime(): number | undefined {
    return this.time[this.time.length - 1];
  }

  get hasValues(): boolean {
    for (const column of this.columns.values()) if (column.lastTime !== null) return true;
    return false;
  }

  /** Adds one sample. Answers whether anything changed. */
  append(sampleTime: number, values: Record<string, number | null>, holeReason: string, units?: Map<string, string>): boolean {
    const step = this.step > 0 ? this.step : 1;
    const bucket = Math.floor(sampleTime / step + 1e-6) * step;
    const last = this.lastTime;
    if (step > 1 && sampleTime <= this.frontier) return false;
    if (last !== undefined && bucket < last - 120 * step) return false;
    this.makeRows(bucket, step, holeReason);
    const row = this.rowOf(bucket);
    if (row < 0) return false;
    for (const [path, value] of Object.entries(values)) {
      const column = this.columns.get(path) ?? this.addColumn(path, units?.get(path) ?? '');
      if (column && value !== null) this.merge(column, row, value, sampleTime, step);
    }
    for (const gap of this.gaps) if (gap.to > bucket && gap.from <= bucket) gap.to = bucket;
    return true;
  }

  addGap(gap: Gap): void {
    if (gap.to > gap.from) this.gaps.push({ ...gap });
  }

  /** Forgets what lies before `from`; in batches, because each batch moves every column. */
  trim(from: number): void {
    let count = 0;
    while (count < this.time.length && this.time[count]! < from - this.step) count += 1;
    if (count < 32) return;
    this.time.splice(0, count);
    for (const column of this.columns.values()) {
      column.avg.splice(0, count);
      column.min.splice(0, count);
      column.max.splice(0, count);
    }
    for (let index = this.gaps.length - 1; index >= 0; index -= 1) {
      if (this.gaps[index]!.to < from) this.gaps.splice(index, 1);
    }
    for (const [path, column] of this.columns) {
      if (column.lastTime !== null && column.lastTime < from) this.columns.delete(path);
    }
  }

  /** Row whose bucket holds the moment, or the nearest one before it; -1 before the first. */
  rowAt(moment: number): number {
    let low = 0;
    let high = this.time.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.time[middle]! <= moment) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }

  gapAt(moment: number): Gap | undefined {
    return this.gaps.find((gap) => gap.from <= moment && moment < gap.to);
  }

  private rowOf(bucket: number): number {
    const row = this.rowAt(bucket);
    return row >= 0 && this.time[row] === bucket ? row : -1;
  }

  private makeRows(bucket: number, step: number, holeReason: string): void {
    const last = this.lastTime;
    if (last === undefined) {
      this.pushRow(bucket);
      return;
    }
    if (bucket <= last) return;
    const missing = Math.round((bucket - last) / step) - 1;
    if (missing > Math.max(2, 3 / step)) this.addGap({ from: last + step, to: bucket, reason: holeReason });
    // A row of nulls on either side is enough to break every line.
    if (missing > 600) this.pushRow(last + step);
    else for (let index = 1; index <= missing; index += 1) this.pushRow(last + index * step);
    this.pushRow(bucket);
  }

  private pushRow(time: number): void {
    this.time.push(time);
    for (const column of this.columns.values()) {
      column.avg.push(null);
      column.min.push(null);
      column.max.push(null);
      column.tailCount = 0;
    }
  }

  private addColumn(path: string, unit: string): Column | undefined {
    const parsed = parsePath(path);
    if (!parsed) return undefined;
    const empty = () => this.time.map(() => null);
    const column: Column = {
      path, ...parsed, unit, avg: empty(), min: empty(), max: empty(), tailCount: 0, lastValue: null, lastTime: null,
    };
    this.columns.set(path, column);
    return column;
  }

  private merge(column: Column, row: number, value: number, sampleTime: number, step: number): void {
    if (column.lastTime === null || sampleTime >= column.lastTime) {
      column.lastValue = value;
      column.lastTime = sampleTime;
    }
    const before = column.avg[row] ?? null;
    if (before === null || step <= 1 || row !== this.time.length - 1) {
      if (before !== null && step > 1) return;
      column.avg[row] = column.min[row] = column.max[row] = value;
      column.tailCount = 1;
      return;
    }
    const count = Math.max(1, column.tailCount);
    column.avg[row] = (before * count + value) / (count + 1);
    column.min[row] = Math.min(column.min[row] ?? value, value);
    column.max[row] = Math.max(column.max[row] ?? value, value);
    column.tailCount = count + 1;
  }
}

/** One answer out of several about the same window. Rows are matched by time. */
export function mergeAnswers(answers: readonly QueryAnswer[]): QueryAnswer | undefined {
  const [first, ...rest] = answers;
  if (!first) return undefined;
  if (rest.length === 0) return first;
  const time = [...new Set(answers.flatMap((answer) => answer.time))].sort((a, b) => a - b);
  const rows = new Map(time.map((moment, row) => [moment, row]));
  const seen = new Set<string>();
  const spread = (answer: QueryAnswer, cells: Cells | undefined): Cells => {
    const wide: Cells = time.map(() => null);
    cells?.forEach((cell, index) => (wide[rows.get(answer.time[index]!)!] = cell));
    return wide;
  };
  return {
    ...first,
    step: Math.max(...answers.map((answer) => answer.step)),
    time,
    series: answers.flatMap((answer) =>
      answer.series.filter((series) => !seen.has(series.path) && seen.add(series.path)).map((series) => ({
        ...series, avg: spread(answer, series.avg), min: spread(answer, series.min), max: spread(answer, series.max),
      }))),
    gaps: first.gaps,
    warnings: [...new Set(answers.flatMap((answer) => answer.warnings ?? []))],
  };
}
