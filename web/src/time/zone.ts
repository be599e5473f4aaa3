// Wall clock of a time zone, by the browser's own tz database. All times are Unix seconds.

const parts = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  let found = parts.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone, hourCycle: 'h23', era: 'short',
      year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
    });
    parts.set(zone, found);
  }
  return found;
}

export interface WallTime {
  year: number;
  month: number; // 1 to 12
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export function isZone(zone: string): boolean {
  try {
    formatter(zone);
    return true;
  } catch {
    return false;
  }
}

export function wallTime(seconds: number, zone: string): WallTime {
  const wall: WallTime = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const part of formatter(zone).formatToParts(new Date(seconds * 1000))) {
    if (part.type in wall) wall[part.type as keyof WallTime] = Number(part.value);
  }
  return wall;
}

const asUtc = (wall: WallTime): number =>
  Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second) / 1000;

/** Seconds east of Greenwich at a moment. */
export function offsetAt(seconds: number, zone: string): number {
  return asUtc(wallTime(seconds, zone)) - Math.floor(seconds);
}

/**
 * The moments at which the zone's clocks show `wall`: one as a rule, two in the hour that is repeated, none in the
 * hour that is left out. Earliest first.
 */
export function momentsOf(wall: WallTime, zone: string): number[] {
  const naive = asUtc(wall);
  const found = new Set<number>();
  for (const probe of [naive - 86400, naive, naive + 86400]) {
    const candidate = naive - offsetAt(probe, zone);
    if (asUtc(wallTime(candidate, zone)) === naive) found.add(candidate);
  }
  return [...found].sort((a, b) => a - b);
}
