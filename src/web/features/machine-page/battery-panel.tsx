import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { averagePercent, type BatteryState, remainingKwh, workHoursLeft } from '#shared/domain/battery.ts';
import { MIN_UNMARKED_KNOWN_SHARE } from '#shared/domain/figures.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import {
  dutchDate,
  formatKilowattHours,
  formatKilowatts,
  formatPercent,
  hoursAsClock,
  hoursText,
  weekdayText,
} from '#shared/domain/nl.ts';
import { type Freshness, freshnessOf } from '#shared/domain/staleness.ts';
import { chargeLastsUntilText, whyChargeUntilUnknown, whyWorkTimeUnknown } from '#shared/domain/time-left.ts';
import { useMachineFigure } from '#web/machines/fleet-figures.ts';
import { readQuery } from '#web/queries/read.ts';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { ExplanationTip, KeyFigure } from './figure.tsx';
import styles from './panels.module.css';
import { Section } from './section.tsx';

const POWER_POLL_MS = 5 * 60_000;

type BatteryPanelProps = {
  readonly serial: string;
  readonly batteries: readonly BatteryState[];
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** Unix ms. */
  readonly now: number;
};

/** Panel with the charge level of each battery and the remaining work time (MDET-04, MDET-05). */
export function BatteryPanel({ serial, batteries, liveData, isStale, now }: BatteryPanelProps): ReactNode {
  const power = useQuery({
    ...readQuery('GET /api/influx/workpower/:serialNumber', {
      params: { serialNumber: serial },
      query: { start: '-30d', window: '300m' },
    }),
    refetchInterval: POWER_POLL_MS,
  });
  const figures = useMachineFigure(serial);
  const enough = isStale || isCharging(liveData) ? undefined : figures.data?.enough;
  const left = isStale
    ? undefined
    : workHoursLeft(remainingKwh(batteries), power.data?.AvgPower ?? undefined);
  const lacksCapacity = batteries.some(({ capacityKwh }) => capacityKwh === undefined);
  return (
    <Section id="batterij" title="Batterij Status" opens>
      <div className={styles.figures}>
        <KeyFigure
          label="Gemiddeld"
          value={formatPercent(averagePercent(batteries))}
          isStale={isStale}
          tip={
            <ExplanationTip label="Percentage per accu">
              <PackList batteries={batteries} />
            </ExplanationTip>
          }
        />
        <KeyFigure
          label="Resterende werktijd"
          value={hoursAsClock(left)}
          isStale={isStale}
          note={
            left === undefined
              ? whyWorkTimeUnknown({ batteries, liveData, isStale }, power.data)
              : hoursText(left)
          }
          tip={
            <ExplanationTip label="Waarop de werktijd berust">
              <PowerDays
                power={power.data}
                lacksCapacity={lacksCapacity}
                sighting={freshnessOf(liveData.GMT_UNIX, now)}
              />
            </ExplanationTip>
          }
        />
        <KeyFigure
          label="Genoeg"
          value={enough ? chargeLastsUntilText(enough.until, now) : '--'}
          isStale={isStale}
          note={
            enough
              ? `tot 20%, zoals gewoonlijk op ${weekdayText(now)}`
              : figures.isSuccess
                ? whyChargeUntilUnknown({ batteries, liveData, isStale }, now)
                : undefined
          }
        />
      </div>
      <div className={styles.bars} data-stale={isStale}>
        <BatteryBars batteries={batteries} />
      </div>
      {batteries.length === 0 && <p className="quiet">Deze machine meldt geen accu's.</p>}
      <RetryAlert query={power} fallback="Het gemiddelde vermogen is niet geladen." />
    </Section>
  );
}

function PackList({ batteries }: { readonly batteries: readonly BatteryState[] }): ReactNode {
  if (batteries.length === 0) return "Deze machine meldt geen accu's.";
  return batteries.map(({ number, percent: value, capacityKwh }) => (
    <span key={number} className={`${styles.line} cluster gap-x-3 stretch`}>
      <span>Accu {number}</span>
      <span>{formatPercent(value)}</span>
      <span className="quiet">
        {capacityKwh === undefined ? 'capaciteit onbekend' : `van ${formatKilowattHours(capacityKwh, 1, 0)}`}
      </span>
    </span>
  ));
}

type Day = { readonly date: string; readonly hours: number; readonly AvgPower: number | null };

type PowerDaysProps = {
  /** Undefined while the power is not loaded. */
  readonly power:
    | { readonly AvgPower: number | null; readonly known: number | null; readonly days: readonly Day[] }
    | undefined;
  readonly lacksCapacity: boolean;
  readonly sighting: Freshness;
};

/** The days from which 'Resterende werktijd' is averaged, or why it is unknown (MDET-05). */
function PowerDays({ power, lacksCapacity, sighting }: PowerDaysProps): ReactNode {
  const days = power?.days.filter(({ hours }) => hours > 0) ?? [];
  return (
    <>
      {sighting === 'stale' && (
        <span className={`${styles.line} cluster gap-x-3 stretch`}>
          De gegevens zijn te oud voor een schatting.
        </span>
      )}
      {sighting === 'never' && (
        <span className={`${styles.line} cluster gap-x-3 stretch`}>Er zijn nog geen gegevens.</span>
      )}
      {lacksCapacity && (
        <span className={`${styles.line} cluster gap-x-3 stretch`}>
          Van een accu is de capaciteit niet ingevuld.
        </span>
      )}
      {power === undefined ? (
        'Het gemiddelde vermogen is nog niet bekend.'
      ) : power.AvgPower === null ? (
        power.known === null ? (
          'De machine heeft de laatste 30 dagen niet gedraaid.'
        ) : (
          'De accustroom tijdens het draaien is niet bekend.'
        )
      ) : (
        <>
          <span className={`${styles.line} cluster gap-x-3 stretch`}>
            Gemiddeld {formatKilowatts(power.AvgPower)} over de draaitijd van de laatste 30 dagen:
          </span>
          {power.known !== null && power.known < MIN_UNMARKED_KNOWN_SHARE && (
            <span className={`${styles.line} cluster gap-x-3 stretch`}>
              Bekend over {formatPercent(power.known * 100)} van de draaitijd.
            </span>
          )}
          {[...days].reverse().map(({ date, hours, AvgPower }) => (
            <span key={date} className={`${styles.line} cluster gap-x-3 stretch`}>
              <span>{dutchDate(date).slice(0, 5)}</span>
              <span>{hoursText(hours)}</span>
              <span>{AvgPower === null ? '--' : formatKilowatts(AvgPower)}</span>
            </span>
          ))}
        </>
      )}
    </>
  );
}
