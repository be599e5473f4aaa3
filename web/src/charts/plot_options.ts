// Options of one uPlot: series, axes, bands, gestures. A new uPlot is made only when these change.
import uPlot from 'uplot';
import { axisLabels } from '../time/time_format';
import { shade, translucent, type Theme } from '../values/palette';
import { axisValues, tickIncrements } from '../values/units';
import type { Picture } from './chart_model';
import { extremes, type PlotData } from './plot_data';

export const SYNC_KEY = 'countertop';

const INK: Record<Theme, { text: string; grid: string }> = {
  light: { text: '#59636e', grid: '#0000000f' },
  dark: { text: '#98a3b0', grid: '#ffffff12' },
};

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export interface PlotHooks {
  onCursor(plot: uPlot): void;
  onSelect(plot: uPlot): void;
  onDoubleClick(): void;
  behind(plot: uPlot): void; // draws gaps under the lines
  above(plot: uPlot): void; // draws marks and the pinned moment over them
}

export interface PlotLook {
  picture: Picture;
  banded: boolean;
  theme: Theme;
  zone: string;
  width: number;
  height: number;
  hidden: ReadonlySet<string>;
}

/** Everything that needs another uPlot when it changes; the size does not. */
export function lookKey(look: PlotLook): string {
  const { picture } = look;
  return JSON.stringify([
    picture.lines.map((line) => [line.key, line.label, line.ink, line.filled]), picture.display, picture.stacked, picture.top,
    picture.fromZero, look.banded, look.theme, look.zone, [...look.hidden],
  ]);
}

function seriesOf({ picture, banded, theme, hidden }: PlotLook): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  let lower = 0; // index of the series that the next stacked one stands on
  for (const line of picture.lines) {
    const colour = shade(line.ink.slot, theme);
    const show = !hidden.has(line.label);
    const base: uPlot.Series = {
      label: line.label, show, stroke: line.peak ? translucent(colour, 0.75) : colour, width: line.peak ? 1 : 1.5,
      dash: [...line.ink.dash], points: { show: false },
    };
    const index = series.length;
    if (picture.stacked && !line.peak) {
      const fill = translucent(colour, theme === 'dark' ? 0.55 : 0.5);
      series.push(lower === 0 ? { ...base, width: 1, fill } : { ...base, width: 1 });
      if (lower !== 0) bands.push({ series: [index, lower], fill });
      lower = index;
      continue;
    }
    const tinted = line.filled || (picture.lines.length === 1 && picture.fromZero && !banded);
    series.push(tinted ? { ...base, fill: translucent(colour, 0.16) } : base);
    if (banded && !picture.stacked) {
      const edge: uPlot.Series = { show, stroke: 'transparent', width: 0, points: { show: false } };
      series.push(edge, edge);
      bands.push({ series: [index + 1, index + 2], fill: translucent(colour, 0.24) });
    }
  }
  return { series, bands };
}

/** Top of the axis: a little air above the highest value, and never a flat zero. */
function valueRange(picture: Picture) {
  return (plot: uPlot): uPlot.Range.MinMax => {
    const { min, max } = plot.scales['x'] ?? {};
    const found = extremes(plot.data as unknown as PlotData, min ?? -Infinity, max ?? Infinity);
    const least = picture.display.kind === 'percent' ? 1 : picture.display.kind === 'seconds' ? 0.0001 : 1;
    if (!found) return [0, picture.top ?? least];
    const [low, high] = found;
    if (picture.top !== undefined) return [0, Math.max(picture.top, high)];
    if (picture.fromZero && low >= 0) return [0, Math.max(high * 1.08, least)];
    const air = Math.max((high - low) * 0.1, Math.abs(high) * 0.01, 1e-9);
    return [picture.fromZero ? Math.min(0, low - air) : low - air, high + air];
  };
}

/** The same for nearly all charts, so that one moment stands at the same place in each. */
const AXIS_WIDTH = 62;

/** Room for the widest label of the value axis. */
function axisWidth(plot: uPlot, values: string[] | null): number {
  if (!values || values.length === 0) return AXIS_WIDTH;
  plot.ctx.save();
  plot.ctx.font = FONT.replace('11px', `${11 * devicePixelRatio}px`);
  const widest = Math.max(...values.map((value) => plot.ctx.measureText(value).width)) / devicePixelRatio;
  plot.ctx.restore();
  return Math.max(AXIS_WIDTH, Math.ceil(widest / 8) * 8 + 14);
}

export function plotOptions(look: PlotLook, hooks: PlotHooks): uPlot.Options {
  const { picture, theme, zone } = look;
  const ink = INK[theme];
  const axis: uPlot.Axis = {
    stroke: ink.text, font: FONT, grid: { stroke: ink.grid, width: 1 }, ticks: { show: false },
  };
  const options: uPlot.Options = {
    width: look.width,
    height: look.height,
    ...seriesOf(look),
    pxAlign: true,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    scales: { x: { time: true, auto: false, range: (_, from, to) => [from, to] }, y: { range: valueRange(picture) } },
    axes: [
      {
        ...axis, size: 22, gap: 4, space: 76,
        values: (plot, ticks, __, ___, increment) => {
          // A label that the edge would cut is left out.
          const room = plot.over.clientWidth - (increment < 60 ? 24 : 14);
          return axisLabels(ticks, increment, zone).map((label, index) =>
            (plot.valToPos(ticks[index]!, 'x') > room ? '' : label));
        },
      },
      {
        ...axis, size: axisWidth, gap: 6, space: 30, incrs: tickIncrements(picture.display),
        values: (_, ticks) => axisValues(ticks, picture.display),
      },
    ],
    cursor: {
      y: false,
      points: { show: !picture.stacked, size: 6, width: 1.5 },
      drag: { x: true, y: false, setScale: false, dist: 4 },
      sync: { key: SYNC_KEY, setSeries: false, scales: ['x', null] },
      bind: {
        dblclick: () => () => {
          hooks.onDoubleClick();
          return null;
        },
      },
    },
    hooks: {
      setCursor: [hooks.onCursor],
      setSelect: [hooks.onSelect],
      drawClear: [hooks.behind],
      draw: [hooks.above],
    },
  };
  return options;
}
