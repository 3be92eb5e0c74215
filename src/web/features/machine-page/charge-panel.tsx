import type { ReactNode } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import type { BatteryState } from '#shared/domain/battery.ts';
import { hoursUntilFull } from '#shared/domain/charge-time.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import { clockTime, dateAndTime, hoursAsClock } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/failure-text.ts';
import { FailureAlert } from '#web/ui/failure-alert.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { RetryAlert } from '#web/ui/retry-alert.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { Figure } from './figure.tsx';
import { useSetSubscription, useSubscription } from './machine-calls.ts';
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
        more={hours !== undefined && hours > 0 ? `vol om ${fullAt(now, hours)}` : undefined}
      />
      <p className={styles.quiet}>
        {isStale
          ? 'Onbekend of de machine nu laadt.'
          : charges
            ? 'De machine laadt.'
            : 'De machine laadt niet.'}
      </p>
      <Subscription serial={serial} />
    </Panel>
  );
}

function fullAt(now: number, hours: number): string {
  const at = now + hours * HOUR_MS;
  return hours < 12 ? clockTime(at) : dateAndTime(at);
}

/** The switch shows what the server stored. */
function Subscription({ serial }: { readonly serial: string }): ReactNode {
  const { data, ...query } = useSubscription(serial);
  const change = useSetSubscription(serial);
  return (
    <div className={styles.subscription}>
      {data !== undefined && (
        <>
          <span className={styles.name} aria-hidden="true">
            Voor laadupdate
          </span>
          <SwitchButton
            label="Voor laadupdate"
            isOn={data}
            words={['Aan', 'Uit']}
            isBusy={change.isPending}
            isCalm
            onSwitch={(isOn) => change.mutate(isOn)}
          />
          <p className={styles.quiet}>Een e-mail als het laden begint, stopt of klaar is.</p>
        </>
      )}
      <FailureAlert>
        {change.error
          ? failureText(change.error, 'De laadupdate is niet gewijzigd. Probeer het opnieuw.')
          : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="De laadupdate is niet geladen." />
    </div>
  );
}
