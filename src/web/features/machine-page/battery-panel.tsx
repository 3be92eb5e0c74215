import type { ReactNode } from 'react';
import { averagePercent, type BatteryState, remainingKwh } from '#shared/domain/battery.ts';
import { hoursAsClock, percent } from '#shared/domain/nl.ts';
import { workHoursLeft } from '#shared/domain/work-time.ts';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Figure } from './figure.tsx';
import { useWorkPower } from './history-calls.ts';
import styles from './panels.module.css';
import { PowerDays } from './power-days.tsx';
import { Tip } from './tip.tsx';

type BatteryPanelProps = {
  readonly serial: string;
  readonly batteries: readonly BatteryState[];
  readonly isStale: boolean;
};

/** How full, per battery, and how long it lasts (MDET-04, MDET-05). */
export function BatteryPanel({ serial, batteries, isStale }: BatteryPanelProps): ReactNode {
  const power = useWorkPower(serial);
  const left = workHoursLeft(remainingKwh(batteries), power.data?.AvgPower ?? undefined);
  const lacksCapacity = batteries.some(({ capacityKwh }) => capacityKwh === undefined);
  return (
    <Panel title="Batterij Status">
      <div className={styles.figures}>
        <Figure
          label="Gemiddeld"
          value={percent(averagePercent(batteries))}
          isStale={isStale}
          tip={
            <Tip label="Percentage per accu">
              <PackList batteries={batteries} />
            </Tip>
          }
        />
        <Figure
          label="Resterende werktijd"
          value={hoursAsClock(isStale ? undefined : left)}
          isStale={isStale}
          tip={
            <Tip label="Waarop de werktijd berust">
              <PowerDays power={power.data} lacksCapacity={lacksCapacity} isStale={isStale} />
            </Tip>
          }
        />
      </div>
      <div className={styles.bars} data-stale={isStale}>
        <BatteryBars batteries={batteries} />
      </div>
      {batteries.length === 0 && <p className={styles.quiet}>Deze machine meldt geen accu's.</p>}
      <RetryAlert query={power} fallback="Het gemiddelde vermogen is niet geladen." />
    </Panel>
  );
}

function PackList({ batteries }: { readonly batteries: readonly BatteryState[] }): ReactNode {
  if (batteries.length === 0) return "Deze machine meldt geen accu's.";
  return batteries.map(({ number, percent: value, capacityKwh }) => (
    <span key={number} className={styles.line}>
      <span>Accu {number}</span>
      <span>{percent(value)}</span>
      <span className={styles.quiet}>
        {capacityKwh === undefined ? 'capaciteit onbekend' : `van ${kwh(capacityKwh)} kWh`}
      </span>
    </span>
  ));
}

const NUMBER = new Intl.NumberFormat('nl-NL', { maximumFractionDigits: 1 });
const kwh = (value: number): string => NUMBER.format(value);
