// T-U08: axe-core finds nothing on any page in either theme; charts have tables as twins.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeSource, launchBrowser, newPage, startServer, until } from './browser.mjs';
import { CHARTS, drawn } from './page.mjs';

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startServer()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function violations(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations);
  return found.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? node.failureSummary}`).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  for (const path of ['/', '/?from=-1h&to=now', '/counters?series=cpu(total)/busy&series=memory/used', '/status', '/locks']) {
    test(`axe finds nothing on ${path} in ${colorScheme}`, async () => {
      const { page, close } = await newPage(browser, { colorScheme });
      await page.goto(server.url + path);
      if (path.startsWith('/?') || path === '/') await drawn(page, 'cpu');
      await page.waitForTimeout(800);
      assert.deepEqual(await violations(page), []);
      await close();
    });
  }
}

test('axe finds nothing in the picker, in the list of keys, in tables and on a phone', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  await page.keyboard.press('t');
  assert.deepEqual(await violations(page), [], 'picker');
  await page.keyboard.press('Escape');
  await page.keyboard.press('v');
  await until(async () => (await page.locator('.twin table').count()) > 0, 'tables');
  assert.deepEqual(await violations(page), [], 'tables');
  await page.keyboard.press('?');
  assert.deepEqual(await violations(page), [], 'keys');
  await close();
  const phone = await newPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await phone.page.goto(server.url);
  await drawn(phone.page, 'cpu');
  assert.deepEqual(await violations(phone.page), [], 'phone');
  await phone.close();
});

test('each chart has a table with the same numbers', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  await page.keyboard.press('v');
  const tables = page.locator('.twin table');
  await until(async () => (await tables.count()) >= 4, 'tables');
  assert.match(await page.locator('#memory .twin caption').textContent(), /Memory, \d{4}-\d\d-\d\d/);
  const head = await page.locator('#memory .twin thead th').allTextContents();
  assert.deepEqual(head.slice(0, 2), ['Time', 'used']);
  await page.keyboard.press(' ');
  await until(async () => /\d (G|M)iB/.test(await page.locator('#memory .twin tbody').textContent()), 'values with units');
  await page.keyboard.press('v');
  await until(async () => (await tables.count()) === 0, 'charts again');
  await until(async () => (await page.locator('.chart canvas').count()) > 0, 'drawn charts');
  await close();
});

test('the page has a language, and every chart can be reached by keyboard', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  const reached = new Set();
  for (let index = 0; index < 90; index += 1) {
    await page.keyboard.press('Tab');
    const id = await page.evaluate(() => (document.activeElement.matches('.plot-host') ? document.activeElement.closest('.chart').id : ''));
    if (id) reached.add(id);
  }
  assert.ok(reached.size >= 4 && [...reached].every((id) => CHARTS.includes(id)), [...reached].join());
  await close();
});

test('reduced motion stops what moves by itself', async () => {
  const { page, close } = await newPage(browser, { reducedMotion: 'reduce' });
  await page.goto(server.url);
  await page.locator('.dot').waitFor();
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.dot')).animationName), 'none');
  await close();
});
