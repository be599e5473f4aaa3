// Says the cursor's values to those who move it by keyboard, at most once a second.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { moment } from '../model/cursor';
import { zone } from '../model/view';
import { clock } from '../time/time_format';
import { text } from '../text';

const EVERY_MS = 1000;

export function CursorVoice() {
  const words = useSignal('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    const at = moment.value;
    const chart = document.activeElement?.closest('.chart');
    if (at === undefined || !chart || !document.activeElement?.matches('.plot-host')) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const values = [...chart.querySelectorAll('.legend button')].map((entry) =>
        `${entry.querySelector('.legend-name')?.textContent} ${entry.querySelector('.legend-value')?.textContent}`);
      words.value = text.chart.cursor(clock(at, zone.value), values.join(', '));
    }, EVERY_MS);
  });
  return <div class="visually-hidden" aria-live="polite">{words.value}</div>;
}
