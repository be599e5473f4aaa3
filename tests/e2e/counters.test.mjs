// Counters: the tree, search, live values, charts of chosen counters. And the status page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser, newPage, startServer, until } from './browser.mjs';
import { addressQuery } from './page.mjs';

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startServer()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const object = (page, name) => page.locator('.object > .disclosure').filter({ has: page.getByText(name, { exact: true }) });
const counter = (page, name) => page.locator('.counter-row').filter({ has: page.getByText(name, { exact: true }) });

test('the tree opens from object over instance to counters with live values and help', async () => {
  const { page, trouble, close } = await newPage(browser);
  await page.goto(`${server.url}/counters`);
  await object(page, 'cpu').click();
  await page.locator('.instance > .disclosure').filter({ has: page.getByText('total', { exact: true }) }).click();
  const value = counter(page, 'busy').locator('.live-value');
  await until(async () => /\d %/.test(await value.textContent()), 'a live value');
  const first = await value.textContent();
  await until(async () => (await value.textContent()) !== first, 'the value moves', 8000);
  await counter(page, 'busy').hover();
  assert.match(await page.locator('.explained').textContent(), /not idle.*Unit: %/s);
  assert.deepEqual(trouble, []);
  await close();
});

test('chosen counters are charted and kept in the address', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/counters`);
  await object(page, 'memory').click();
  await counter(page, 'used').click();
  await counter(page, 'cached').click();
  assert.deepEqual(addressQuery(page).getAll('series'), ['memory/used', 'memory/cached']);
  await until(async () => (await page.locator('.chart.wide .legend-name').count()) === 2, 'two lines in one chart');
  await page.reload();
  await until(async () => (await page.locator('.chart.wide .legend-name').count()) === 2, 'the same after a reload');
  assert.equal(await counter(page, 'used').getAttribute('aria-pressed'), 'true');
  await until(async () => /\d+ (M|G)iB/.test(await page.locator('.board .grid tbody').textContent()), 'numbers of the window');
  await page.getByRole('button', { name: 'Remove memory/used' }).click();
  assert.deepEqual(addressQuery(page).getAll('series'), ['memory/cached']);
  await until(async () => (await page.locator('.chart.wide .legend-name').count()) === 1, 'one line left');
  await close();
});

test('counters of different units have charts of their own', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/counters?series=cpu(total)/busy&series=memory/used&series=cpu(total)/user`);
  await until(async () => (await page.locator('.chart.wide').count()) === 2 && (await page.locator('.legend-name').count()) === 3, 'two charts with three lines');
  await close();
});

test('a wildcard charts eight series and the rest as one', { skip: process.env.COUNTERTOP_PROGRAM ? 'needs more than eight instances' : false }, async () => {
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/counters?series=process(*)/cpu`);
  await until(async () => (await page.locator('.legend-name').count()) === 9, 'eight and one');
  assert.match((await page.locator('.legend-name').allTextContents()).at(-1), /^other \(\d+\)$/);
  await close();
});

test('search finds a counter by name or help, from anywhere by one key', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await page.waitForTimeout(500);
  await page.keyboard.press('/');
  await until(() => new URL(page.url()).pathname === '/counters', 'the page of counters');
  await until(() => page.evaluate(() => document.activeElement?.getAttribute('type') === 'search'), 'the field has the focus');
  await page.keyboard.type('context switches');
  await until(async () => (await page.locator('.object').count()) === 1, 'one object');
  await counter(page, 'context switches/s').click();
  assert.deepEqual(addressQuery(page).getAll('series'), ['system/context switches/s']);
  await page.fill('input[type="search"]', 'no such thing anywhere');
  assert.match(await page.locator('.tree-note').textContent(), /No counter matches/);
  await close();
});

test('a counter that does not exist says so in its own frame, with what helps', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/counters?series=cpu(total)/buzy&series=memory/used`);
  const problem = page.locator('.problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /buzy/);
  await until(async () => (await page.locator('.chart.wide canvas').count()) === 1, 'the other counter is charted');
  await close();
});

test('keys lead to the pages and list themselves', async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await page.waitForTimeout(500);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await until(() => new URL(page.url()).pathname === '/status', 'Status');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await until(() => new URL(page.url()).pathname === '/', 'Overview');
  await page.keyboard.press('?');
  assert.ok(await page.locator('dialog.help').isVisible());
  await page.keyboard.press('Escape');
  await until(async () => !(await page.locator('dialog.help').isVisible()), 'closed');
  await close();
});

test('Status shows collectors, store, own cost and missing rights', async () => {
  const { page, trouble, close } = await newPage(browser);
  await page.goto(`${server.url}/status`);
  await page.locator('.status .grid tbody tr').first().waitFor();
  const words = await page.locator('.status').innerText();
  for (const expected of ['Collectors', 'Store', 'Own cost', 'Missing rights', 'Size of the data', 'Days until the limit']) {
    assert.ok(words.includes(expected), expected);
  }
  assert.match(await page.locator('.status .grid tbody').innerText(), /works/);
  assert.match(words, /\d (K|M|G)iB/);
  assert.doesNotMatch(words, /undefined|NaN|null|\[object/);
  assert.deepEqual(trouble, []);
  await close();
});
