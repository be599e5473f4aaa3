import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absoluteRange, isLive, parseMoment, relativeSeconds, resolveRange, stepFor } from './range';
import { axisLabels, dateTime, duration, isoUtc, offsetText, windowText } from './time_format';
import { momentsOf, offsetAt } from './zone';

const now = Date.UTC(2026, 10, 30, 14, 0, 0) / 1000;

test('relative times are read with and without "now" and unit', () => {
  assert.equal(relativeSeconds('-15m'), -900);
  assert.equal(relativeSeconds('now-1h'), -3600);
  assert.equal(relativeSeconds('-600'), -600);
  assert.equal(relativeSeconds('now'), 0);
  assert.equal(relativeSeconds('15m'), undefined);
  assert.equal(relativeSeconds('now-1fortnight'), undefined);
});

test('only a range that ends now and starts before it is live', () => {
  assert.ok(isLive({ from: '-5m', to: 'now' }));
  assert.ok(!isLive({ from: '-2h', to: '-1h' }));
  assert.ok(!isLive({ from: '2026-11-30T10:00:00Z', to: 'now' }));
  assert.ok(!isLive({ from: '+5m', to: 'now' }));
});

test('absolute times are read in the chosen zone', () => {
  assert.equal(parseMoment('2026-11-30 08:00', now, 'Europe/Berlin'), Date.UTC(2026, 10, 30, 7) / 1000);
  assert.equal(parseMoment('yesterday 14:00', now, 'Asia/Kathmandu'), Date.UTC(2026, 10, 29, 8, 15) / 1000);
  assert.equal(parseMoment('08:30:05', now, 'UTC'), Date.UTC(2026, 10, 30, 8, 30, 5) / 1000);
  assert.equal(parseMoment('2026-11-30T08:00:00+01:00', now, 'UTC'), Date.UTC(2026, 10, 30, 7) / 1000);
  assert.equal(parseMoment('1764500000', now, 'UTC'), 1764500000);
  assert.equal(parseMoment('1764500000123', now, 'UTC'), 1764500000.123);
  for (const bad of ['', 'soon', '2026-02-30', '25:00', '2026-13-01 00:00']) {
    assert.equal(parseMoment(bad, now, 'UTC'), 'unreadable', bad);
  }
});

test('T-T01 the skipped hour has no moment and the repeated hour has two', () => {
  assert.equal(parseMoment('2026-03-29 02:30', now, 'Europe/Berlin'), 'skipped');
  const twice = momentsOf({ year: 2026, month: 10, day: 25, hour: 2, minute: 30, second: 0 }, 'Europe/Berlin');
  assert.deepEqual(twice, [Date.UTC(2026, 9, 25, 0, 30) / 1000, Date.UTC(2026, 9, 25, 1, 30) / 1000]);
  const half = momentsOf({ year: 2026, month: 4, day: 5, hour: 1, minute: 45, second: 0 }, 'Australia/Lord_Howe');
  assert.equal(half.length, 2);
  assert.equal(half[1]! - half[0]!, 1800);
});

test('offsets with minutes are printed', () => {
  assert.equal(offsetAt(now, 'Asia/Kathmandu'), 20700);
  assert.equal(offsetText(now, 'Asia/Kathmandu'), '+05:45');
  assert.equal(offsetText(now, 'America/New_York'), '-05:00');
});

test('a range that is empty or unreadable resolves to nothing', () => {
  assert.deepEqual(resolveRange({ from: '-1h', to: 'now' }, now, 'UTC'), { from: now - 3600, to: now });
  assert.equal(resolveRange({ from: 'now', to: '-1h' }, now, 'UTC'), undefined);
  assert.equal(resolveRange({ from: 'x', to: 'now' }, now, 'UTC'), undefined);
});

test('addresses hold whole seconds except in very short windows', () => {
  assert.deepEqual(absoluteRange(now + 0.4, now + 60.6), { from: '2026-11-30T14:00:00Z', to: '2026-11-30T14:01:01Z' });
  assert.equal(absoluteRange(now + 0.25, now + 1).from, '2026-11-30T14:00:00.250Z');
  assert.equal(isoUtc(now), '2026-11-30T14:00:00Z');
});

test('a window has no more buckets than asked for', () => {
  assert.equal(stepFor(300, 900), 1);
  assert.equal(stepFor(3600, 900), 5);
  assert.equal(stepFor(86400, 900), 120);
  assert.equal(stepFor(30 * 86400, 900), 3600);
});

test('texts of times', () => {
  assert.equal(dateTime(now, 'Europe/Berlin'), '2026-11-30 15:00:00');
  assert.equal(windowText(now, now + 3600, 'UTC'), '2026-11-30 14:00 – 15:00');
  assert.equal(windowText(now, now + 86400, 'UTC'), '2026-11-30 14:00 – 2026-12-01 14:00');
  assert.equal(duration(93784), '1 d 2 h');
  assert.equal(duration(3600), '1 h');
  assert.equal(duration(0.25), '250 ms');
  const midnight = Date.UTC(2026, 11, 1) / 1000;
  assert.deepEqual(axisLabels([midnight - 3600, midnight, midnight + 3600], 3600, 'UTC'), ['23:00', '12-01', '01:00']);
  assert.deepEqual(axisLabels([now, now + 10], 10, 'UTC'), ['14:00:00', '14:00:10']);
});
