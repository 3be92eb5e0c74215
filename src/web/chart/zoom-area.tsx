import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PLOT_LEFT_PX, PLOT_RIGHT_PX } from './chart-options.ts';
import styles from './zoom-area.module.css';
import { pinched, type Range, scaled } from './zoom-range.ts';

/** px; a press that moves less is no selection. */
const LEAST_DRAG_PX = 8;
/** Of one notch of a wheel, as 100 px. */
const WHEEL_FACTOR = 1.002;

type ZoomAreaProps = {
  /** What the width of every chart inside shows. */
  readonly range: Range;
  /** The person asks for this range; the caller keeps it in its limits. */
  readonly onZoom: (range: Range) => void;
  /** The person wants everything: a double click. */
  readonly onReset: () => void;
  /** TimeCharts below each other, as wide as this. */
  readonly children: ReactNode;
};

/**
 * Charts that zoom together: by dragging over a part with a mouse, two fingers, or the wheel with Control (a
 * trackpad's pinch). The keyboard has buttons, which are the page's. One finger stays the cursor's and the page's.
 */
export function ZoomArea({ range, onZoom, onReset, children }: ZoomAreaProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const gestures = useEffectEvent((event: Event, hand: Hand) => {
    const box = frame.current?.getBoundingClientRect();
    if (box)
      handle(event, hand, { left: box.left + PLOT_LEFT_PX, width: box.width - PLOT_LEFT_PX - PLOT_RIGHT_PX });
  });

  const handle = (event: Event, hand: Hand, plot: Plot): void => {
    const shareAt = (x: number) => Math.min(1, Math.max(0, (x - plot.left) / plot.width));
    const timeAt = (x: number) => range.from + shareAt(x) * (range.to - range.from);
    if (event instanceof WheelEvent) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onZoom(scaled(range, WHEEL_FACTOR ** event.deltaY, timeAt(event.clientX)));
    } else if (event instanceof PointerEvent) {
      if (event.pointerType === 'mouse') dragMouse(event, hand, plot, timeAt);
      else moveFinger(event, hand, shareAt, timeAt);
    }
  };

  const dragMouse = (event: PointerEvent, hand: Hand, plot: Plot, timeAt: (x: number) => number): void => {
    if (event.type === 'pointerdown' && event.button === 0) hand.pressedAt = event.clientX;
    if (hand.pressedAt === undefined) return;
    const [first, last] = [hand.pressedAt, event.clientX].sort((a, b) => a - b) as [number, number];
    const isSelection = last - first >= LEAST_DRAG_PX;
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
      fingers.set(event.pointerId, { x: event.clientX, held: timeAt(event.clientX) });
    else if (event.type !== 'pointermove') fingers.delete(event.pointerId);
    else if (finger) finger.x = event.clientX;
    const [one, two, third] = [...fingers.values()];
    if (!one || !two || third) return;
    if (event.type === 'pointerdown') {
      one.held = timeAt(one.x);
      return;
    }
    const next = pinched([one.held, two.held], [shareAt(one.x), shareAt(two.x)]);
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
    // A drag may end outside.
    for (const name of ['pointermove', 'pointerup', 'pointercancel'])
      window.addEventListener(name, listen, { signal });
    return () => controller.abort();
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the page has buttons that do the same.
    <div ref={frame} className={styles.area} onDoubleClick={onReset}>
      {children}
      {drag && (
        <div
          className={styles.selection}
          style={{ left: PLOT_LEFT_PX + drag.from, width: drag.to - drag.from }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}

/** px on the screen. */
type Plot = { readonly left: number; readonly width: number };

/** What the person's hand is doing; `held` is the time that a finger was put on. */
type Hand = { pressedAt: number | undefined; readonly fingers: Map<number, { x: number; held: number }> };
