import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUND, SLOTS, hashName, inksFor, shade, translucent, type Theme } from './palette';

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test('T-U08 every line colour stands out from its ground by 3:1 in both themes', () => {
  for (const theme of ['light', 'dark'] as Theme[]) {
    for (const slot of SLOTS) {
      const ratio = contrast(shade(slot, theme), GROUND[theme]);
      assert.ok(ratio >= 3, `${slot} on ${theme}: ${ratio.toFixed(2)}`);
    }
  }
});

test('a name has the same colour whatever stands beside it', () => {
  const alone = inksFor(['nginx']).get('nginx')!;
  const name = ['postgres', 'chrome', 'cron', 'sshd'].find(
    (other) => hashName(other) % (SLOTS.length - 1) !== hashName('nginx') % (SLOTS.length - 1),
  )!;
  assert.deepEqual(inksFor(['nginx', name]).get('nginx'), alone);
  assert.equal(inksFor(['system', 'user']).get('user')!.slot, 'blue');
  assert.equal(inksFor(['eth0 sent', 'eth0 received']).get('eth0 received')!.slot, 'green');
});

test('no two of twenty names look alike in one chart', () => {
  const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
  const looks = [...inksFor(names).values()].map((ink) => `${ink.slot} ${ink.dash.join()}`);
  assert.equal(new Set(looks).size, 20);
  assert.ok([...inksFor(names.slice(0, 8)).values()].every((ink) => ink.dash.length === 0));
});

test('opacity is written into the colour', () => {
  assert.equal(translucent('#0072b2', 0.5), '#0072b280');
});
