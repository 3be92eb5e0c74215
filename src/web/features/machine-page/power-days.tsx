import type { ReactNode } from 'react';
import { decimals, dutchDate, hoursAsClock } from '#shared/domain/nl.ts';
import styles from './panels.module.css';

type Day = { readonly date: string; readonly hours: number; readonly AvgPower: number | null };

type PowerDaysProps = {
  /** undefined: not (yet) known. */
  readonly power: { readonly AvgPower: number | null; readonly days: readonly Day[] } | undefined;
  readonly lacksCapacity: boolean;
  readonly isStale: boolean;
};

/** The averaged days behind 'Resterende werktijd', or why there is none (MDET-05). */
export function PowerDays({ power, lacksCapacity, isStale }: PowerDaysProps): ReactNode {
  const days = power?.days.filter(({ hours }) => hours > 0) ?? [];
  return (
    <>
      {isStale && <span className={styles.line}>De gegevens zijn te oud voor een schatting.</span>}
      {lacksCapacity && <span className={styles.line}>Van een accu is de capaciteit niet ingevuld.</span>}
      {power === undefined ? (
        'Het gemiddelde vermogen is nog niet bekend.'
      ) : power.AvgPower === null ? (
        'De machine heeft de laatste 30 dagen niet gedraaid.'
      ) : (
        <>
          <span className={styles.line}>
            Gemiddeld {decimals(power.AvgPower, 1)} kW over de draaitijd van de laatste 30 dagen:
          </span>
          {[...days].reverse().map(({ date, hours, AvgPower }) => (
            <span key={date} className={styles.line}>
              <span>{dutchDate(date).slice(0, 5)}</span>
              <span>{hoursAsClock(hours)} uur</span>
              <span>{AvgPower === null ? '--' : `${decimals(AvgPower, 1)} kW`}</span>
            </span>
          ))}
        </>
      )}
    </>
  );
}
