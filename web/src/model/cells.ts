// One column of numbers; null where there is no value.

export type Cells = (number | null)[];

/** Rows between two values of a column as a rule. */
export function usualSpacing(cells: Cells): number {
  const counts = new Map<number, number>();
  let last = -1;
  for (let row = 0; row < cells.length; row += 1) {
    if (cells[row] === null) continue;
    if (last >= 0) counts.set(row - last, (counts.get(row - last) ?? 0) + 1);
    last = row;
  }
  let best = 1;
  let most = 0;
  for (const [distance, count] of counts) {
    if (count > most || (count === most && distance < best)) [best, most] = [distance, count];
  }
  return best;
}
