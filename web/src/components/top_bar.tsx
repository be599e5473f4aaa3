// Host, time range, back, Live or Paused with the age of the newest sample, theme, keys: always in the same place.
import { signal } from '@preact/signals';
import { link, sampleAge, status } from '../model/link';
import { nextTheme, themeChoice } from '../model/preferences';
import { shownFeed, shownWindow } from '../model/shown_window';
import { depth, goBack, goLive, live, pause, zoomTo } from '../model/view';
import { text } from '../text';
import { duration } from '../time/time_format';
import { Icon } from './icons';
import { TimePicker } from './time_picker';

export const helpOpen = signal(false);

/** One window earlier (-1) or later (+1). */
export function stepWindow(direction: number): void {
  const { from, to } = shownWindow.peek();
  zoomTo({ from: from + direction * (to - from), to: to + direction * (to - from) });
}

export function toggleLive(): void {
  if (live.value) pause(shownWindow.peek());
  else goLive();
}

function SampleAge() {
  if (!shownFeed.value?.frame.value && sampleAge.value === undefined) return null;
  const age = sampleAge.value;
  const { kind } = link.value;
  const late = age !== undefined && age > 5;
  return (
    <span class={`age ${late ? 'late' : ''}`} title={kind === 'polling' ? text.pollingHint : undefined}>
      {age === undefined ? text.noSampleYet : text.sampleAge(age < 1 ? '0 s' : duration(Math.floor(age)))}
      {kind === 'polling' && <span class="polling"> · {text.polling}</span>}
    </span>
  );
}

export function TopBar() {
  const isLive = live.value;
  const host = status.value?.host ?? '';
  return (
    <header class="top-bar">
      <span class="host" title={host}>{host || text.product}</span>
      <div class="range-tools">
        <button type="button" class="icon-button" title={text.earlier} aria-label={text.earlier} onClick={() => stepWindow(-1)}>
          <Icon name="previous" />
        </button>
        <TimePicker />
        <button
          type="button" class="icon-button" title={text.later} aria-label={text.later} disabled={isLive}
          onClick={() => stepWindow(1)}
        >
          <Icon name="next" />
        </button>
        <button
          type="button" class="tool" title={text.backHint} disabled={depth.value === 0} onClick={goBack}
        >
          <Icon name="back" size={16} /> <span>{text.back}</span>
        </button>
      </div>
      <span class="spacer" />
      <SampleAge />
      <button
        type="button" class={`live ${isLive ? 'is-live' : 'is-paused'}`} aria-pressed={isLive}
        title={isLive ? text.liveHint : text.pausedHint} onClick={toggleLive}
      >
        {isLive ? <span class="dot" aria-hidden="true" /> : <Icon name="pause" size={13} />}
        {isLive ? text.live : text.paused}
      </button>
      <button
        type="button" class="icon-button" title={text.theme[themeChoice.value]} aria-label={text.theme[themeChoice.value]}
        onClick={nextTheme}
      >
        <Icon name={themeChoice.value} />
      </button>
      <button
        type="button" class="icon-button keys-button" title={`${text.help.open} (?)`} aria-label={text.help.open}
        onClick={() => (helpOpen.value = true)}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}
