// The crosshair that all charts share, and whether something holds the picture still.
import { computed, signal } from '@preact/signals';
import { view } from './view';

/** Moment under the pointer or the keyboard's cursor. */
export const hovered = signal<number | undefined>(undefined);
/** A pointer is down on a chart: nothing may jump. */
export const holding = signal(false);

/** The moment whose values are shown: the pointer's, else the pinned one. */
export const moment = computed(() => hovered.value ?? view.value.at);
