import type { ReactNode } from 'react';
import { hoursAsClock } from '#shared/domain/nl.ts';
import styles from './panels.module.css';

type Day = { readonly date: string; readonly hours: number; readonly AvgPower: number | null };

type PowerDaysProps = {
  /** undefined: not (yet) known. */
  readonly power: { readonly AvgPower: number | null; readonly days: readonly Day[] } | undefined;
  readonly lacksCapacity: boolean;
  readonly isStale: boolean;
};

const KW = new Intl.NumberFormat('nl-NL', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

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
            Gemiddeld {KW.format(power.AvgPower)} kW over de draaitijd van de laatste 30 dagen:
          </span>
          {[...days].reverse().map(({ date, hours, AvgPower }) => (
            <span key={date} className={styles.line}>
              <span>{date.split('-').reverse().slice(0, 2).join('-')}</span>
              <span>{hoursAsClock(hours)} uur</span>
              <span>{AvgPower === null ? '--' : `${KW.format(AvgPower)} kW`}</span>
            </span>
          ))}
        </>
      )}
    </>
  );
}
