// One uPlot in the page: made anew when its options change, otherwise only given data, window and size.
import uPlot from 'uplot';
import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { holding, hovered } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { theme } from '../model/preferences';
import { chooseMoment, goBack, view, zone, zoomTo } from '../model/view';
import { text } from '../text';
import type { Picture } from './chart_model';
import { drawGaps, drawMoments } from './drawing';
import { isBanded, plotData } from './plot_data';
import { lookKey, plotOptions, type PlotLook } from './plot_options';
import { Tooltip } from './tooltip';

interface PlotProps {
  feed: Feed;
  label: string;
  picture: (frame: Frame) => Picture;
  hidden: ReadonlySet<string>;
}

const LEAST_ZOOM_SECONDS = 2;
const CLICK_PIXELS = 4;

/** The chart that the pointer or the keyboard is on: only that one moves the shared cursor. */
let owner: uPlot | undefined;

function onSelect(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width <= 0) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (plot !== owner) return;
  const from = plot.posToVal(left, 'x');
  const to = plot.posToVal(left + width, 'x');
  const spare = Math.max(0, LEAST_ZOOM_SECONDS - (to - from)) / 2;
  zoomTo({ from: from - spare, to: to + spare });
}

function onCursor(plot: uPlot): void {
  if (plot !== owner) return;
  const { left, idx } = plot.cursor;
  const inside = left !== undefined && left !== null && left >= 0;
  if (!inside) {
    hovered.value = undefined;
    return;
  }
  const position = plot.posToVal(left, 'x');
  const sample = idx === null || idx === undefined ? undefined : plot.data[0][idx];
  // Near a sample the cursor speaks of it; far from any it stands where the pointer is, to tell a gap's reason.
  const near = sample !== undefined && Math.abs(plot.valToPos(sample, 'x') - left) < 12;
  hovered.value = near ? sample : position;
}

/** uPlot's third argument, which its types leave out: tell the synchronized charts too. */
function moveCursor(plot: uPlot, left: number, top: number): void {
  (plot.setCursor as (position: { left: number; top: number }, fire: boolean, publish: boolean) => void)({ left, top }, true, true);
}

class PlotView {
  private plot: uPlot | undefined;
  private key = '';
  private down: { x: number; y: number } | undefined;

  constructor(private readonly host: HTMLElement, private readonly feed: Feed) {}

  draw(look: PlotLook, frame: Frame): void {
    if (look.width < 60 || look.height < 40) return;
    const key = lookKey(look);
    const data = plotData(look.picture, frame) as uPlot.AlignedData;
    const window = this.feed.window.peek();
    if (!this.plot || key !== this.key) {
      const owned = this.plot !== undefined && owner === this.plot;
      this.plot?.destroy();
      this.key = key;
      this.plot = new uPlot(plotOptions(look, this.hooks()), data, this.host);
      if (owned) owner = this.plot;
      this.listen(this.plot);
      this.plot.setScale('x', { min: window.from, max: window.to });
      return;
    }
    const plot = this.plot;
    if (plot.width !== look.width || plot.height !== look.height) plot.setSize({ width: look.width, height: look.height });
    plot.batch(() => {
      plot.setData(data, false);
      plot.setScale('x', { min: window.from, max: window.to });
    });
  }

  redraw(): void {
    this.plot?.redraw(false, false);
  }

  /** Moves the shared cursor by samples, for the keyboard. */
  step(by: number): void {
    const { plot } = this;
    if (!plot) return;
    owner = plot;
    const time = plot.data[0];
    const current = plot.cursor.idx ?? time.length - 1;
    const next = Math.min(time.length - 1, Math.max(0, current + by));
    moveCursor(plot, plot.valToPos(time[next]!, 'x'), plot.over.clientHeight / 2);
  }

  moveTo(clientX: number): void {
    const { plot } = this;
    if (!plot) return;
    owner = plot;
    const box = plot.over.getBoundingClientRect();
    const left = Math.min(box.width, Math.max(0, clientX - box.left));
    moveCursor(plot, left, box.height / 2);
  }

  leave(): void {
    if (this.plot && owner === this.plot) {
      moveCursor(this.plot, -10, -10);
      owner = undefined;
      hovered.value = undefined;
    }
  }

  destroy(): void {
    if (this.plot && owner === this.plot) {
      owner = undefined;
      hovered.value = undefined;
    }
    this.plot?.destroy();
    this.plot = undefined;
  }

  private hooks() {
    return {
      onCursor,
      onSelect,
      onDoubleClick: goBack,
      behind: (plot: uPlot) => {
        const frame = this.feed.frame.peek();
        if (frame) drawGaps(plot, frame.gaps, theme.peek());
      },
      above: (plot: uPlot) => drawMoments(plot, this.feed.marks.peek(), view.peek().at, theme.peek()),
    };
  }

  private listen(plot: uPlot): void {
    const { over } = plot;
    over.addEventListener('pointerenter', () => (owner = plot));
    over.addEventListener('pointerdown', (event) => {
      owner = plot;
      this.down = { x: event.clientX, y: event.clientY };
      if (event.pointerType === 'touch') {
        this.moveTo(event.clientX);
        return;
      }
      holding.value = true;
      const release = () => setTimeout(() => (holding.value = false));
      for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, release, { once: true });
    });
    over.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'touch') this.moveTo(event.clientX);
    });
    over.addEventListener('click', (event) => {
      const { down } = this;
      if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_PIXELS) return;
      if (event.detail > 1) return;
      const at = hovered.peek();
      if (at === undefined) return;
      const { at: pinned } = view.peek();
      const pixels = pinned === undefined ? Infinity : Math.abs(plot.valToPos(pinned, 'x') - plot.valToPos(at, 'x'));
      chooseMoment(pixels < 5 ? undefined : at);
    });
  }
}

export function Plot({ feed, label, picture, hidden }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const plotView = useRef<PlotView | null>(null);
  const size = useSignal({ width: 0, height: 0 });
  const current = useRef({ picture, hidden });
  current.current = { picture, hidden };
  const repaint = useSignal(0);

  useEffect(() => {
    const element = host.current!;
    const drawn = new PlotView(element, feed);
    plotView.current = drawn;
    const observer = new ResizeObserver(() => {
      size.value = { width: Math.floor(element.clientWidth), height: Math.floor(element.clientHeight) };
    });
    observer.observe(element);
    const stopDrawing = effect(() => {
      void feed.revision.value;
      void feed.window.value;
      void repaint.value;
      const frame = feed.frame.value;
      if (!frame) return;
      const now = current.current.picture(frame);
      drawn.draw(
        {
          picture: now, banded: isBanded(now, frame), theme: theme.value, zone: zone.value, hidden: current.current.hidden,
          ...size.value,
        },
        frame,
      );
    });
    const stopMarks = effect(() => {
      void view.value.at;
      void feed.marks.value;
      drawn.redraw();
    });
    return () => {
      stopDrawing();
      stopMarks();
      observer.disconnect();
      drawn.destroy();
    };
  }, [feed]);

  useEffect(() => {
    repaint.value += 1;
  }, [picture, hidden]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step !== 0) plotView.current?.step(step * (event.shiftKey ? 10 : 1));
    else if (event.key === 'Enter' && hovered.value !== undefined) chooseMoment(hovered.value);
    else return;
    event.preventDefault();
  };

  return (
    <div class="plot">
      <div
        class="plot-host" ref={host} tabIndex={0} role="img" aria-label={`${label}. ${text.chart.keys}.`}
        onKeyDown={onKeyDown} onBlur={() => plotView.current?.leave()}
      />
      <Tooltip feed={feed} host={host} picture={picture} hidden={hidden} />
    </div>
  );
}
