// Live values of the open part of the counter tree: all patterns in one request a second while the page is live.
import { signal } from '@preact/signals';
import { fetchLatest } from '../api/client';
import type { LatestSeries } from '../api/types';
import { link } from './link';
import { live } from './view';

const EVERY_MS = 1000;
const MOST_PATTERNS = 40;

export const latestValues = signal<ReadonlyMap<string, LatestSeries>>(new Map());

const wanted = new Map<string, number>(); // pattern -> how many want it
let timer: ReturnType<typeof setTimeout> | undefined;
let busy = false;

async function ask(): Promise<void> {
  timer = undefined;
  if (wanted.size === 0 || busy) return;
  busy = true;
  try {
    const latest = await fetchLatest([...wanted.keys()].slice(0, MOST_PATTERNS));
    latestValues.value = new Map(latest.series.map((one) => [one.path, one]));
  } catch {
    // The values stay; whether the server is gone is told by the link.
  }
  busy = false;
  if (live.value && wanted.size > 0) timer = setTimeout(again, EVERY_MS);
}

function again(): void {
  if (document.hidden || link.value.kind === 'lost') timer = setTimeout(again, EVERY_MS);
  else void ask();
}

/** Wants a pattern until the returned function is called. */
export function watchLatest(pattern: string): () => void {
  wanted.set(pattern, (wanted.get(pattern) ?? 0) + 1);
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), 20);
  return () => {
    const count = (wanted.get(pattern) ?? 1) - 1;
    if (count > 0) wanted.set(pattern, count);
    else wanted.delete(pattern);
  };
}

/** After a pause the values move again. */
export function resumeLatest(): void {
  if (timer === undefined && wanted.size > 0) void ask();
}
