import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { scaled } from '#web/chart/zoom-range.ts';
import styles from './zoom-buttons.module.css';

type ZoomButtonsProps = {
  readonly range: TimeRange;
  /** Everything that was asked for. */
  readonly whole: TimeRange;
  /** ms; stays in its place. */
  readonly instant: number;
  readonly onZoom: (range: TimeRange) => void;
};

/** Zooming and moving without a mouse or fingers. */
export function ZoomButtons({ range, whole, instant, onZoom }: ZoomButtonsProps): ReactNode {
  const half = (range.to - range.from) / 2;
  const moved = (ms: number): TimeRange => ({ from: range.from + ms, to: range.to + ms });
  const isWhole = range.from <= whole.from && range.to >= whole.to;
  const buttons = [
    { label: 'Inzoomen', next: scaled(range, 0.5, instant), isOff: false },
    { label: 'Uitzoomen', next: scaled(range, 2, instant), isOff: isWhole },
    { label: 'Eerder', next: moved(-half), isOff: range.from <= whole.from },
    { label: 'Later', next: moved(half), isOff: range.to >= whole.to },
    { label: 'Hele periode', next: whole, isOff: isWhole },
  ];
  return (
    <fieldset className={styles.buttons}>
      <legend className="sr-only">Zoomen</legend>
      {buttons.map(({ label, next, isOff }) => (
        <Button
          key={label}
          variant="default"
          size="sm"
          // It keeps the focus: a disabled one would lose it.
          aria-disabled={isOff || undefined}
          data-off={isOff || undefined}
          onClick={() => isOff || onZoom(next)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
