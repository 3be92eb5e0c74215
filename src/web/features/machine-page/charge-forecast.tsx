import type { ReactNode } from 'react';
import { useForecast } from './charging-calls.ts';
import { forecastInWords, recordInWords } from './forecast-words.ts';
import styles from './panels.module.css';

type ChargeForecastProps = { readonly serial: string; readonly charges: boolean; readonly now: number };

/**
 * When a machine that charges will be full, by its own earlier charges, and how often that was right. Nothing where too few charges
 * tell; nor is a failure shown, since the specified figure stands beside it.
 */
export function ChargeForecast({ serial, charges, now }: ChargeForecastProps): ReactNode {
  const { data } = useForecast(serial, charges);
  if (!charges || !data?.forecast) return null;
  const record = recordInWords(data.record);
  return (
    <>
      <p className={styles.forecast}>{forecastInWords(data.forecast, now)}</p>
      <p className={styles.quiet}>Volgens eerdere laadbeurten. {record}</p>
    </>
  );
}
