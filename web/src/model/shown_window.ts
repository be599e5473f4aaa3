// The window of whichever page is shown: what "Paused" holds and what the keys move.
import { computed, signal } from '@preact/signals';
import { resolveRange, type Moments } from '../time/range';
import type { Feed } from './feed';
import { serverNow } from './link';
import { view, zone } from './view';

export const shownFeed = signal<Feed | undefined>(undefined);

export const shownWindow = computed<Moments>(() => {
  const feed = shownFeed.value;
  if (feed && feed.frame.value) return feed.window.value;
  return resolveRange(view.value.range, serverNow(), zone.value) ?? { from: serverNow() - 300, to: serverNow() };
});
