import type { ReactNode } from 'react';
import type { SessionForecast } from '#shared/contract/charging-sessions.ts';
import { hoursText } from '#shared/domain/nl.ts';
import { forecastRecordText, forecastText } from './forecast-text.ts';

type ChargeForecastProps = {
  readonly answer: SessionForecast;
  /** Hours until full at the present power; undefined if unknown. */
  readonly atPower: number | undefined;
  /** Hours until full by the forecast. */
  readonly hours: number | undefined;
  /** Unix ms. */
  readonly now: number;
};

/** Forecast, from earlier sessions, of when a charging machine will be full, and how often it was right. Hidden without a forecast. */
export function ChargeForecast({
  answer: { forecast, record },
  atPower,
  hours = 0,
  now,
}: ChargeForecastProps): ReactNode {
  if (!forecast) return null;
  const slower = atPower !== undefined && atPower < hours ? ', zonder het tragere laden aan het eind' : '';
  return (
    <>
      <p className="strong">{forecastText(forecast, now)}</p>
      <p className="quiet">
        Volgens eerdere laadbeurten. {forecastRecordText(record)}
        {atPower !== undefined && ` Bij het vermogen van nu${slower}: ${hoursText(atPower)}.`}
      </p>
    </>
  );
}
