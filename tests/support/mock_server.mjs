// Stands in for the program in browser tests: serves web/dist and a made-up machine, and can be told to misbehave.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MACHINE, expand, processesAt, valueOf } from './mock_machine.mjs';

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.txt': 'text/plain; charset=utf-8' };
const CSP = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18000, 36000, 86400];

const nowSeconds = () => Date.now() / 1000;

function moment(text, now) {
  if (text === 'now') return now;
  const match = /^(?:now)?([+-])(\d+)(s|m|h|d)?$/.exec(text);
  if (match) return now + (match[1] === '-' ? -1 : 1) * Number(match[2]) * { s: 1, m: 60, h: 3600, d: 86400 }[match[3] ?? 's'];
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}

export class MockServer {
  requests = []; // every request's path and query, in order
  streams = new Set();
  behaviour = {
    silentStream: false, // accepts the stream and never sends a byte
    refusedObjects: [], // unknown here, although the machine has them
    gaps: [], // { from, to, reason }
    marks: [],
    warnings: [],
    startedAt: nowSeconds() - 3 * 86400, // no values before
    stopAt: Infinity, // no values after
  };

  async start(port = 0) {
    this.server = createServer((request, response) => void this.handle(request, response));
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    this.ticker = setInterval(() => this.tick(), 250);
    return this;
  }

  async stop() {
    clearInterval(this.ticker);
    for (const stream of this.streams) stream.response.destroy();
    this.streams.clear();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  count(prefix) {
    return this.requests.filter((request) => request.startsWith(prefix)).length;
  }

  async handle(request, response) {
    const url = new URL(request.url, 'http://mock');
    this.requests.push(request.url);
    response.setHeader('content-security-policy', CSP);
    try {
      if (!url.pathname.startsWith('/api/v1')) return await this.file(url.pathname, response);
      const answer = this.answer(url, request, response);
      if (answer === undefined) return undefined;
      response.setHeader('content-type', answer.status >= 400 ? 'application/problem+json' : 'application/json');
      response.statusCode = answer.status ?? 200;
      return response.end(JSON.stringify(answer));
    } catch (error) {
      response.statusCode = 500;
      return response.end(String(error.stack));
    }
  }

  async file(path, response) {
    const known = extname(path) !== '' ? normalize(path) : '/index.html';
    try {
      const body = await readFile(join(DIST, known));
      response.setHeader('content-type', TYPES[extname(known)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end('not found');
    }
  }

  answer(url, request, response) {
    const part = url.pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
    const query = url.searchParams;
    switch (part[0]) {
      case 'status': return this.status();
      case 'objects': return this.objects(part[1], part[2]);
      case 'latest': return this.withSeries(query, (series) => this.latest(series));
      case 'query': return this.withSeries(query, (series) => this.query(series, query));
      case 'stream': return this.withSeries(query, (series) => this.stream(series, request, response));
      case 'processes': {
        const at = query.get('at') ? moment(query.get('at'), nowSeconds()) : Math.floor(nowSeconds());
        return { time: Math.floor(at), items: processesAt(Math.floor(at), Number(query.get('limit') ?? 20)) };
      }
      case 'marks': return { marks: this.behaviour.marks };
      default: return { title: 'Not found', status: 404, detail: `There is no ${url.pathname}.`, fix: 'See /api/v1 for what there is.' };
    }
  }

  withSeries(query, work) {
    const series = [];
    for (const pattern of query.getAll('series')) {
      const refused = this.behaviour.refusedObjects.includes(pattern.split(/[(/]/)[0]);
      const found = refused ? `There is no object '${pattern.split(/[(/]/)[0]}'.` : expand(pattern);
      if (typeof found === 'string') {
        return { type: '/problems/unknown-series', title: 'Unknown counter', status: 404, detail: found, fix: 'GET /api/v1/objects lists what there is.' };
      }
      series.push(...found.filter((one) => !series.some((other) => other.path === one.path)));
    }
    return work(series);
  }

  has(t) {
    return t >= this.behaviour.startedAt && t <= this.behaviour.stopAt && !this.behaviour.gaps.some((gap) => t >= gap.from && t < gap.to);
  }

  cell(one, t) {
    return this.has(t) ? valueOf(one.object, one.instance, one.counter, t) : null;
  }

  latest(series) {
    const time = Math.min(Math.floor(nowSeconds()), this.behaviour.stopAt);
    return { time, series: series.map((one) => ({ path: one.path, unit: one.unit, time, value: this.cell(one, time) })) };
  }

  query(series, query) {
    const now = nowSeconds();
    const from = moment(query.get('from') ?? '-1h', now);
    const to = moment(query.get('to') ?? 'now', now);
    const asked = query.get('step') ? Number.parseInt(query.get('step'), 10) : undefined;
    const step = asked ?? STEPS.find((size) => Math.ceil(to / size) - Math.floor(from / size) <= Number(query.get('points') ?? 1000)) ?? 86400;
    const time = [];
    for (let t = Math.floor(from / step) * step; t < to; t += step) time.push(t);
    const columns = series.map((one) => {
      const column = { ...one, avg: [], min: [], max: [] };
      for (const t of time) {
        const cells = [];
        const stride = Math.max(1, Math.floor(step / 12));
        for (let s = t; s < Math.min(t + step, now); s += stride) cells.push(this.cell(one, s));
        const present = cells.filter((cell) => cell !== null);
        column.avg.push(present.length ? present.reduce((a, b) => a + b, 0) / present.length : null);
        column.min.push(present.length ? Math.min(...present) : null);
        column.max.push(present.length ? Math.max(...present) : null);
      }
      return column;
    });
    return { from, to, step, tz: 'UTC', tier: step >= 60 ? '1m' : '1s', time, series: columns, gaps: this.gaps(from, to), warnings: [] };
  }

  gaps(from, to) {
    const { startedAt, gaps } = this.behaviour;
    const all = startedAt > from ? [{ from, to: Math.min(startedAt, to), reason: 'Countertop was not running' }, ...gaps] : gaps;
    return all.filter((gap) => gap.to > from && gap.from < to).map((gap) => ({ ...gap, from: Math.max(gap.from, from), to: Math.min(gap.to, to) }));
  }

  stream(series, request, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    const stream = { series, response, last: Math.floor(nowSeconds()) };
    this.streams.add(stream);
    request.on('close', () => this.streams.delete(stream));
    if (!this.behaviour.silentStream) {
      const columns = series.map((one) => ({ path: one.path, unit: one.unit }));
      response.write(`retry: 3000\nevent: hello\ndata: ${JSON.stringify({ columns })}\n\n`);
    }
    return undefined;
  }

  tick() {
    const t = Math.floor(nowSeconds());
    if (this.behaviour.silentStream || t > this.behaviour.stopAt) return;
    for (const stream of this.streams) {
      if (stream.last >= t) continue;
      stream.last = t;
      const v = Object.fromEntries(stream.series.map((one) => [one.path, this.cell(one, t)]));
      stream.response.write(`id: ${t}.000\nevent: sample\ndata: ${JSON.stringify({ t, v })}\n\n`);
    }
  }

  send(event, body) {
    for (const stream of this.streams) stream.response.write(`event: ${event}\ndata: ${JSON.stringify(body)}\n\n`);
  }

  objects(name, sub) {
    if (name === undefined) {
      return {
        objects: Object.entries(MACHINE).map(([object, { help, instances, counters }]) => ({
          name: object, help, instances: instances?.length ?? 1, counters: Object.keys(counters).length,
        })),
      };
    }
    const object = MACHINE[name];
    if (!object) return { title: 'Unknown object', status: 404, detail: `There is no object '${name}'.` };
    if (sub === 'instances') {
      return { instances: (object.instances ?? ['']).map((one) => ({ name: one, first: this.behaviour.startedAt, last: Math.floor(nowSeconds()) })) };
    }
    return {
      name, help: object.help, instanced: object.instances !== undefined,
      counters: Object.entries(object.counters).map(([counter, { help, unit, type }]) => ({ name: counter, help, unit, type })),
    };
  }

  status() {
    return {
      version: '0.1.0', host: 'workstation', zone: 'Europe/Berlin',
      collectors: [
        { name: 'machine', state: 'running', reason: '', duration_ms: 0.61, failures: 0 },
        { name: 'process', state: 'running', reason: 'read and written bytes of 212 processes of other users cannot be read', duration_ms: 1.84, failures: 0 },
        { name: 'temperature', state: 'unavailable', reason: 'this machine has no sensors in /sys/class/hwmon', duration_ms: null, failures: 0 },
        { name: 'power', state: 'failing', reason: '/sys/class/powercap: permission denied', duration_ms: 0.02, failures: 41 },
      ],
      store: { bytes: 412e6, max_bytes: 2 ** 31, wal_bytes: 4.1e6, oldest: this.behaviour.startedAt, bytes_per_day: 58e6, days_left: 29.9 },
      self: { cpu_percent: 0.31, resident_bytes: 17.4 * 2 ** 20, written_bytes_per_day: 410e6, tick_lateness_ms: 0.4, queue_length: 0, dropped_samples: 0, uptime_s: 259200 },
      missing_rights: [{ what: "Other users' disk I/O", why: '/proc/PID/io of other users can only be read with CAP_SYS_PTRACE.', command: 'sudo setcap cap_sys_ptrace,cap_dac_read_search+ep ./countertop' }],
      warnings: this.behaviour.warnings,
    };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mock = await new MockServer().start(Number(process.argv[2] ?? 0));
  console.log(mock.url);
}
