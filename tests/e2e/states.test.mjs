// States that are hard to provoke on the real program: these run on the made-up machine only.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { MockServer } from '../support/mock_server.mjs';
import { PROGRAM, launchBrowser, newPage, until } from './browser.mjs';
import { addressQuery, columnOfPixels, drawn, liveText, plotBox } from './page.mjs';

const only = { skip: PROGRAM ? 'the real program cannot be told to misbehave' : false };
let browser;
let server;
before(async () => {
  if (!PROGRAM) browser = await launchBrowser();
});
after(async () => browser?.close());
beforeEach(async () => {
  if (!PROGRAM) server = await new MockServer().start();
});
afterEach(async () => server?.stop());

test('T-U11 a stream without bytes is replaced by polling after five seconds', only, async () => {
  server.behaviour.silentStream = true;
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  await until(() => server.count('/api/v1/latest') >= 3, 'polling', 9000);
  assert.match(await page.locator('.age').textContent(), /asking once a second/);
  const window = await page.locator('.strip-window').textContent();
  await until(async () => (await page.locator('.strip-window').textContent()) !== window, 'the charts go on', 4000);
  assert.equal(await liveText(page), 'Live');
  await close();
});

test('the server goes: the picture stays and says since when; it comes back: one request catches up', only, async () => {
  const { page, trouble, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  const { port } = server;
  await page.waitForTimeout(1500);
  await server.stop();
  const banner = page.locator('.banner.lost');
  await banner.waitFor({ timeout: 8000 });
  assert.match(await banner.textContent(), /Server not reachable since \d\d:\d\d:\d\d.*Retrying/);
  await page.waitForTimeout(2000);
  assert.ok((await columnOfPixels(page, 'cpu', 0.5)).coloured > 0.02, 'the last picture stays');
  server = new MockServer();
  await server.start(port);
  await until(async () => (await banner.count()) === 0, 'the banner goes', 15000);
  await until(() => server.count('/api/v1/query') >= 1, 'the window is asked for again');
  await page.waitForTimeout(2500);
  assert.equal(server.count('/api/v1/query'), 1, 'in one request');
  const window = await page.locator('.strip-window').textContent();
  await until(async () => (await page.locator('.strip-window').textContent()) !== window, 'live again');
  assert.deepEqual(trouble, []);
  await close();
});

test('T-U12 a gap is hatched with its reason and has no line in it', only, async () => {
  const now = Math.floor(Date.now() / 1000);
  server.behaviour.gaps = [{ from: now - 400, to: now - 200, reason: 'the computer was asleep' }];
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/?from=${now - 600}&to=${now}`);
  await drawn(page, 'memory');
  for (const id of ['memory', 'cpu', 'network']) {
    const inside = await columnOfPixels(page, id, 0.42);
    const outside = await columnOfPixels(page, id, 0.15);
    assert.ok(outside.coloured > 0.005, `${id} has a line before the gap: ${outside.coloured}`);
    assert.equal(inside.coloured, 0, `${id} has none within`);
    assert.ok(inside.inked > 0.02, `${id} is hatched: ${inside.inked}`);
  }
  const box = await plotBox(page, 'memory');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.locator('#memory .tooltip').waitFor();
  assert.match(await page.locator('#memory .tooltip').textContent(), /No data: the computer was asleep/);
  assert.match(await page.locator('#memory .legend-value').first().textContent(), /–/, 'no value, not zero');
  await close();
});

test('an object that this machine lacks spoils its own chart only, with detail and fix', only, async () => {
  server.behaviour.refusedObjects = ['pressure'];
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  await drawn(page, 'network');
  const problem = page.locator('#pressure .problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /There is no object 'pressure'.*What helps/s);
  const window = await page.locator('.strip-window').textContent();
  await until(async () => (await page.locator('.strip-window').textContent()) !== window, 'the others go on live');
  await until(() => [...server.streams].some((stream) => stream.series.every((one) => one.object !== 'pressure')), 'a stream without it', 5000);
  await close();
});

test('an empty window says why and leads to data', only, async () => {
  server.behaviour.startedAt = Math.floor(Date.now() / 1000) - 600;
  const { page, close } = await newPage(browser);
  const from = server.behaviour.startedAt - 7200;
  await page.goto(`${server.url}/?from=${from}&to=${from + 3600}`);
  const empty = page.locator('#cpu .empty');
  await until(async () => /Countertop was not running/.test(await empty.textContent().catch(() => '')), 'the reason');
  await until(async () => /History begins at/.test(await empty.textContent()), 'where data is');
  await empty.getByRole('button', { name: 'Go there' }).click();
  await drawn(page, 'cpu');
  assert.equal(Date.parse(addressQuery(page).get('from')) / 1000, server.behaviour.startedAt);
  await close();
});

test('names of processes and instances are text, whatever they hold', only, async () => {
  const { page, trouble, close } = await newPage(browser);
  await page.goto(server.url);
  await until(async () => (await page.locator('.processes').textContent()).includes('<img src=x'), 'the hostile name as text');
  await page.goto(`${server.url}/counters?series=${encodeURIComponent('process(<img src=x onerror=alert(1)>:99@1764500600)/cpu')}`);
  await until(async () => (await page.locator('.legend-name').allTextContents()).some((name) => name.includes('<img src=x')), 'charted under its name');
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(trouble, []);
  await close();
});

test('marks stand in one strip for all charts, and the stream adds new ones', only, async () => {
  const now = Math.floor(Date.now() / 1000);
  server.behaviour.marks = [{ id: 1, time: now - 120, kind: 'reboot', text: 'the machine was started anew' }];
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await until(async () => (await page.locator('.mark').count()) === 1, 'a mark');
  assert.match(await page.locator('.mark').getAttribute('aria-label'), /Restart of the machine: the machine was started anew/);
  server.send('mark', { id: 2, time: now - 5, kind: 'note', text: 'deployed' });
  await until(async () => (await page.locator('.mark').count()) === 2, 'the new mark');
  await page.locator('.mark').first().click();
  assert.equal(Date.parse(addressQuery(page).get('at')) / 1000, now - 120);
  await close();
});

test('a warning of the program stands on every page', only, async () => {
  server.behaviour.warnings = ['The disk is full: nothing is stored since 03:12.'];
  const { page, close } = await newPage(browser);
  for (const path of ['/', '/counters', '/status']) {
    await page.goto(server.url + path);
    await until(async () => /The disk is full/.test(await page.locator('.banners').textContent()), path);
  }
  await close();
});

test('a page in the background holds no stream for long and catches up in one request', only, async () => {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await drawn(page, 'cpu');
  const visibility = (state) => page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
  await visibility('hidden');
  const window = await page.locator('.strip-window').textContent();
  await page.waitForTimeout(2500);
  assert.equal(await page.locator('.strip-window').textContent(), window, 'nothing is drawn');
  await until(() => server.streams.size === 0, 'the stream is closed', 12000);
  const before = server.count('/api/v1/query');
  await visibility('visible');
  await until(() => server.streams.size === 1, 'one stream again');
  await page.waitForTimeout(1200);
  assert.equal(server.count('/api/v1/query') - before, 1);
  await close();
});

test('T-U01 thousands of live ticks leave the heap as it was, and one tick costs little', only, async () => {
  const { page, close } = await newPage(browser);
  await page.goto(`${server.url}/?from=-5m&to=now`);
  await drawn(page, 'cpu');
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('Performance.enable');
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((one) => one.name === 'JSHeapUsedSize').value;
  };
  const script = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((one) => one.name === 'ScriptDuration').value;
  };
  const [stream] = server.streams;
  let t = Math.floor(Date.now() / 1000) + 1;
  const push = async (count) => {
    for (let index = 0; index < count; index += 1, t += 1) {
      const v = Object.fromEntries(stream.series.map((one) => [one.path, server.cell(one, t)]));
      stream.response.write(`event: sample\ndata: ${JSON.stringify({ t, v })}\n\n`);
      if (index % 20 === 0) await page.waitForTimeout(60);
    }
    await page.waitForTimeout(400);
  };
  await push(600);
  const before = await heap();
  const scriptBefore = await script();
  await push(1800);
  const cost = ((await script()) - scriptBefore) / 1800;
  const after = await heap();
  assert.ok(after < before * 1.1, `${before} -> ${after} bytes`);
  console.log(`heap ${(before / 1e6).toFixed(1)} -> ${(after / 1e6).toFixed(1)} MB, script ${(cost * 1000).toFixed(2)} ms a tick with six charts`);
  assert.ok(cost < 0.016, `${(cost * 1000).toFixed(2)} ms a tick`);
  await close();
});
