// The data behind the charts of one page: one query for the window, then the stream. One of it is alive at a time.
import { batch, effect, signal, untracked } from '@preact/signals';
import { ProblemError, fetchMarks, fetchQuery } from '../api/client';
import { LiveSource } from '../api/live_source';
import type { Mark, Problem, QueryAnswer } from '../api/types';
import { isLive, relativeSeconds, resolveRange, stepFor, type Moments, type Range } from '../time/range';
import { text } from '../text';
import { holding } from './cursor';
import { Frame, mergeAnswers } from './frame';
import { learnClock, link, noteSample, retry, serverNow } from './link';
import { view, zone } from './view';

/** Series of one chart, asked for together with all others and, where that fails, alone. */
export interface Group {
  id: string;
  series: readonly string[];
}

const ERROR_RETRY_MS = 3000;
const REFUSED_RETRY_MS = [1000, 2000, 5000, 30_000];
const HIDDEN_GRACE_MS = 10_000;
const HOLE_PATIENCE_MS = 1500;

/** Buckets a chart gets: no more than it has pixels to show. */
const bucketsWanted = (): number => (innerWidth < 700 ? 360 : 720);

export class Feed {
  readonly frame = signal<Frame | undefined>(undefined);
  /** Counts changes of the frame, which is changed in place. */
  readonly revision = signal(0);
  readonly problems = signal<ReadonlyMap<string, Problem>>(new Map());
  readonly loading = signal(false);
  readonly window = signal<Moments>({ from: 0, to: 1 });
  readonly marks = signal<readonly Mark[]>([]);

  private source: LiveSource | undefined;
  private request: AbortController | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private loadedFor = '';
  private waiting = false; // changes arrived while something held the picture
  private refusals = 0;
  private newest = 0; // time of the newest sample of the stream
  private spacing = 1; // seconds between the newest two
  private loadedAt = -HOLE_PATIENCE_MS;
  private stops: (() => void)[] = [];

  constructor(private groups: readonly Group[]) {}

  start(): void {
    this.stops.push(
      effect(() => {
        const { range } = view.value;
        const key = `${range.from} ${range.to}`;
        if (key !== this.loadedFor) untracked(() => this.open(range, key));
      }),
      effect(() => {
        if (!holding.value && this.waiting) untracked(() => this.publish());
      }),
    );
    const onVisible = () => this.onVisibility();
    document.addEventListener('visibilitychange', onVisible);
    this.stops.push(() => document.removeEventListener('visibilitychange', onVisible));
    retry.value = () => this.retryNow();
  }

  stop(): void {
    for (const stop of this.stops.splice(0)) stop();
    clearTimeout(this.hiddenTimer);
    clearTimeout(this.retryTimer);
    this.request?.abort();
    this.closeSource();
    this.loadedFor = '';
    retry.value = undefined;
  }

  /** Goes on with other series in the same window. */
  setGroups(groups: readonly Group[]): void {
    const list = (some: readonly Group[]) => some.map((group) => group.series.join('\n')).join('\n');
    const changed = list(groups) !== list(this.groups);
    this.groups = groups;
    if (!changed || this.stops.length === 0) return;
    this.source?.follow(this.allSeries());
    if (isLive(view.value.range)) this.openSource();
    void this.load();
  }

  reload(): void {
    void this.load();
  }

  private retryNow(): void {
    if (this.source) this.source.retryNow();
    else void this.load();
  }

  private allSeries(): string[] {
    const problems = this.problems.value;
    return [...new Set(this.groups.filter((group) => !problems.has(group.id)).flatMap((group) => group.series))];
  }

  private open(range: Range, key: string): void {
    this.loadedFor = key;
    this.closeSource();
    this.problems.value = new Map();
    const guess = resolveRange(range, serverNow(), zone.value);
    if (guess) this.window.value = guess;
    if (isLive(range)) this.openSource();
    void this.load();
  }

  /** Query and stream are asked for at the same time: the first value waits for neither. */
  private openSource(): void {
    if (this.source || this.allSeries().length === 0) return;
    this.source = new LiveSource(this.allSeries(), {
      sample: (sample, units) => {
        noteSample(sample.t);
        this.fillHoleBefore(sample.t);
        const frame = this.frame.value;
        if (frame?.append(sample.t, sample.v, text.chart.noSamplesArrived, units)) this.changed();
      },
      gap: (gap) => {
        this.frame.value?.addGap(gap);
        this.changed();
      },
      mark: (mark) => (this.marks.value = [...this.marks.value.filter((one) => one.id !== mark.id), mark]),
      stale: () => void this.load(),
      state: (state) => (link.value = state),
    });
    this.source.start();
  }

  /**
   * Samples are missing between what is shown and this one, perhaps because the stream began late: the server may have
   * them, or know why there are none.
   */
  private fillHoleBefore(time: number): void {
    const frame = this.frame.value;
    const before = Math.max(this.newest, frame?.to ?? 0);
    const usual = Math.max(1, this.spacing);
    if (this.newest > 0 && time > this.newest) this.spacing = time - this.newest;
    this.newest = Math.max(this.newest, time);
    if (!frame || this.loading.value || time - before < 2.5 * usual) return;
    if (performance.now() - this.loadedAt < HOLE_PATIENCE_MS) return;
    void this.load();
  }

  private closeSource(): void {
    this.source?.stop();
    this.source = undefined;
  }

  private async load(): Promise<void> {
    this.request?.abort();
    clearTimeout(this.retryTimer);
    if (this.groups.length === 0) {
      this.frame.value = undefined;
      this.revision.value += 1;
      return;
    }
    const request = new AbortController();
    this.request = request;
    this.loading.value = true;
    const { range } = view.value;
    try {
      const answer = await this.ask(range, request.signal);
      if (request.signal.aborted) return;
      if (answer) this.take(answer, range);
      this.source?.follow(this.allSeries());
      this.askAgainForRefused(range);
      this.loadMarks(range, request.signal);
    } catch (error) {
      if (request.signal.aborted) return;
      this.onUnreachable();
    }
    this.loading.value = false;
  }

  /** All groups in one request; when the server refuses it, each alone, so that one bad series spoils one chart. */
  private async ask(range: Range, signal: AbortSignal): Promise<QueryAnswer | undefined> {
    const span = this.spanOf(range);
    const fine = stepFor(span, bucketsWanted());
    const resolution = fine <= 1 ? { step: '1s' } : { points: bucketsWanted() };
    const askFor = (series: readonly string[]) => fetchQuery({ series: [...new Set(series)], ...range, ...resolution }, signal);
    try {
      const answer = await askFor(this.groups.flatMap((group) => group.series));
      this.problems.value = new Map();
      return answer;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.unreachable || error.problem.status === 503) throw error;
      if (this.groups.length === 1) {
        this.problems.value = new Map([[this.groups[0]!.id, error.problem]]);
        return undefined;
      }
    }
    const problems = new Map<string, Problem>();
    const answers = await Promise.all(this.groups.map(async (group) => {
      try {
        return await askFor(group.series);
      } catch (error) {
        if (!(error instanceof ProblemError) || error.unreachable) throw error;
        problems.set(group.id, error.problem);
        return undefined;
      }
    }));
    this.problems.value = problems;
    return mergeAnswers(answers.filter((answer) => answer !== undefined));
  }

  /** What is refused now may be there soon: a program that has just started knows no objects yet. */
  private askAgainForRefused(range: Range): void {
    if (this.problems.value.size === 0 || !isLive(range)) {
      this.refusals = 0;
      return;
    }
    const wait = REFUSED_RETRY_MS[Math.min(this.refusals, REFUSED_RETRY_MS.length - 1)]!;
    this.refusals += 1;
    this.retryTimer = setTimeout(() => void this.load(), wait);
  }

  private spanOf(range: Range): number {
    const from = relativeSeconds(range.from);
    if (from !== undefined && range.to === 'now') return -from;
    const window = resolveRange(range, serverNow(), zone.value);
    return window ? window.to - window.from : 300;
  }

  private take(answer: QueryAnswer, range: Range): void {
    if (isLive(range)) learnClock(answer.to);
    this.loadedAt = performance.now();
    const frame = new Frame(answer);
    const newest = Math.max(...[...frame.columns.values()].map((column) => column.lastTime ?? 0), 0);
    if (isLive(range) && newest > 0) noteSample(newest);
    batch(() => {
      this.frame.value = frame;
      this.changed();
    });
  }

  private onUnreachable(): void {
    // With a live source its own patience does the asking; a still window asks by itself until it has its picture.
    if (this.source) {
      this.source.retryNow();
      this.retryTimer = setTimeout(() => void this.load(), ERROR_RETRY_MS);
      return;
    }
    const since = link.value.kind === 'lost' ? link.value.since : Date.now();
    link.value = { kind: 'lost', since, retryAt: Date.now() + ERROR_RETRY_MS };
    this.retryTimer = setTimeout(() => void this.load().then(() => this.stillReachable()), ERROR_RETRY_MS);
  }

  private stillReachable(): void {
    if (!this.source && this.frame.value && !this.request?.signal.aborted) link.value = { kind: 'connecting' };
  }

  private loadMarks(range: Range, signal: AbortSignal): void {
    fetchMarks(range.from, range.to, signal).then(
      (marks) => (this.marks.value = marks),
      () => undefined, // charts stand without marks; a server that is gone is reported by the link
    );
  }

  private changed(): void {
    if (holding.value || document.hidden) {
      this.waiting = true;
      return;
    }
    this.publish();
  }

  private publish(): void {
    this.waiting = false;
    batch(() => {
      this.moveWindow();
      this.revision.value += 1;
    });
  }

  private moveWindow(): void {
    const frame = this.frame.value;
    const { range } = view.value;
    if (!frame) return;
    if (!isLive(range)) {
      this.window.value = { from: frame.from, to: frame.to };
      return;
    }
    const span = -(relativeSeconds(range.from) ?? -300);
    const edge = Math.max(frame.lastTime ?? frame.to, frame.to - frame.step);
    this.window.value = { from: edge - span, to: edge };
    frame.trim(edge - span);
  }

  /** A page in the background draws nothing and holds no stream; on return one request brings everything. */
  private onVisibility(): void {
    clearTimeout(this.hiddenTimer);
    if (document.hidden) {
      this.hiddenTimer = setTimeout(() => this.closeSource(), HIDDEN_GRACE_MS);
    } else if (isLive(view.value.range)) {
      if (!this.source) {
        this.openSource();
        void this.load();
      } else if (this.waiting) {
        this.publish();
      }
    }
  }
}
