// Time: live and paused, zoom, back, address, cursor.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser, newPage, startServer, until } from './browser.mjs';
import { CHARTS, addressQuery, drag, drawn, liveText, plotBox } from './page.mjs';

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startServer()]);
  if (server.real) await new Promise((resolve) => setTimeout(resolve, 12000)); // some history to zoom into
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function open(path = '/?from=-1m&to=now') {
  const opened = await newPage(browser);
  await opened.page.goto(server.url + path);
  await drawn(opened.page, 'cpu');
  return opened;
}

const pictures = (page) => page.evaluate((ids) => ids.map((id) => document.querySelector(`#${id} canvas`)?.toDataURL().length ?? 0), CHARTS);

test('dragging across one chart zooms all of them and holds the window in the address', async () => {
  const { page, close } = await open();
  const before = await pictures(page);
  await drag(page, 'memory', 0.85, 0.97);
  assert.equal(await liveText(page), 'Paused');
  const query = addressQuery(page);
  const span = (Date.parse(query.get('to')) - Date.parse(query.get('from'))) / 1000;
  assert.ok(span >= 5 && span <= 11, `${span} s`);
  await page.waitForTimeout(800);
  const now = await pictures(page);
  for (const [index, id] of CHARTS.entries()) {
    if (await page.locator(`#${id} canvas`).count()) assert.notEqual(now[index], before[index], `${id} follows`);
  }
  await close();
});

test('T-U03 a window in the past asks for nothing more and stands still', async () => {
  const { page, requests, close } = await open();
  await page.keyboard.press(' ');
  await until(async () => (await liveText(page)) === 'Paused', 'paused');
  await page.waitForTimeout(1500);
  const count = requests.length;
  const window = await page.locator('.strip-window').textContent();
  await page.waitForTimeout(3500);
  assert.equal(requests.length, count, requests.slice(count).join());
  assert.equal(await page.locator('.strip-window').textContent(), window);
  await page.keyboard.press(' ');
  await until(async () => (await liveText(page)) === 'Live', 'live again');
  assert.equal(addressQuery(page).get('from'), '-1m');
  await close();
});

test('Esc, a double click and the button lead back, one window each', async () => {
  const { page, close } = await open();
  assert.ok(await page.getByRole('button', { name: 'Back', exact: true }).isDisabled());
  await drag(page, 'cpu', 0.8, 0.95);
  const first = page.url();
  await page.waitForTimeout(600);
  await drag(page, 'cpu', 0.3, 0.7);
  assert.notEqual(page.url(), first);
  await page.keyboard.press('Escape');
  await until(() => page.url() === first, 'the first zoom');
  const box = await plotBox(page, 'load');
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await until(async () => (await liveText(page)) === 'Live', 'the live window');
  await drag(page, 'cpu', 0.8, 0.95);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await until(async () => (await liveText(page)) === 'Live', 'live by the button');
  await close();
});

test('D6 the address alone brings back the exact view', async () => {
  const { page, close } = await open();
  await drag(page, 'cpu', 0.8, 0.95);
  await page.waitForTimeout(800);
  const box = await plotBox(page, 'cpu');
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await until(() => addressQuery(page).get('at') !== null, 'the pinned second in the address');
  const shown = async (which) => [await which.locator('.range-button').innerText(), await which.locator('.processes .when').textContent()];
  await until(async () => /at \d/.test((await shown(page))[1]), 'processes of that second');
  const wanted = await shown(page);
  const other = await newPage(browser);
  await other.page.goto(page.url());
  await drawn(other.page, 'cpu');
  await until(async () => JSON.stringify(await shown(other.page)) === JSON.stringify(wanted), `the same view as ${wanted}`);
  await other.close();
  await close();
});

test('D5 one crosshair stands on all charts, with values and the processes of its second', async () => {
  const { page, close } = await open();
  const box = await plotBox(page, 'cpu');
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
  await until(async () => /at \d\d:\d\d:\d\d/.test(await page.locator('.processes .when').textContent()), 'processes at the cursor');
  const places = await page.evaluate((ids) => ids.map((id) => document.querySelector(`#${id} .u-cursor-x`)?.getBoundingClientRect().left), CHARTS);
  const offsets = await page.evaluate((ids) => ids.map((id) => document.querySelector(`#${id} .u-over`)?.getBoundingClientRect().left), CHARTS);
  const shares = places.map((place, index) => place - offsets[index]).filter(Number.isFinite);
  assert.ok(shares.length >= 4 && shares.every((share) => Math.abs(share - shares[0]) < 3), shares.join());
  await close();
});

test('T-U03 a tooltip survives the ticks of the stream, and a drag is not disturbed by them', async () => {
  const { page, close } = await open();
  const box = await plotBox(page, 'cpu');
  await page.mouse.move(box.x + box.width * 0.85, box.y + box.height / 2);
  await page.locator('#cpu .tooltip').waitFor();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, box.y + box.height / 2, { steps: 5 });
  const edge = await page.locator('.strip-window').textContent();
  await page.waitForTimeout(2500);
  assert.equal(await page.locator('.strip-window').textContent(), edge, 'the window waits for the pointer');
  assert.ok((await page.locator('#cpu .u-select').boundingBox()).width > 20, 'the selection is still there');
  await page.mouse.up();
  await until(async () => (await liveText(page)) === 'Paused', 'zoomed');
  assert.ok(await page.locator('#cpu .tooltip').isVisible());
  await close();
});

test('quick ranges, relative and absolute input', async () => {
  const { page, close } = await open();
  const show = async (from, to) => {
    await page.keyboard.press('t');
    await page.fill('input[name="from"]', from);
    await page.fill('input[name="to"]', to);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
  };
  await page.keyboard.press('t');
  await page.getByRole('button', { name: '15m', exact: true }).click();
  assert.equal(addressQuery(page).get('from'), '-15m');
  await show('-90s', 'now');
  assert.equal(addressQuery(page).get('from'), '-90s');
  assert.equal(await liveText(page), 'Live');
  await show('2026-03-29 02:30', 'now');
  assert.match(await page.locator('.complaint').textContent(), /does not exist/);
  await page.keyboard.press('Escape');
  await show('someday', 'now');
  assert.match(await page.locator('.complaint').textContent(), /"someday"/);
  await page.keyboard.press('Escape');
  await show('2026-11-30 08:00', '2026-11-30 09:00');
  assert.equal(addressQuery(page).get('from'), '2026-11-30T07:00:00Z', 'typed in the clock of Berlin');
  assert.equal(await liveText(page), 'Paused');
  await close();
});

test('T-T05 one clock for axis, picker and table, chosen in the picker and kept in the address', async () => {
  const { page, close } = await open('/?from=2026-11-30T07:00:00Z&to=2026-11-30T08:00:00Z&tz=Asia/Kathmandu').catch(async () => {
    const opened = await newPage(browser);
    await opened.page.goto(`${server.url}/?from=2026-11-30T07:00:00Z&to=2026-11-30T08:00:00Z&tz=Asia/Kathmandu`);
    await opened.page.waitForTimeout(1500);
    return opened;
  });
  assert.match(await page.locator('.range-button').innerText(), /2026-11-30 12:45 – 13:45/);
  await page.keyboard.press('t');
  await page.locator('.picker-panel select').selectOption('UTC');
  assert.equal(addressQuery(page).get('tz'), 'UTC');
  assert.match(await page.locator('.range-button').innerText(), /2026-11-30 07:00 – 08:00/);
  await close();
});

test('keys move the cursor by samples and pin it', async () => {
  const { page, close } = await open();
  await page.keyboard.press(' ');
  await page.waitForTimeout(1000);
  await page.locator('#memory .plot-host').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await until(async () => /at \d/.test(await page.locator('.processes .when').textContent()), 'processes at the cursor');
  const one = await page.locator('.processes .when').textContent();
  await page.keyboard.press('Shift+ArrowLeft');
  await until(async () => (await page.locator('.processes .when').textContent()) !== one, 'another second');
  await page.keyboard.press('Enter');
  assert.notEqual(addressQuery(page).get('at'), null);
  await until(async () => /used/.test(await page.locator('#app > [aria-live="polite"]').textContent()), 'the values are spoken');
  await page.locator('#memory .plot-host').blur();
  await page.keyboard.press('Escape');
  assert.equal(addressQuery(page).get('at'), null, 'Esc unpins first');
  await close();
});
