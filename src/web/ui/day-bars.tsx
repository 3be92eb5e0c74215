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
    /** Short text above the bar. */
    readonly short?: string;
  }[];
  /** Makes each bar a button. */
  readonly pick?: { readonly day: string | undefined; readonly onPick: (day: string) => void };
};

/** One bar per day, with the day of the month below it. */
export function DayBars({ label, bars, pick }: DayBarsProps): ReactNode {
  const most = Math.max(...bars.map(({ value }) => value));
  return (
    <ul className={`${styles.days} row`} aria-label={label}>
      {bars.map(({ day, value, text, short }) => {
        const bar = (
          <>
            <span className={`${styles.name} clip quiet centred`} aria-hidden="true">
              {Number(day.slice(8))}
            </span>
            <span className={`${styles.track} row gap-0 stretch grow`} aria-hidden="true">
              <span
                className={styles.bar}
                style={{ '--part': most > 0 ? value / most : 0 } as CSSProperties}
              />
              {short && <span className={`${styles.short} strong tight centred`}>{short}</span>}
            </span>
            <span className="sr-only">
              {dutchDate(day)}: {text}
            </span>
          </>
        );
        return (
          <li key={day} title={`${dutchDate(day)}: ${text}`}>
            {pick ? (
              <button type="button" aria-pressed={pick.day === day} onClick={() => pick.onPick(day)}>
                {bar}
              </button>
            ) : (
              bar
            )}
          </li>
        );
      })}
    </ul>
  );
}
