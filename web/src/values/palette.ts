// Colours that people with colour-blindness can tell apart (Okabe and Ito), each with a dash pattern of its own, so
// that colour never stands alone. Two shades of each: contrast to the chart's ground is at least 3:1 in both themes.

export type Theme = 'light' | 'dark';

export const SLOTS = ['blue', 'orange', 'green', 'purple', 'sky', 'vermilion', 'yellow', 'ink'] as const;
export type Slot = (typeof SLOTS)[number];

const SHADES: Record<Theme, Record<Slot, string>> = {
  light: {
    blue: '#0072b2', orange: '#b97700', green: '#008a64', purple: '#b8578d', sky: '#2a8fc7', vermilion: '#c94f00',
    yellow: '#8d8200', ink: '#3d444d',
  },
  dark: {
    blue: '#3a9bdc', orange: '#e69f00', green: '#1fbf92', purple: '#d68ab4', sky: '#7cc9f2', vermilion: '#ee7733',
    yellow: '#f0e442', ink: '#d5dae1',
  },
};

/** The grounds that lines are drawn on: the same as --surface in styles/tokens.css. */
export const GROUND: Record<Theme, string> = { light: '#ffffff', dark: '#14181f' };

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

export interface Ink {
  slot: Slot;
  dash: readonly number[];
}

export const shade = (slot: Slot, theme: Theme): string => SHADES[theme][slot];

export const dashOf = (level: number): readonly number[] => DASHES[level % DASHES.length]!;

/** `#rrggbb` with an opacity. */
export function translucent(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255).toString(16).padStart(2, '0')}`;
}

/** FNV-1a: the same name gives the same slot in every chart and after every reload. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/** Names that appear all over the product keep colours chosen by hand. */
const KNOWN: Record<string, Slot> = {
  user: 'blue', system: 'vermilion', nice: 'sky', iowait: 'orange', irq: 'purple', softirq: 'yellow', steal: 'ink',
  guest: 'green', busy: 'blue', used: 'blue', cached: 'green', buffers: 'sky', free: 'ink', swap: 'vermilion',
  available: 'green', read: 'blue', write: 'orange', received: 'green', sent: 'purple', 'cpu some': 'blue', 'memory some': 'green',
  'memory full': 'sky', 'io some': 'orange', 'io full': 'vermilion', running: 'vermilion', blocked: 'purple', '1 min': 'blue', other: 'ink',
};

/**
 * One ink per name, without two alike in one chart. Names are taken in the order given; a name whose colour is taken
 * moves to the next free one, and beyond eight the colours return with another dash pattern.
 */
export function inksFor(names: readonly string[]): Map<string, Ink> {
  const inks = new Map<string, Ink>();
  const taken = new Set<string>();
  const place = (name: string, wanted: number) => {
    for (let round = 0; round < DASHES.length; round += 1) {
      for (let shift = 0; shift < SLOTS.length; shift += 1) {
        const slot = SLOTS[(wanted + shift) % SLOTS.length]!;
        const dash = dashOf(round);
        const key = `${slot} ${dash.join()}`;
        if (taken.has(key)) continue;
        taken.add(key);
        inks.set(name, { slot, dash });
        return;
      }
    }
    inks.set(name, { slot: SLOTS[wanted % SLOTS.length]!, dash: [] });
  };
  const slotOf = (name: string) => KNOWN[name] ?? KNOWN[name.slice(name.lastIndexOf(' ') + 1)];
  for (const name of names) {
    const slot = slotOf(name);
    if (slot) place(name, SLOTS.indexOf(slot));
  }
  for (const name of names) {
    // The last slot, near black or white, is for known names and for charts that need all eight.
    if (!inks.has(name)) place(name, hashName(name) % (SLOTS.length - 1));
  }
  return inks;
}
