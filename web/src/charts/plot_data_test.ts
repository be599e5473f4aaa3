import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualSpacing } from '../model/cells';
import { Frame } from '../model/frame';
import { inked, topAndOther, type Picture } from './chart_model';
import { bridged, extremes, plotData } from './plot_data';

const frameOf = (columns: Record<string, (number | null)[]>, step = 1, gaps: { from: number; to: number; reason: string }[] = []) => {
  const rows = Object.values(columns)[0]!.length;
  return new Frame({
    from: 0, to: rows * step, step, tz: 'UTC', tier: '1s', time: Array.from({ length: rows }, (_, row) => row * step), gaps, warnings: [],
    series: Object.entries(columns).map(([path, avg]) => ({
      path, object: 'o', instance: null, counter: path, unit: '%', type: 'x', avg,
      min: avg.map((cell) => (cell === null ? null : cell - 1)), max: avg.map((cell) => (cell === null ? null : cell + 1)),
    })),
  });
};

const pictureOf = (frame: Frame, stacked: boolean): Picture => ({
  lines: inked([...frame.columns.values()].map((column) => ({ label: column.path, column }))),
  display: { kind: 'percent', suffix: '%' }, stacked, fromZero: true,
});

const never = () => false;

test('a hole of several rows breaks the line, one late sample does not', () => {
  assert.deepEqual(bridged([1, null, 2, 3, null, null, null, 4], never), [1, undefined, 2, 3, null, null, null, 4]);
});

test('a gap that the server names is never bridged, however short', () => {
  assert.deepEqual(bridged([1, null, 2], (row) => row === 1), [1, null, 2]);
});

test('a counter that comes every third row is one line', () => {
  const slow = [1, null, null, 2, null, null, 3, null, null, 4];
  assert.equal(usualSpacing(slow), 3);
  assert.ok(!bridged(slow, never).includes(null));
});

test('stacked lines are sums, and a missing row stays missing', () => {
  const frame = frameOf({ a: [1, 2, null, null, null, 3], b: [10, 20, null, null, null, 30] });
  assert.deepEqual(plotData(pictureOf(frame, true), frame), [[0, 1, 2, 3, 4, 5], [1, 2, null, null, null, 3], [11, 22, null, null, null, 33]]);
});

test('buckets of more than a second have a band, single seconds have none', () => {
  const coarse = frameOf({ a: [5, 6] }, 10);
  assert.deepEqual(plotData(pictureOf(coarse, false), coarse), [[0, 10], [5, 6], [6, 7], [4, 5]]);
  const fine = frameOf({ a: [5, 6] });
  assert.equal(plotData(pictureOf(fine, false), fine).length, 2);
});

test('the value axis looks only at what is visible', () => {
  assert.deepEqual(extremes([[0, 1, 2, 3], [900, 1, 2, null]], 1, 3), [1, 2]);
  assert.equal(extremes([[0, 1], [null, null]], 0, 1), undefined);
});

test('beyond eight series the rest is one line named as what it is', () => {
  const columns = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`s${index}`, [index, index]]));
  const frame = frameOf(columns);
  const choices = topAndOther([...frame.columns.values()].map((column) => ({ label: column.path, column })), (count) => `other (${count})`);
  assert.equal(choices.length, 9);
  assert.equal(choices[8]!.label, 'other (3)');
  assert.deepEqual(choices[8]!.column.avg, [0 + 1 + 2, 0 + 1 + 2]);
});
