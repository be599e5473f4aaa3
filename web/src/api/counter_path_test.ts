import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCountersOf, formatPath, parsePath } from './counter_path';
import { encodeParameter, queryString } from './client';

test('paths are taken apart at the first closing parenthesis before a separator', () => {
  assert.deepEqual(parsePath('cpu(total)/busy'), { object: 'cpu', instance: 'total', counter: 'busy' });
  assert.deepEqual(parsePath('disk(vda)/read bytes/s'), { object: 'disk', instance: 'vda', counter: 'read bytes/s' });
  assert.deepEqual(parsePath('memory/used'), { object: 'memory', instance: null, counter: 'used' });
  assert.deepEqual(parsePath('\\\\HOST\\Processor(_Total)\\% Processor Time'),
    { object: 'Processor', instance: '_Total', counter: '% Processor Time' });
  assert.deepEqual(parsePath('process(a) S 1 (b:12@1764500000)/cpu'),
    { object: 'process', instance: 'a) S 1 (b:12@1764500000', counter: 'cpu' });
  for (const bad of ['', 'cpu', '(x)/y', '/']) assert.equal(parsePath(bad), undefined, bad);
});

test('every name comes back from its path', () => {
  for (const instance of ['eth0', 'a)/b', 'x*y', '%2A', '100 %', 'tab\there', 'Ünï#1', '"><img src=x>', ')']) {
    for (const counter of ['read bytes/s', '% Time', 'a*b', '%2A', '%252A']) {
      const path = { object: 'thing', instance, counter };
      assert.deepEqual(parsePath(formatPath(path)), path, formatPath(path));
    }
  }
});

test('a pattern for one instance has its star only where the counter stands', () => {
  assert.equal(allCountersOf('disk', 'a*'), 'disk(a%2A)/*');
  assert.equal(allCountersOf('memory', null), 'memory/*');
});

test('addresses stay readable and lose nothing', () => {
  const path = 'disk(vda)/read bytes/s & more=1 %41+#';
  const address = queryString({ series: [path, 'cpu(total)/busy'], from: '-1h' });
  assert.ok(address.includes('series=cpu(total)/busy'));
  assert.deepEqual(new URLSearchParams(address).getAll('series'), [path, 'cpu(total)/busy']);
  assert.equal(encodeParameter('2026-11-30T14:00:00Z'), '2026-11-30T14:00:00Z');
});
