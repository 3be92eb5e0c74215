import type { ReactNode } from 'react';
import type { Forecast } from '#shared/contract/charging-sessions.ts';
import { hoursText } from '#shared/domain/nl.ts';
import { forecastInWords, recordInWords } from './forecast-words.ts';
import styles from './panels.module.css';

type ChargeForecastProps = {
  readonly told: Forecast;
  /** Hours until full by the specified formula; undefined: not known. */
  readonly atPower: number | undefined;
  /** Hours until full by the forecast. */
  readonly hours: number | undefined;
  /** Unix time in ms. */
  readonly now: number;
};

/** When a machine that charges will be full, by its own earlier charges, and how often that was right. Nothing where too few tell. */
export function ChargeForecast({
  told: { forecast, record },
  atPower,
  hours = 0,
  now,
}: ChargeForecastProps): ReactNode {
  if (!forecast) return null;
  const slower = atPower !== undefined && atPower < hours ? ', zonder het tragere laden aan het eind' : '';
  return (
    <>
      <p className={styles.forecast}>{forecastInWords(forecast, now)}</p>
      <p className={styles.quiet}>
        Volgens eerdere laadbeurten. {recordInWords(record)}
        {atPower !== undefined && ` Bij het vermogen van nu${slower}: ${hoursText(atPower)}.`}
      </p>
    </>
  );
}
