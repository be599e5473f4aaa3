// What the reader prefers on this browser: the theme.
import { computed, effect, signal } from '@preact/signals';
import type { Theme } from '../values/palette';

export const THEMES = ['auto', 'dark', 'light'] as const;
export type ThemeChoice = (typeof THEMES)[number];

const KEY = 'countertop.theme';

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((choice) => choice === value) ?? 'auto';
  } catch {
    return 'auto'; // storage is switched off
  }
}

export const themeChoice = signal<ThemeChoice>(stored());

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(darkQuery.matches);
darkQuery.addEventListener('change', (event) => (systemDark.value = event.matches));

export const theme = computed<Theme>(() =>
  themeChoice.value === 'auto' ? (systemDark.value ? 'dark' : 'light') : themeChoice.value);

export function nextTheme(): void {
  themeChoice.value = THEMES[(THEMES.indexOf(themeChoice.value) + 1) % THEMES.length]!;
  try {
    localStorage.setItem(KEY, themeChoice.value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

export const applyTheme = (): (() => void) =>
  effect(() => {
    document.documentElement.dataset['theme'] = themeChoice.value;
  });

/** All charts as tables: the twin for readers who do not see charts. */
export const showTables = signal(false);
