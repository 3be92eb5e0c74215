import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PLOT_MARGIN_LEFT_PX, PLOT_MARGIN_RIGHT_PX } from './chart-options.ts';
import styles from './zoom-area.module.css';
import { pinchedRange, type Range, scaleRange } from './zoom-range.ts';

/** A drag that is shorter than this counts as a click, not as a selection. */
const MIN_DRAG_PX = 8;
/** Zoom factor per pixel of wheel movement; a notch of a wheel is some 100 px. */
const WHEEL_FACTOR = 1.002;

type ZoomAreaProps = {
  /** The range that every chart inside shows. */
  readonly range: Range;
  /** Called with the range that the user chose; the caller makes sure that it stays within the available data. */
  readonly onZoom: (range: Range) => void;
  /** Called on a double click, to show the whole range. */
  readonly onReset: () => void;
  /** TimeCharts below each other, as wide as this element. */
  readonly children: ReactNode;
};

/**
 * Charts that zoom together: by dragging a mouse, by moving two fingers, or by the wheel with Control pressed
 * (browsers report the pinch of a trackpad as such a wheel). One finger moves the cursor or scrolls the page. The
 * page must offer buttons for zooming by keyboard.
 */
export function ZoomArea({ range, onZoom, onReset, children }: ZoomAreaProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const gestures = useEffectEvent((event: Event, hand: Hand) => {
    const box = frame.current?.getBoundingClientRect();
    if (box)
      handle(event, hand, {
        left: box.left + PLOT_MARGIN_LEFT_PX,
        width: box.width - PLOT_MARGIN_LEFT_PX - PLOT_MARGIN_RIGHT_PX,
      });
  });

  const handle = (event: Event, hand: Hand, plot: Plot): void => {
    const shareAt = (x: number) => Math.min(1, Math.max(0, (x - plot.left) / plot.width));
    const timeAt = (x: number) => range.from + shareAt(x) * (range.to - range.from);
    if (event instanceof WheelEvent) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onZoom(scaleRange(range, WHEEL_FACTOR ** event.deltaY, timeAt(event.clientX)));
    } else if (event instanceof PointerEvent) {
      if (event.pointerType === 'mouse') dragMouse(event, hand, plot, timeAt);
      else moveFinger(event, hand, shareAt, timeAt);
    }
  };

  const dragMouse = (event: PointerEvent, hand: Hand, plot: Plot, timeAt: (x: number) => number): void => {
    if (event.type === 'pointerdown' && event.button === 0) hand.pressedAt = event.clientX;
    if (hand.pressedAt === undefined) return;
    const [first, last] = [hand.pressedAt, event.clientX].sort((a, b) => a - b) as [number, number];
    const isSelection = last - first >= MIN_DRAG_PX;
    if (event.type === 'pointermove') {
      const inPlot = (x: number) => Math.min(plot.width, Math.max(0, x - plot.left));
      setDrag(isSelection ? { from: inPlot(first), to: inPlot(last) } : undefined);
    } else if (event.type !== 'pointerdown') {
      hand.pressedAt = undefined;
      setDrag(undefined);
      if (event.type === 'pointerup' && isSelection) onZoom({ from: timeAt(first), to: timeAt(last) });
    }
  };

  const moveFinger = (
    event: PointerEvent,
    { fingers }: Hand,
    shareAt: (x: number) => number,
    timeAt: (x: number) => number,
  ): void => {
    const finger = fingers.get(event.pointerId);
    if (event.type === 'pointerdown')
      fingers.set(event.pointerId, { x: event.clientX, anchorTime: timeAt(event.clientX) });
    else if (event.type !== 'pointermove') fingers.delete(event.pointerId);
    else if (finger) finger.x = event.clientX;
    const [one, two, third] = [...fingers.values()];
    if (!one || !two || third) return;
    if (event.type === 'pointerdown') {
      one.anchorTime = timeAt(one.x);
      return;
    }
    const next = pinchedRange([one.anchorTime, two.anchorTime], [shareAt(one.x), shareAt(two.x)]);
    if (next && finger) onZoom(next);
  };

  useEffect(() => {
    const element = frame.current!;
    const hand: Hand = { pressedAt: undefined, fingers: new Map() };
    const listen = (event: Event): void => gestures(event, hand);
    const controller = new AbortController();
    const { signal } = controller;
    element.addEventListener('pointerdown', listen, { signal });
    element.addEventListener('wheel', listen, { signal, passive: false });
    // Listens to the window, because a drag may end outside the element.
    for (const name of ['pointermove', 'pointerup', 'pointercancel'])
      window.addEventListener(name, listen, { signal });
    return () => controller.abort();
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the page also has buttons for zooming.
    <div ref={frame} className={styles.area} onDoubleClick={onReset}>
      {children}
      {drag && (
        <div
          className={styles.selection}
          style={{ left: PLOT_MARGIN_LEFT_PX + drag.from, width: drag.to - drag.from }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}

/** Position of the plot on the screen, in pixels. */
type Plot = { readonly left: number; readonly width: number };

/**
 * State of the current gesture. `pressedAt`: x at which the mouse button was pressed, in pixels. `anchorTime`: the
 * time on the axis at which a finger touched the chart.
 */
type Hand = {
  pressedAt: number | undefined;
  readonly fingers: Map<number, { x: number; anchorTime: number }>;
};
