import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisValues, digits, displayFor, tickIncrements, valueText } from './units';

test('three significant digits', () => {
  assert.deepEqual([0, 1234, 123.4, 12.34, 1.234, 0.1234, 0.01234].map(digits), ['0', '1234', '123', '12.3', '1.23', '0.12', '0.012']);
  assert.deepEqual([99.96, 9.996, 0.0001].map(digits), ['100', '10.0', '0.000']);
});

test('memory is written in IEC units, networks in SI bits, disks in SI bytes', () => {
  assert.equal(valueText(1536, displayFor('bytes')), '1.50 KiB');
  assert.equal(valueText(8 * 2 ** 30, displayFor('bytes')), '8.00 GiB');
  assert.equal(valueText(125_000, displayFor('bytes/s', 'network')), '1.00 Mbit/s');
  assert.equal(valueText(125_000, displayFor('bytes/s', 'disk')), '125 kB/s');
  assert.equal(valueText(999_600, displayFor('bytes/s', 'disk')), '1.00 MB/s');
});

test('seconds, rates, percents and plain numbers', () => {
  assert.equal(valueText(0.00421, displayFor('s')), '4.21 ms');
  assert.equal(valueText(0.00000421, displayFor('s')), '4.21 µs');
  assert.equal(valueText(90_000, displayFor('s')), '1.04 d');
  assert.equal(valueText(12_345, displayFor('1/s')), '12.3 k/s');
  assert.equal(valueText(34.21, displayFor('% of one CPU')), '34.2 %');
  assert.equal(valueText(7, displayFor('')), '7');
});

test('T-U12 a missing value is a dash and never zero', () => {
  assert.equal(valueText(null, displayFor('%')), '–');
  assert.equal(valueText(undefined, displayFor('%')), '–');
  assert.equal(valueText(Number.NaN, displayFor('%')), '–');
});

test('axis labels share one prefix', () => {
  assert.deepEqual(axisValues([0, 512 * 2 ** 20, 1024 * 2 ** 20], displayFor('bytes')), ['0', '0.5 GiB', '1.0 GiB']);
  assert.deepEqual(axisValues([0, 62_500, 125_000], displayFor('bytes/s', 'network')), ['0', '0.5 Mbit/s', '1.0 Mbit/s']);
  assert.deepEqual(axisValues([0, 50, 100], displayFor('%')), ['0', '50 %', '100 %']);
  assert.deepEqual(axisValues([0, 0.002, 0.004], displayFor('s')), ['0', '2 ms', '4 ms']);
});

test('tick distances rise and suit the unit', () => {
  for (const display of [displayFor('bytes'), displayFor('s'), displayFor('bytes/s', 'network'), displayFor('%')]) {
    const increments = tickIncrements(display);
    assert.ok(increments.every((value, index) => index === 0 || value > increments[index - 1]!));
  }
  assert.ok(tickIncrements(displayFor('bytes')).includes(2 ** 30));
  assert.ok(tickIncrements(displayFor('bytes/s', 'network')).includes(125_000));
});
