// Top processes of the second that is being looked at: the cursor's, the pinned one, else the newest.
import { effect, signal, untracked } from '@preact/signals';
import { ProblemError, fetchProcesses } from '../api/client';
import type { Problem, ProcessTable } from '../api/types';
import { isoUtc } from '../time/time_format';
import { moment } from './cursor';
import type { Feed } from './feed';
import { heartbeat, link } from './link';
import { live } from './view';

const LIVE_EVERY_MS = 2000;

export class ProcessFeed {
  readonly table = signal<ProcessTable | undefined>(undefined);
  readonly problem = signal<Problem | undefined>(undefined);
  /** The moment asked for; undefined = the newest. */
  readonly asked = signal<number | undefined>(undefined);

  private wanted = ''; // what the newest wish is
  private shown = ''; // what was asked last
  private busy = false;
  private lastLive = 0;
  private stops: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly feed: Feed, private readonly limit: number) {}

  start(): void {
    this.stops.push(effect(() => {
      const chosen = moment.value;
      const beat = heartbeat.value;
      let at: number | undefined = chosen;
      if (at === undefined && !live.value) at = this.feed.window.value.to - 1;
      untracked(() => {
        const newest = at === undefined;
        if (newest && (document.hidden || link.value.kind === 'lost')) return;
        if (newest && this.wanted === '' && beat - this.lastLive < LIVE_EVERY_MS - 100) return;
        this.wanted = at === undefined ? '' : isoUtc(Math.floor(at));
        if (!newest && this.wanted === this.shown) return;
        this.ask();
      });
    }));
  }

  stop(): void {
    this.stopped = true;
    for (const stop of this.stops.splice(0)) stop();
  }

  /** One request at a time; the newest wish follows when it is done, those between are passed over. */
  private ask(): void {
    if (this.busy || this.stopped) return;
    const wish = this.wanted;
    this.busy = true;
    this.shown = wish;
    if (wish === '') this.lastLive = Date.now();
    fetchProcesses(wish === '' ? undefined : wish, this.limit).then(
      (table) => {
        this.table.value = table;
        this.problem.value = undefined;
        this.asked.value = wish === '' ? undefined : Date.parse(wish) / 1000;
      },
      (error: unknown) => {
        // A server that is gone is told by the link; the last table stays.
        if (error instanceof ProblemError && !error.unreachable) this.problem.value = error.problem;
        this.shown = 'failed';
      },
    ).finally(() => {
      this.busy = false;
      if (this.wanted !== wish) this.ask();
    });
  }
}
