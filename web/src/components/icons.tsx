// Line icons, drawn here so that nothing is fetched. Always beside a word or an accessible name.

const PATHS = {
  overview: 'M3 20h18M6 16v-5M11 16V6M16 16v-8M21 16v-3',
  counters: 'M4 6h4M4 12h4M4 18h4M11 6h9M11 12h9M11 18h9',
  status: 'M3 12h4l3-8 4 16 3-8h4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l3 2',
  back: 'M9 6 4 11l5 5M4 11h10a6 6 0 0 1 0 12',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  play: 'M7 4l13 8-13 8Z',
  pause: 'M8 4v16M16 4v16',
  auto: 'M12 3a9 9 0 1 0 0 18V3Z M12 3a9 9 0 0 1 0 18',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.1',
  info: 'M12 11v6M12 7v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  table: 'M4 5h16v14H4ZM4 10h16M4 14.5h16M10 5v14',
  chart: 'M4 19V5M4 19h16M7 15l4-5 3 3 5-7',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 21 21',
  warning: 'M12 4 2.5 20h19ZM12 10v5M12 17.5v.1',
  chevron: 'M9 6l6 6-6 6',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5 10 17.5 19.5 7',
  pin: 'M12 21s7-6 7-11a7 7 0 0 0-14 0c0 5 7 11 7 11Z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8"
      stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
