import type { CSSProperties, ReactNode } from 'react';
import { dutchDate } from '#shared/domain/nl.ts';
import styles from './day-bars.module.css';

type DayBarsProps = {
  readonly label: string;
  readonly bars: readonly {
    /** 'YYYY-MM-DD' */
    readonly day: string;
    readonly value: number;
    readonly text: string;
  }[];
};

/** A bar per day, with the day of the month below it: for the eye, which sees what stands out. */
export function DayBars({ label, bars }: DayBarsProps): ReactNode {
  const most = Math.max(...bars.map(({ value }) => value));
  return (
    <ul className={styles.days} aria-label={label}>
      {bars.map(({ day, value, text }) => (
        <li key={day} title={`${dutchDate(day)}: ${text}`}>
          <span className={styles.name} aria-hidden="true">
            {Number(day.slice(8))}
          </span>
          <span className={styles.track} aria-hidden="true">
            <span className={styles.bar} style={{ '--part': most > 0 ? value / most : 0 } as CSSProperties} />
          </span>
          <span className="sr-only">
            {dutchDate(day)}: {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
