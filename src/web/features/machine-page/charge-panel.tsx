import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { type BatteryState, hoursUntilFull } from '#shared/domain/battery.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import { hoursAsClock, hoursText, timeOrDateText } from '#shared/domain/nl.ts';
import { forecastStillAhead, hoursToForecastMiddle, whyChargeTimeUnknown } from '#shared/domain/time-left.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { ChargeForecast } from './charge-forecast.tsx';
import { SubscriptionSwitch } from './charging-mails.tsx';
import { SESSIONS_POLL_MS } from './charging-queries.ts';
import { KeyFigure } from './figure.tsx';
import { Section } from './section.tsx';

type ChargePanelProps = {
  readonly serial: string;
  readonly batteries: readonly BatteryState[];
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** Unix ms. */
  readonly now: number;
};

const HOUR_MS = 3_600_000;

/** Panel with the remaining charging time, and the subscription to charging mails (MDET-06, MDET-07). */
export function ChargePanel({ serial, batteries, liveData, isStale, now }: ChargePanelProps): ReactNode {
  const atPower = isStale ? undefined : hoursUntilFull(batteries, liveData);
  const charges = !isStale && isCharging(liveData);
  const { limit } = useUser();
  const { data: answer, isLoading } = useQuery({
    ...readQuery('GET /api/influx/forecast/:serialNumber', { params: { serialNumber: serial } }),
    enabled: charges && !limit?.onlyToday,
    refetchInterval: SESSIONS_POLL_MS,
  });
  const readAt = liveData.GMT_UNIX * 1000;
  const forecast = charges ? forecastStillAhead(answer?.forecast, readAt) : undefined;
  const linear = isLoading ? undefined : atPower;
  const hours = forecast ? hoursToForecastMiddle(forecast, readAt) : linear;
  const note = (): string | undefined => {
    // The sentences below this value already give the forecast, or say that the machine does not charge.
    if (forecast || isLoading || (linear === undefined && !charges && !isStale)) return undefined;
    if (linear === undefined) return whyChargeTimeUnknown({ batteries, liveData, isStale });
    return linear > 0
      ? `${hoursText(linear)}, ca. vol om ${fullAt(liveData, linear, now)}`
      : hoursText(linear);
  };
  return (
    <Section id="laden" title="Laad Status" opens>
      <KeyFigure label="Resterende laadtijd" value={hoursAsClock(hours)} isStale={isStale} note={note()} />
      {forecast && answer && <ChargeForecast answer={answer} atPower={atPower} hours={hours} now={now} />}
      <p className="quiet">
        {isStale
          ? 'Onbekend of de machine nu laadt.'
          : charges
            ? 'De machine laadt.'
            : 'De machine laadt niet.'}
      </p>
      <SubscriptionSwitch serial={serial} />
    </Section>
  );
}

/**
 * Returns when the machine is full, counted from its last reading as in the charging mail, so that the time does not
 * shift while the machine sends nothing.
 */
const fullAt = ({ GMT_UNIX }: LiveData, hours: number, now: number): string =>
  timeOrDateText(GMT_UNIX * 1000 + hours * HOUR_MS, now);
