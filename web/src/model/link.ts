// The link to the server as every part of the page sees it.
import { computed, signal } from '@preact/signals';
import type { LinkState } from '../api/live_source';
import type { Status } from '../api/types';
import { fetchStatus } from '../api/client';
import { live } from './view';

export const link = signal<LinkState>({ kind: 'connecting' });
export const status = signal<Status | undefined>(undefined);
/** Time of the newest sample seen, by the server's clock. */
export const lastSampleTime = signal<number | undefined>(undefined);
/** Ticks once a second while the page is visible. */
export const heartbeat = signal<number>(Date.now());
/** "Retry now" of whoever holds the live source at the moment. */
export const retry = signal<(() => void) | undefined>(undefined);

let clockOffset = 0; // server's clock minus this browser's, in seconds

/** An answer to a range that ends "now" says what the server's clock shows. */
export function learnClock(serverNow: number): void {
  clockOffset = serverNow - Date.now() / 1000;
}

export const serverNow = (): number => Date.now() / 1000 + clockOffset;

export function noteSample(time: number): void {
  if (time > (lastSampleTime.value ?? 0)) lastSampleTime.value = time;
  if (time > serverNow()) learnClock(time);
}

/** Seconds since the newest sample was read. */
export const sampleAge = computed<number | undefined>(() => {
  void heartbeat.value;
  const last = lastSampleTime.value;
  return last === undefined ? undefined : Math.max(0, serverNow() - last);
});

export const serverZone = computed(() => status.value?.zone ?? 'UTC');

export async function refreshStatus(): Promise<void> {
  try {
    status.value = await fetchStatus();
  } catch {
    // The banner of the live link says that the server is gone; the last status stays.
  }
}

const STATUS_EVERY_MS = 15_000;

export function startLink(): () => void {
  void refreshStatus();
  const beat = setInterval(() => {
    if (!document.hidden) heartbeat.value = Date.now();
  }, 1000);
  const poll = setInterval(() => {
    // A window that stands still asks for nothing.
    if (!document.hidden && live.value && link.value.kind !== 'lost') void refreshStatus();
  }, STATUS_EVERY_MS);
  return () => {
    clearInterval(beat);
    clearInterval(poll);
  };
}
