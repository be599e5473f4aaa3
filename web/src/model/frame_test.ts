import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryAnswer } from '../api/types';
import { Frame, mergeAnswers } from './frame';

const path = 'cpu(total)/busy';

function answer(step: number, time: number[], avg: (number | null)[], to: number): QueryAnswer {
  return {
    from: time[0] ?? 0, to, step, tz: 'UTC', tier: '1s', time, gaps: [], warnings: [],
    series: [{ path, object: 'cpu', instance: 'total', counter: 'busy', unit: '%', type: 'x', avg, min: avg, max: avg }],
  };
}

test('a sample of the stream becomes a row of its own second', () => {
  const frame = new Frame(answer(1, [100, 101], [1, 2], 102));
  assert.ok(frame.append(102.03, { [path]: 3 }, 'hole'));
  assert.deepEqual(frame.time, [100, 101, 102]);
  assert.deepEqual(frame.columns.get(path)!.avg, [1, 2, 3]);
});

test('a sample that the query gave already is not counted twice', () => {
  const seconds = new Frame(answer(1, [100, 101], [1, 2], 102));
  seconds.append(101.02, { [path]: 2 }, 'hole');
  assert.deepEqual(seconds.columns.get(path)!.avg, [1, 2]);
  const buckets = new Frame(answer(5, [100, 105], [1, 2], 108));
  assert.ok(!buckets.append(107, { [path]: 50 }, 'hole'));
  assert.deepEqual(buckets.columns.get(path)!.avg, [1, 2]);
});

test('samples are averaged into the newest bucket and keep its extremes', () => {
  const frame = new Frame(answer(5, [100, 105], [1, 2], 107));
  frame.append(108, { [path]: 8 }, 'hole');
  const column = frame.columns.get(path)!;
  assert.equal(column.avg[1], 4);
  assert.equal(column.min[1], 2);
  assert.equal(column.max[1], 8);
  assert.equal(column.lastValue, 8);
});

test('T-U12 a hole in the stream is rows of null and a gap, never zero', () => {
  const frame = new Frame(answer(1, [100], [1], 101));
  frame.append(111, { [path]: 2 }, 'no samples arrived');
  const { avg } = frame.columns.get(path)!;
  assert.equal(avg.length, 12);
  assert.ok(avg.slice(1, 11).every((cell) => cell === null));
  assert.deepEqual(frame.gaps, [{ from: 101, to: 111, reason: 'no samples arrived' }]);
});

test('one late second is no gap', () => {
  const frame = new Frame(answer(1, [100], [1], 101));
  frame.append(102.2, { [path]: 2 }, 'hole');
  assert.deepEqual(frame.gaps, []);
  assert.deepEqual(frame.columns.get(path)!.avg, [1, null, 2]);
});

test('a series that appears later starts where it appears', () => {
  const frame = new Frame(answer(1, [100, 101], [1, 2], 102));
  frame.append(102, { 'network(wlan0)/sent bytes/s': 7, [path]: 3 }, 'hole');
  const column = frame.columns.get('network(wlan0)/sent bytes/s')!;
  assert.deepEqual(column.avg, [null, null, 7]);
  assert.equal(column.instance, 'wlan0');
});

test('T-U01 a day of ticks keeps no more rows than the window holds', () => {
  const frame = new Frame(answer(1, [0], [1], 1));
  for (let second = 1; second <= 86400; second += 1) {
    frame.append(second, { [path]: second }, 'hole');
    frame.trim(second - 300);
  }
  assert.ok(frame.time.length < 340, String(frame.time.length));
  assert.equal(frame.columns.get(path)!.avg.length, frame.time.length);
});

test('rows and gaps are found by time', () => {
  const frame = new Frame({ ...answer(5, [100, 105, 110], [1, null, 3], 115), gaps: [{ from: 105, to: 110, reason: 'asleep' }] });
  assert.equal(frame.rowAt(99), -1);
  assert.equal(frame.rowAt(107), 1);
  assert.equal(frame.rowAt(500), 2);
  assert.equal(frame.gapAt(106)?.reason, 'asleep');
  assert.equal(frame.gapAt(110), undefined);
});

test('answers of several requests are joined by time', () => {
  const one = answer(1, [100, 101], [1, 2], 103);
  const other = answer(1, [101, 102], [5, 6], 103);
  other.series[0]!.path = 'load/1 min';
  const joined = mergeAnswers([one, other])!;
  assert.deepEqual(joined.time, [100, 101, 102]);
  assert.deepEqual(joined.series.map((series) => series.avg), [[1, 2, null], [null, 5, 6]]);
});
