// From a picture's columns to the arrays uPlot draws.
import { usualSpacing, type Cells } from '../model/cells';
import type { Frame } from '../model/frame';
import type { Picture } from './chart_model';

/** null breaks a line; undefined lets it pass: a counter that comes every second row has no gap in between. */
export type PlotCells = (number | null | undefined)[];
export type PlotData = [number[], ...PlotCells[]];

/** Marks rows without value as passable where the column is merely slower than the rows, or one sample was late. */
export function bridged(cells: Cells, isGap: (row: number) => boolean): PlotCells {
  const most = Math.max(1, 2 * usualSpacing(cells) - 1);
  const out: PlotCells = cells.slice();
  let row = 0;
  while (row < out.length) {
    if (out[row] !== null) {
      row += 1;
      continue;
    }
    let end = row;
    let hole = false;
    while (end < out.length && cells[end] === null) {
      hole ||= isGap(end);
      end += 1;
    }
    if (row > 0 && end < out.length && end - row <= most && !hole) out.fill(undefined, row, end);
    row = end;
  }
  return out;
}

function gapRows(frame: Frame): (row: number) => boolean {
  if (frame.gaps.length === 0) return () => false;
  return (row) => {
    const time = frame.time[row]!;
    return frame.gaps.some((gap) => gap.from <= time && time < gap.to);
  };
}

/** True when some bucket holds more than one sample, so that there is a band to draw. */
export const isBanded = (picture: Picture, frame: Frame): boolean => !picture.stacked && frame.step > 1;

export function plotData(picture: Picture, frame: Frame): PlotData {
  const isGap = gapRows(frame);
  const data: PlotData = [frame.time.slice()];
  if (picture.stacked) {
    let below: number[] = frame.time.map(() => 0);
    for (const line of picture.lines) {
      if (line.peak) {
        data.push(bridged(line.column.max, isGap));
        continue;
      }
      const own = bridged(line.column.avg, isGap);
      const stack = own.map((cell, row) => (cell === null || cell === undefined ? cell : cell + below[row]!));
      below = stack.map((cell, row) => cell ?? below[row]!);
      data.push(stack);
    }
    return data;
  }
  const banded = isBanded(picture, frame);
  for (const line of picture.lines) {
    data.push(bridged(line.column.avg, isGap));
    if (banded) data.push(bridged(line.column.max, isGap), bridged(line.column.min, isGap));
  }
  return data;
}

/** Largest and smallest number in the visible part of the data. */
export function extremes(data: PlotData, from: number, to: number): [number, number] | undefined {
  const time = data[0];
  let low = Infinity;
  let high = -Infinity;
  for (let row = 0; row < time.length; row += 1) {
    if (time[row]! < from || time[row]! > to) continue;
    for (let line = 1; line < data.length; line += 1) {
      const cell = data[line]![row];
      if (cell === null || cell === undefined) continue;
      if (cell < low) low = cell;
      if (cell > high) high = cell;
    }
  }
  return low <= high ? [low, high] : undefined;
}
