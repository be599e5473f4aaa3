// What a chart shows, apart from how it is drawn.
import type { Column, Frame } from '../model/frame';
import { inksFor, type Ink } from '../values/palette';
import type { Display } from '../values/units';

export interface Line {
  key: string;
  label: string;
  column: Column;
  ink: Ink;
  /** Drawn as a line over the stack rather than as a part of it, from the column's largest values. */
  peak?: boolean;
  /** The area below is tinted. */
  filled?: boolean;
}

export interface Picture {
  lines: Line[];
  display: Display;
  stacked: boolean;
  /** Fixed top of the value axis, such as 100 % or the memory's size; undefined: as high as the values. */
  top?: number | undefined;
  /** Axis from zero (rates, percents) or just around the values. */
  fromZero: boolean;
  headline?: string | undefined;
}

export interface ChartDefinition {
  id: string;
  title: string;
  note: string;
  help: string;
  series: readonly string[];
  /** Chooses lines out of the frame; `row` is the row under the cursor, or the newest. */
  picture(frame: Frame, row: number): Picture;
  /** Other ways to look at the same subject, each with a button. The chart itself is the first way. */
  variants?: readonly { id: string; label: string; picture(frame: Frame, row: number): Picture }[];
}

export interface Choice {
  label: string;
  column: Column;
  peak?: boolean;
  filled?: boolean;
}

/** Gives each choice its ink. Colours are taken in the order of labels, so that the order of values moves none. */
export function inked(choices: readonly Choice[]): Line[] {
  const inks = inksFor(choices.filter((choice) => !choice.peak).map((choice) => choice.label).sort());
  return choices.map((choice) => ({
    key: choice.column.path + (choice.peak ? ' peak' : ''),
    label: choice.label,
    column: choice.column,
    ink: choice.peak ? { slot: 'ink', dash: [2, 2] } : inks.get(choice.label)!,
    ...(choice.peak ? { peak: true } : {}),
    ...(choice.filled ? { filled: true } : {}),
  }));
}

export const MOST_LINES = 8;

const weight = (column: Column): number => column.avg.reduce<number>((sum, cell) => sum + Math.abs(cell ?? 0), 0);

/** The sum of columns, row by row. Extremes of a sum are not the sum of extremes, so there is no band. */
export function sumColumns(path: string, columns: readonly Column[]): Column {
  const first = columns[0]!;
  const sum = first.avg.map((_, row) => {
    let total: number | null = null;
    for (const column of columns) {
      const cell = column.avg[row];
      if (cell !== null && cell !== undefined) total = (total ?? 0) + cell;
    }
    return total;
  });
  const last = sum.reduce<number>((found, cell, row) => (cell === null ? found : row), -1);
  return {
    ...first, path, instance: null, avg: sum, min: sum, max: sum, lastValue: last < 0 ? null : sum[last]!,
    lastTime: columns.reduce<number | null>((newest, column) =>
      column.lastTime === null ? newest : Math.max(newest ?? 0, column.lastTime), null),
  };
}

/** The heaviest lines by name, and one for all the rest. */
export function topAndOther(choices: readonly Choice[], otherLabel: (count: number) => string): Choice[] {
  if (choices.length <= MOST_LINES) return [...choices];
  const ranked = choices.map((choice) => ({ choice, weight: weight(choice.column) })).sort((a, b) => b.weight - a.weight);
  const rest = ranked.slice(MOST_LINES).map((entry) => entry.choice.column);
  return [
    ...ranked.slice(0, MOST_LINES).map((entry) => entry.choice),
    { label: otherLabel(rest.length), column: sumColumns(' other', rest) },
  ];
}

/** Newest value at or before a row, looking back no further than a late sample. */
export function valueAt(column: Column, row: number): number | null {
  for (let index = row; index >= Math.max(0, row - 1); index -= 1) {
    const cell = column.avg[index];
    if (cell !== null && cell !== undefined) return cell;
  }
  return null;
}

/** Row to read: the cursor's, or the last one that holds anything. */
export function rowToRead(frame: Frame, moment: number | undefined): number {
  if (moment !== undefined) return frame.rowAt(moment);
  for (let row = frame.time.length - 1; row > Math.max(-1, frame.time.length - 6); row -= 1) {
    for (const column of frame.columns.values()) if (column.avg[row] !== null) return row;
  }
  return frame.time.length - 1;
}
