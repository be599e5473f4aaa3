import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from './counter_search';

const objects = ['cpu', 'disk', 'network'].map((name) => ({ name, help: '', instances: 2, counters: 2 }));
const counter = (name: string, help = '') => ({ name, help, unit: '', type: '' });
const details = new Map([
  ['cpu', { name: 'cpu', help: '', instanced: true, counters: [counter('busy', 'everything but idle'), counter('iowait', 'waits for a disk')] }],
  ['disk', { name: 'disk', help: '', instanced: true, counters: [counter('read bytes/s'), counter('busy %')] }],
  ['network', { name: 'network', help: '', instanced: true, counters: [counter('sent bytes/s')] }],
]);
const instances = new Map([['network', [{ name: 'eth0', first: 0, last: 1 }, { name: 'lo', first: 0, last: 1 }]]]);
const find = (needle: string) =>
  [...search(needle, objects, details, instances)].map(([object, hits]) => [object, [...hits.counters], [...hits.instances]]);

test('a counter is found by words in any order, with its object', () => {
  assert.deepEqual(find('bytes read'), [['disk', ['read bytes/s'], []]]);
  assert.deepEqual(find('busy'), [['cpu', ['busy'], []], ['disk', ['busy %'], []]]);
  assert.deepEqual(find('disk busy'), [['disk', ['busy %'], []]]);
});

test('a pasted path finds its counter', () => {
  assert.deepEqual(find('network(eth0)'), [['network', [], ['eth0']]]);
  assert.deepEqual(find('disk/read bytes/s'), [['disk', ['read bytes/s'], []]]);
});

test('an object is found whole, an instance by its name, a counter by its help', () => {
  assert.deepEqual(find('network'), [['network', [], []]]);
  assert.deepEqual(find('eth'), [['network', [], ['eth0']]]);
  assert.deepEqual(find('idle'), [['cpu', ['busy'], []]]);
  assert.deepEqual(find('nothing like it'), []);
  assert.deepEqual(find('  '), []);
});
