import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import { chartOptions, placeCursor, type TimeChartData } from './chart-options.ts';
import styles from './time-chart.module.css';

type TimeChartProps = {
  /** Everything that is seen. The chart is made anew when it is another object: keep it while it is the same. */
  readonly data: TimeChartData;
  /** The picture in words, for who does not see it. */
  readonly label: string;
  /** px. */
  readonly height: number;
  /** Unix seconds; where the cursor stands while nobody points. */
  readonly cursor?: number | undefined;
  /** The person points at a time, with a mouse or a finger. */
  readonly onCursor?: (time: number) => void;
};

/** Lines over time, as wide as its parent. Only web/chart knows uPlot. Heavy: load it as a chunk of its own. */
export function TimeChart({ data, label, height, cursor, onCursor }: TimeChartProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const scheme = useComputedColorScheme();
  const onPoint = useEffectEvent((time: number | undefined) => {
    if (time === undefined) chart.current && placeCursor(chart.current, cursor);
    else onCursor?.(time);
  });
  const showCursor = useEffectEvent(() => chart.current && placeCursor(chart.current, cursor));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another colour scheme is another set of colours.
  useLayoutEffect(() => {
    const root = frame.current!;
    const size = { width: root.clientWidth, height };
    const columns = data.lines.map(({ values }) => values as (number | null)[]);
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new chart has its cursor to be placed again.
  useEffect(() => void showCursor(), [cursor, data, height, scheme]);

  return <div ref={frame} className={styles.chart} style={{ height }} role="img" aria-label={label} />;
}

/** uPlot hears a mouse only; a finger that moves sideways does the same. Answers how to stop. */
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
