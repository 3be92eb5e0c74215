import type { CSSProperties, ReactNode } from 'react';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { cellText, headingOf } from '#shared/domain/reports/column.ts';
import { DayBars } from '#web/ui/day-bars.tsx';
import { barsOf } from './chart-bars.ts';
import styles from './reports.module.css';

/** A bar chart of one column of the report's table. */
export function ReportChart({ report }: { readonly report: ReportAnswer }): ReactNode {
  const chart = barsOf(report);
  if (!chart) return null;
  const { column, bars, isPerDay } = chart;
  const most = Math.max(...bars.map(({ value }) => value));
  const what = `${headingOf(column)} per ${isPerDay ? 'dag' : 'machine'}`;
  return (
    <figure className={`${styles.chart} mb-6`}>
      <figcaption>{what}</figcaption>
      {isPerDay ? (
        <DayBars
          label={what}
          bars={bars.map(({ name, value }) => ({ day: name, value, text: cellText(column, value) }))}
        />
      ) : (
        <ul className={`${styles.bars} stack gap-1`}>
          {bars.map(({ name, value }) => (
            <li key={name} title={`${name}: ${cellText(column, value)}`}>
              <span className={styles.name}>{name}</span>
              <span>
                <span
                  className={styles.bar}
                  style={{ '--part': most > 0 ? value / most : 0 } as CSSProperties}
                />
              </span>
              <span className={styles.value}>{cellText(column, value)}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
