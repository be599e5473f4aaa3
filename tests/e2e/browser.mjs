// Chromium for browser tests, and the server they look at: the real program or the made-up machine.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockServer } from '../support/mock_server.mjs';

// The tools are among the page's development packages: one installation serves both.
const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;

export const PROGRAM = process.env.COUNTERTOP_PROGRAM ?? '';

export async function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page that collects what goes wrong in it and every request that it makes. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  const trouble = [];
  const requests = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text())) trouble.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => requests.push(request.url()));
  return { page, trouble, requests, close: () => context.close() };
}

const freePort = () => new Promise((resolve, reject) => {
  const probe = createServer();
  probe.once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});

/** The program itself on a free port, with data of its own. */
export async function startProgram() {
  const data = await mkdtemp(join(tmpdir(), 'countertop-e2e-'));
  const port = await freePort();
  // Without settings of whoever runs the tests.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERTOP_')));
  const child = spawn(PROGRAM, ['serve', '--listen', `127.0.0.1:${port}`, '--data', data], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  const begun = Date.now();
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}:\n${output}`);
    try {
      if ((await fetch(`${url}/healthz`)).ok) break;
    } catch {
      // not listening yet
    }
    if (Date.now() - begun > 15000) throw new Error(`the program does not answer:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    port,
    real: true,
    begun,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** What tests that hold everywhere look at. */
export const startServer = async () => (PROGRAM ? startProgram() : new MockServer().start());

export const until = async (condition, message, patience = 20000) => {
  const begun = Date.now();
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() - begun > patience) throw new Error(`not within ${patience} ms: ${message}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
