// Newest values as they come: one EventSource, polling where the stream stays silent, and patience when the server is
// gone. Nothing here knows charts; it only calls its handlers.
import { ProblemError, fetchLatest, streamUrl } from './client';
import type { Gap, Mark, StreamSample } from './types';

export type LinkState =
  | { kind: 'connecting' }
  | { kind: 'streaming' }
  | { kind: 'polling' }
  | { kind: 'lost'; since: number; retryAt: number }; // milliseconds of this browser's clock

export interface LiveHandlers {
  sample(sample: StreamSample, units: Map<string, string>): void;
  gap(gap: Gap): void;
  mark(mark: Mark): void;
  /** Samples may have been missed: ask for the window again. */
  stale(): void;
  state(state: LinkState): void;
}

const SILENCE_MS = 5000;
const POLL_MS = 1000;
const RETRY_MS = [1000, 2000, 4000, 8000];
const STREAM_RETRY_MS = 15000;
const REFUSED_RETRY_MS = 5000;

export class LiveSource {
  private stream: EventSource | undefined;
  private units = new Map<string, string>();
  private watchdog: ReturnType<typeof setInterval> | undefined;
  private nextPoll: ReturnType<typeof setTimeout> | undefined;
  private polling: AbortController | undefined;
  private lastBytes = 0;
  private spacing = 1000; // between samples, as seen
  private lastSample = 0;
  private streamRetryAt = 0;
  private failures = 0;
  private lostSince = 0;
  private current: LinkState = { kind: 'connecting' };

  constructor(private series: readonly string[], private readonly handlers: LiveHandlers) {}

  start(): void {
    this.lastBytes = performance.now();
    this.openStream();
    this.watchdog = setInterval(() => this.watch(), 500);
  }

  stop(): void {
    clearInterval(this.watchdog);
    this.closeStream();
    this.stopPolling();
  }

  /** Goes on with a list that the server is known to understand, without losing the state of the link. */
  follow(series: readonly string[]): void {
    const same = series.join('\n') === this.series.join('\n');
    if (same && (this.stream || this.current.kind === 'lost' || series.length === 0)) return;
    this.series = series;
    this.closeStream();
    this.stopPolling();
    if (series.length === 0) return;
    this.lastBytes = performance.now();
    this.openStream();
  }

  retryNow(): void {
    this.streamRetryAt = 0;
    this.poll();
  }

  private openStream(): void {
    if (this.series.length === 0) return;
    const stream = new EventSource(streamUrl(this.series));
    this.stream = stream;
    const on = <T>(name: string, act: (body: T) => void) =>
      stream.addEventListener(name, (event) => {
        if (this.stream !== stream) return;
        this.heard();
        let body: T;
        try {
          body = JSON.parse((event as MessageEvent<string>).data || 'null') as T;
        } catch {
          return;
        }
        act(body);
      });
    on<{ columns?: { path: string; unit: string }[] } | null>('hello', (hello) => {
      this.units = new Map((hello?.columns ?? []).map((column) => [column.path, column.unit]));
      this.onStreaming();
    });
    on<StreamSample>('sample', (sample) => {
      this.onStreaming();
      this.deliver(sample);
    });
    on<Gap>('gap', (gap) => this.handlers.gap(gap));
    on<Mark>('mark', (mark) => this.handlers.mark(mark));
    on<unknown>('reset', () => this.handlers.stale());
    on<unknown>('lagged', () => {
      this.handlers.stale();
      this.reopenSoon(POLL_MS);
    });
    stream.onerror = () => {
      if (this.stream === stream) this.reopenSoon(this.current.kind === 'streaming' ? POLL_MS : STREAM_RETRY_MS);
    };
  }

  private closeStream(): void {
    this.stream?.close();
    this.stream = undefined;
  }

  /** The stream broke: values by polling, and another stream after a while or as soon as the server is back. */
  private reopenSoon(delay: number): void {
    this.closeStream();
    this.streamRetryAt = performance.now() + delay;
    this.startPolling();
  }

  private heard(): void {
    this.lastBytes = performance.now();
  }

  private onStreaming(): void {
    this.stopPolling();
    const back = this.current.kind === 'lost';
    this.failures = 0;
    if (this.current.kind !== 'streaming') this.change({ kind: 'streaming' });
    if (back) this.handlers.stale();
  }

  private deliver(sample: StreamSample): void {
    if (this.lastSample > 0 && sample.t > this.lastSample) {
      this.spacing = Math.min(60_000, (sample.t - this.lastSample) * 1000);
    }
    this.lastSample = sample.t;
    this.handlers.sample(sample, this.units);
  }

  private watch(): void {
    const now = performance.now();
    if (this.stream && now - this.lastBytes > Math.max(SILENCE_MS, 3 * this.spacing)) this.startPolling();
    if (!this.stream && this.series.length > 0 && this.current.kind === 'polling' && now > this.streamRetryAt) {
      this.streamRetryAt = now + STREAM_RETRY_MS;
      this.openStream();
    }
  }

  private startPolling(): void {
    if (this.nextPoll === undefined && this.polling === undefined) this.poll();
  }

  private stopPolling(): void {
    clearTimeout(this.nextPoll);
    this.nextPoll = undefined;
    this.polling?.abort();
    this.polling = undefined;
  }

  private poll(): void {
    this.stopPolling();
    const request = new AbortController();
    this.polling = request;
    const patience = setTimeout(() => request.abort(), 10_000);
    fetchLatest(this.series, request.signal).then(
      (latest) => {
        if (this.polling !== request) return;
        this.onPolled(latest.time, latest.series);
      },
      (error: unknown) => {
        if (this.polling === request) this.onPollFailed(error);
      },
    ).finally(() => clearTimeout(patience));
  }

  private onPolled(time: number | null, series: readonly { path: string; value: number | null; unit: string }[]): void {
    this.polling = undefined;
    this.failures = 0;
    const back = this.current.kind === 'lost';
    if (this.current.kind !== 'polling') this.change({ kind: 'polling' });
    if (back) {
      this.handlers.stale();
      this.streamRetryAt = 0;
    }
    if (time !== null && time > this.lastSample) {
      this.units = new Map(series.map((one) => [one.path, one.unit]));
      this.deliver({ t: time, v: Object.fromEntries(series.map((one) => [one.path, one.value])) });
    }
    this.nextPoll = setTimeout(() => this.poll(), POLL_MS);
  }

  private onPollFailed(error: unknown): void {
    this.polling = undefined;
    const problem = error instanceof ProblemError ? error.problem : { title: 'unreachable', status: 0 };
    if (problem.status >= 400) {
      // It answers, so it is there; 503 means that it has only just begun or is busy.
      this.nextPoll = setTimeout(() => this.poll(), problem.status === 503 ? POLL_MS : REFUSED_RETRY_MS);
      return;
    }
    this.closeStream();
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)]!;
    this.failures += 1;
    if (this.current.kind !== 'lost') this.lostSince = Date.now();
    this.change({ kind: 'lost', since: this.lostSince, retryAt: Date.now() + wait });
    this.nextPoll = setTimeout(() => this.poll(), wait);
  }

  private change(state: LinkState): void {
    this.current = state;
    this.handlers.state(state);
  }
}
