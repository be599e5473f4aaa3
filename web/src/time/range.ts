// Ranges as people write them: "-15m", "now", "yesterday 14:00", "2026-11-30 08:00", RFC 3339, Unix seconds.
import { momentsOf, wallTime } from './zone';
import { isoUtc } from './time_format';

export interface Range {
  from: string;
  to: string;
}

export interface Moments {
  from: number;
  to: number;
}

export const QUICK_RANGES = ['1m', '5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;
export const DEFAULT_RANGE: Range = { from: '-5m', to: 'now' };

const UNIT_SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, w: 604800 };

const RELATIVE = /^(?:now)?\s*([+-])\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)?$/;

/** Seconds before or after now, or undefined when the text is no relative time. */
export function relativeSeconds(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'now') return 0;
  const match = RELATIVE.exec(trimmed);
  if (!match) return undefined;
  return (match[1] === '-' ? -1 : 1) * Number(match[2]) * (UNIT_SECONDS[match[3] ?? 's'] ?? 1);
}

/** A range whose right edge is now and whose left edge moves with it. */
export function isLive(range: Range): boolean {
  const from = relativeSeconds(range.from);
  return range.to.trim().toLowerCase() === 'now' && from !== undefined && from < 0;
}

export type TimeFailure = 'unreadable' | 'skipped';

/** A moment in Unix seconds, or why there is none. `skipped`: the zone's clocks jump over that time. */
export function parseMoment(text: string, now: number, zone: string): number | TimeFailure {
  const trimmed = text.trim();
  const relative = relativeSeconds(trimmed);
  if (relative !== undefined) return now + relative;
  if (/^\d{9,10}(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (/^\d{12,13}$/.test(trimmed)) return Number(trimmed) / 1000;
  const absolute = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:?\d{2})$/i.exec(trimmed);
  if (absolute) {
    const parsed = Date.parse(trimmed.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
    return Number.isNaN(parsed) ? 'unreadable' : parsed / 1000;
  }
  return parseLocal(trimmed.toLowerCase(), now, zone);
}

function parseLocal(text: string, now: number, zone: string): number | TimeFailure {
  const match = /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(today|yesterday))?(?:(?:^|[t ]\s*)(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  if (!match || text === '') return 'unreadable';
  const wall = { ...wallTime(now, zone), hour: 0, minute: 0, second: 0 };
  if (match[1]) {
    Object.assign(wall, { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
  } else if (match[4] === 'yesterday') {
    const before = new Date(Date.UTC(wall.year, wall.month - 1, wall.day - 1));
    Object.assign(wall, {
      year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, day: before.getUTCDate(),
    });
  }
  if (match[5]) {
    Object.assign(wall, { hour: Number(match[5]), minute: Number(match[6]), second: Number(match[7] ?? 0) });
  }
  if (wall.month < 1 || wall.month > 12 || wall.day < 1 || wall.day > 31) return 'unreadable';
  if (wall.hour > 23 || wall.minute > 59 || wall.second > 59) return 'unreadable';
  if (new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDate() !== wall.day) return 'unreadable';
  return momentsOf(wall, zone)[0] ?? 'skipped';
}

/** Both edges as moments; undefined when the range cannot be read or is empty. */
export function resolveRange(range: Range, now: number, zone: string): Moments | undefined {
  const from = parseMoment(range.from, now, zone);
  const to = parseMoment(range.to, now, zone);
  if (typeof from !== 'number' || typeof to !== 'number' || !(from < to)) return undefined;
  return { from, to };
}

/** Edges as an address holds them. Milliseconds only where the window is short enough to need them. */
export function absoluteRange(from: number, to: number): Range {
  const round = to - from >= 10 ? Math.round : (value: number) => Math.round(value * 1000) / 1000;
  return { from: isoUtc(round(from)), to: isoUtc(round(to)) };
}

const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
];

/** Width of a chart's bucket in seconds, so that a window has at most `most` of them. */
export function stepFor(span: number, most: number): number {
  for (const step of STEPS) {
    if (span / step <= most) return step;
  }
  return STEPS[STEPS.length - 1]!;
}
