// What is drawn on the canvas beside lines: hatched gaps with their reason, marks, the pinned moment.
import type uPlot from 'uplot';
import type { Gap, Mark } from '../api/types';
import { translucent, type Theme } from '../values/palette';

const TONE: Record<Theme, { hatch: string; text: string; pin: string; mark: string }> = {
  light: { hatch: '#8a939e', text: '#59636e', pin: '#1b1f24', mark: '#8a5a00' },
  dark: { hatch: '#6b7683', text: '#98a3b0', pin: '#e8ebef', mark: '#e6b566' },
};

const patterns = new Map<string, CanvasPattern>();

function hatch(context: CanvasRenderingContext2D, theme: Theme): CanvasPattern | string {
  const known = patterns.get(theme + devicePixelRatio);
  if (known) return known;
  const size = Math.round(8 * devicePixelRatio);
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const pen = tile.getContext('2d');
  if (!pen) return translucent(TONE[theme].hatch, 0.15);
  pen.strokeStyle = translucent(TONE[theme].hatch, 0.4);
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  if (!pattern) return translucent(TONE[theme].hatch, 0.15);
  patterns.set(theme + devicePixelRatio, pattern);
  return pattern;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export function drawGaps(plot: uPlot, gaps: readonly Gap[], theme: Theme): void {
  const { ctx: context, bbox } = plot;
  context.save();
  for (const gap of gaps) {
    const left = clamp(plot.valToPos(gap.from, 'x', true), bbox.left, bbox.left + bbox.width);
    const right = clamp(plot.valToPos(gap.to, 'x', true), bbox.left, bbox.left + bbox.width);
    if (right - left < 0.5) continue;
    context.fillStyle = hatch(context, theme);
    context.fillRect(left, bbox.top, right - left, bbox.height);
    context.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    if (context.measureText(gap.reason).width + 16 * devicePixelRatio < right - left) {
      context.fillStyle = TONE[theme].text;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(gap.reason, (left + right) / 2, bbox.top + bbox.height / 2);
    }
  }
  context.restore();
}

function verticalLine(plot: uPlot, time: number, colour: string, dash: number[]): void {
  const { ctx: context, bbox } = plot;
  const x = Math.round(plot.valToPos(time, 'x', true)) + 0.5;
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  context.beginPath();
  context.setLineDash(dash.map((length) => length * devicePixelRatio));
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, Math.round(devicePixelRatio));
  context.moveTo(x, bbox.top);
  context.lineTo(x, bbox.top + bbox.height);
  context.stroke();
}

export function drawMoments(plot: uPlot, marks: readonly Mark[], pinned: number | undefined, theme: Theme): void {
  plot.ctx.save();
  for (const mark of marks) verticalLine(plot, mark.time, translucent(TONE[theme].mark, 0.7), [3, 3]);
  if (pinned !== undefined) verticalLine(plot, pinned, TONE[theme].pin, []);
  plot.ctx.restore();
}
