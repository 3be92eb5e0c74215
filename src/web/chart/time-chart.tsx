import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import uPlot from 'uplot';
import { chartOptions, placeCursor, type TimeChartData } from './chart-options.ts';
import { cursorStopIndex, timeAfterKey, timesWithValues } from './chart-stops.ts';
import styles from './time-chart.module.css';

type TimeChartProps = {
  /** Content of the chart. Pass the same object as long as the content is the same: each new object makes a new chart. */
  readonly data: TimeChartData;
  /** Description for screen readers. */
  readonly label: string;
  /** Pixels. */
  readonly height: number;
  /** Position of the cursor while the user does not point at the chart, in Unix seconds. */
  readonly cursor?: number | undefined;
  /** Called when the user points at a time with a mouse, a finger or the keyboard. */
  readonly onCursor?: (time: number) => void;
  /** If set, the keyboard can move the cursor as a slider. */
  readonly keys?: {
    readonly name: string;
    /** The values at the cursor, for screen readers. */
    readonly spoken: string;
    /** Called on Escape. */
    readonly onLeave: () => void;
  };
};

/** A chart of lines over time, as wide as its parent. Only web/chart uses uPlot. Its code is large: load it lazily. */
export function TimeChart({ data, label, height, cursor, onCursor, keys }: TimeChartProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const scheme = useComputedColorScheme();
  const onPoint = useEffectEvent((time: number | undefined) => {
    if (time === undefined) chart.current && placeCursor(chart.current, cursor);
    else onCursor?.(time);
  });
  const showCursor = useEffectEvent(() => chart.current && placeCursor(chart.current, cursor));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the colour scheme.
  useLayoutEffect(() => {
    const root = frame.current!;
    const size = { width: root.clientWidth, height };
    const columns = data.lines.map(({ values }) => values as (number | null | undefined)[]);
    const created = new uPlot(
      chartOptions(data, size, root, (time) => onPoint(time)),
      [data.times as number[], ...columns],
      root,
    );
    chart.current = created;
    const followsFinger = fingerMoves(created);
    const resized = new ResizeObserver(() => {
      if (root.clientWidth !== created.width) created.setSize({ width: root.clientWidth, height });
      showCursor();
    });
    resized.observe(root);
    return () => {
      resized.disconnect();
      followsFinger();
      created.destroy();
      chart.current = undefined;
    };
  }, [data, height, scheme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new chart needs its cursor placed.
  useEffect(() => void showCursor(), [cursor, data, height, scheme]);

  return (
    <div className={styles.frame}>
      <div ref={frame} className={styles.chart} style={{ height }} role="img" aria-label={label} />
      {keys && onCursor && <CursorKeys {...{ data, cursor, onCursor, keys }} />}
    </div>
  );
}

type CursorKeysProps = Required<Pick<TimeChartProps, 'data' | 'onCursor' | 'keys'>> &
  Pick<TimeChartProps, 'cursor'>;

/**
 * A slider over the plot, for the keyboard. Arrow keys move the cursor from value to value, Home and End move it to
 * the first and last value, and Escape calls `onLeave`.
 */
function CursorKeys({ data, cursor, onCursor, keys: { name, spoken, onLeave } }: CursorKeysProps): ReactNode {
  const stops = useMemo(() => timesWithValues(data), [data]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      onLeave();
      event.currentTarget.blur();
      return;
    }
    const time = timeAfterKey(stops, cursor, event.key);
    if (time === undefined) return;
    event.preventDefault(); // keeps the page from scrolling
    onCursor(time);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.keys}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, stops.length - 1)}
      aria-valuenow={cursor === undefined ? 0 : cursorStopIndex(stops, cursor)}
      aria-valuetext={spoken}
      onKeyDown={onKeyDown}
    />
  );
}

/**
 * Moves the cursor with a finger, because uPlot listens to the mouse only. @returns a function that removes the
 * listeners
 */
function fingerMoves(chart: uPlot): () => void {
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') return;
    const { left } = chart.over.getBoundingClientRect();
    chart.setCursor({ left: Math.min(chart.over.clientWidth, Math.max(0, event.clientX - left)), top: 0 });
  };
  chart.over.addEventListener('pointerdown', move);
  chart.over.addEventListener('pointermove', move);
  return () => {
    chart.over.removeEventListener('pointerdown', move);
    chart.over.removeEventListener('pointermove', move);
  };
}
