// Times as text. 24-hour clock and ISO order everywhere: the same in every language and sortable by eye.
import { offsetAt, wallTime } from './zone';

const two = (value: number): string => String(value).padStart(2, '0');

/** 14:03:17 */
export function clock(seconds: number, zone: string): string {
  const wall = wallTime(seconds, zone);
  return `${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}`;
}

/** 14:03 */
export function shortClock(seconds: number, zone: string): string {
  return clock(seconds, zone).slice(0, 5);
}

/** 2026-11-30 */
export function day(seconds: number, zone: string): string {
  const wall = wallTime(seconds, zone);
  return `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`;
}

/** 2026-11-30 14:03:17 */
export const dateTime = (seconds: number, zone: string): string => `${day(seconds, zone)} ${clock(seconds, zone)}`;

/** +05:45 */
export function offsetText(seconds: number, zone: string): string {
  const offset = Math.round(offsetAt(seconds, zone) / 60);
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** For addresses and requests: RFC 3339 in UTC, with milliseconds only where there are some. */
export function isoUtc(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().replace('.000Z', 'Z');
}

/** The shortest text that still tells the time within the window: seconds for short windows, the day for long ones. */
export function windowText(from: number, to: number, zone: string): string {
  const sameDay = day(from, zone) === day(to, zone);
  const format = to - from < 600 ? clock : shortClock;
  const end = sameDay ? format(to, zone) : `${day(to, zone)} ${format(to, zone)}`;
  return `${day(from, zone)} ${format(from, zone)} – ${end}`;
}

const UNITS: readonly [number, string][] = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']];

/** 1 d 2 h, 5 m, 30 s: at most two parts. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [size, name] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

/** Labels of a chart's time axis: the clock, with the day where it begins or changes. */
export function axisLabels(ticks: readonly number[], increment: number, zone: string): string[] {
  let lastDay = '';
  return ticks.map((tick) => {
    const today = day(tick, zone);
    const time = increment < 60 ? clock(tick, zone) : shortClock(tick, zone);
    const changed = lastDay !== '' && today !== lastDay;
    lastDay = today;
    if (increment >= 86400) return today.slice(5);
    return changed ? (time.startsWith('00:00') ? today.slice(5) : `${today.slice(5)} ${time}`) : time;
  });
}
