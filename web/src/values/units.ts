// Numbers with three significant digits and the unit people expect: IEC for memory, SI bits for networks, SI elsewhere.

export interface Quantity {
  text: string;
  unit: string;
}

/** How a counter's values are drawn and written. */
export interface Display {
  kind: 'percent' | 'bytes' | 'byteRate' | 'bitRate' | 'seconds' | 'rate' | 'plain';
  suffix: string; // for plain numbers: what they count
}

const SI_LARGE = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const IEC = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Chooses by the server's unit; only networks are written in bits. */
export function displayFor(unit: string, object = ''): Display {
  if (unit.startsWith('%')) return { kind: 'percent', suffix: unit };
  if (unit === 'bytes') return { kind: 'bytes', suffix: unit };
  if (unit === 'bytes/s') return { kind: object === 'network' ? 'bitRate' : 'byteRate', suffix: unit };
  if (unit === 's' || unit === 'seconds') return { kind: 'seconds', suffix: 's' };
  if (unit === '1/s' || unit.endsWith('/s')) return { kind: 'rate', suffix: unit === '1/s' ? '/s' : unit };
  return { kind: 'plain', suffix: unit };
}

/** Three significant digits without an exponent; at most three decimals. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.0995) return value.toFixed(2);
  return size < 0.0005 ? '0.000' : value.toFixed(3);
}

function scaled(value: number, base: number, names: readonly string[]): [number, string] {
  let size = value;
  let step = 0;
  // 999.5 would be written as 1000: the next prefix is shorter.
  while (Math.abs(size) >= (base === 1000 ? 999.5 : 1023.5) && step < names.length - 1) {
    size /= base;
    step += 1;
  }
  return [size, names[step]!];
}

export function quantity(value: number, display: Display): Quantity {
  switch (display.kind) {
    case 'percent':
      return { text: digits(value), unit: '%' };
    case 'bytes': {
      const [size, name] = scaled(value, 1024, IEC);
      return { text: name === 'B' ? size.toFixed(0) : digits(size), unit: name };
    }
    case 'byteRate': {
      const [size, prefix] = scaled(value, 1000, SI_LARGE);
      return { text: prefix === '' ? size.toFixed(0) : digits(size), unit: `${prefix}B/s` };
    }
    case 'bitRate': {
      const [size, prefix] = scaled(value * 8, 1000, SI_LARGE);
      return { text: prefix === '' ? size.toFixed(0) : digits(size), unit: `${prefix}bit/s` };
    }
    case 'seconds':
      return seconds(value);
    case 'rate':
    case 'plain': {
      const [size, prefix] = scaled(value, 1000, SI_LARGE);
      const text = Number.isInteger(value) && prefix === '' ? String(value) : digits(size);
      return { text, unit: display.kind === 'rate' ? `${prefix}${display.suffix}` : `${prefix} ${display.suffix}`.trim() };
    }
  }
}

function seconds(value: number): Quantity {
  const size = Math.abs(value);
  if (size === 0) return { text: '0', unit: 'ms' };
  if (size < 0.0009995) return { text: digits(value * 1e6), unit: 'µs' };
  if (size < 0.9995) return { text: digits(value * 1e3), unit: 'ms' };
  if (size < 600) return { text: digits(value), unit: 's' };
  if (size < 86400) return { text: digits(value / 3600), unit: 'h' };
  return { text: digits(value / 86400), unit: 'd' };
}

/** "34.2 %", or an en dash where there is no value: missing is never zero. */
export function valueText(value: number | null | undefined, display: Display): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const { text, unit } = quantity(value, display);
  return unit === '' ? text : `${text} ${unit}`;
}

/** Labels of a value axis: one prefix for all, so that the eye compares numbers. */
export function axisValues(ticks: readonly number[], display: Display): string[] {
  const largest = ticks.reduce((most, tick) => Math.max(most, Math.abs(tick)), 0);
  if (largest === 0) return ticks.map((tick) => valueText(tick, display));
  const { unit } = quantity(largest, display);
  const divisor = largest / magnitude(largest, display);
  const gap = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) / divisor : 1;
  const decimals = gap >= 1 ? 0 : Math.min(4, Math.ceil(-Math.log10(gap) - 1e-9));
  return ticks.map((tick) => (tick === 0 ? '0' : `${(tick / divisor).toFixed(decimals)} ${unit}`.trim()));
}

/** The number that `quantity` would write, before it is rounded. */
function magnitude(value: number, display: Display): number {
  switch (display.kind) {
    case 'percent':
      return value;
    case 'bytes':
      return scaled(value, 1024, IEC)[0];
    case 'bitRate':
      return scaled(value * 8, 1000, SI_LARGE)[0];
    case 'seconds': {
      const size = Math.abs(value);
      if (size < 0.0009995) return value * 1e6;
      if (size < 0.9995) return value * 1e3;
      return size < 600 ? value : size < 86400 ? value / 3600 : value / 86400;
    }
    default:
      return scaled(value, 1000, SI_LARGE)[0];
  }
}

/** Distances between ticks that give round labels in the unit written. */
export function tickIncrements(display: Display): number[] {
  const increments: number[] = [];
  if (display.kind === 'bytes') {
    for (let power = 0; power <= 60; power += 10) {
      for (const step of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) increments.push(step * 2 ** power);
    }
    return increments;
  }
  const factor = display.kind === 'bitRate' ? 1 / 8 : 1;
  const least = display.kind === 'seconds' ? -7 : display.kind.endsWith('Rate') ? 0 : -3;
  for (let power = least; power <= 18; power += 1) {
    for (const step of [1, 2, 5]) increments.push(Number(`${step}e${power}`) * factor);
  }
  return increments;
}
