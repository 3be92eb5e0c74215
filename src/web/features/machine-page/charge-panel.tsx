import type { ReactNode } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { type BatteryState, hoursUntilFull } from '#shared/domain/battery.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import { clockTime, dateAndTime, hoursAsClock } from '#shared/domain/nl.ts';
import { Panel } from '#web/ui/panel.tsx';
import { ChargeForecast } from './charge-forecast.tsx';
import { Subscription } from './charging-mails.tsx';
import { Figure } from './figure.tsx';
import styles from './panels.module.css';

type ChargePanelProps = {
  readonly serial: string;
  readonly batteries: readonly BatteryState[];
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** ms. */
  readonly now: number;
};

const HOUR_MS = 3_600_000;

/** When it is full, and the mails about it (MDET-06, MDET-07). */
export function ChargePanel({ serial, batteries, liveData, isStale, now }: ChargePanelProps): ReactNode {
  const hours = isStale ? undefined : hoursUntilFull(batteries, liveData);
  const charges = !isStale && isCharging(liveData);
  return (
    <Panel title="Laad Status">
      <Figure
        label="Resterende laadtijd"
        value={hoursAsClock(hours)}
        isStale={isStale}
        more={hours !== undefined && hours > 0 ? `ca. vol om ${fullAt(liveData, hours)}` : undefined}
      />
      <p className={styles.quiet}>
        {isStale
          ? 'Onbekend of de machine nu laadt.'
          : charges
            ? 'De machine laadt.'
            : 'De machine laadt niet.'}
      </p>
      <ChargeForecast serial={serial} charges={charges} now={now} />
      <Subscription serial={serial} />
    </Panel>
  );
}

/** From the moment of which the level and the current are, as in the mail: not later with every minute of silence. */
function fullAt({ GMT_UNIX }: LiveData, hours: number): string {
  const at = GMT_UNIX * 1000 + hours * HOUR_MS;
  return hours < 12 ? clockTime(at) : dateAndTime(at);
}
