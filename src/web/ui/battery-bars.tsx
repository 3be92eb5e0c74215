import type { ReactNode } from 'react';
import { type BatteryState, LOW_BELOW_PERCENT } from '#shared/domain/battery.ts';
import { formatPercent } from '#shared/domain/nl.ts';
import styles from './battery-bars.module.css';

const HALF_BELOW_PERCENT = 50;

function levelOf(value: number): 'low' | 'half' | 'full' {
  if (value < LOW_BELOW_PERCENT) return 'low';
  return value < HALF_BELOW_PERCENT ? 'half' : 'full';
}

type BatteryBarsProps = { readonly batteries: readonly Pick<BatteryState, 'number' | 'percent'>[] };

/** One bar per battery, with its number and percentage; '--' and a hatched bar if the level is unknown. */
export function BatteryBars({ batteries }: BatteryBarsProps): ReactNode {
  if (batteries.length === 0) return null;
  return (
    <ul className="stack gap-1">
      {batteries.map((battery) => (
        <li key={battery.number} className={`${styles.battery} gap-2 middle`}>
          <span>
            <span>Accu </span>
            {battery.number}
          </span>
          <Bar value={battery.percent} />
          <span className="strong right">{formatPercent(battery.percent)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The bar of one battery, hidden from screen readers, which read the percentage beside the bar. */
function Bar({ value }: { readonly value: number | undefined }): ReactNode {
  if (value === undefined) return <span className={styles.bar} data-level="unknown" aria-hidden="true" />;
  const width = `${Math.min(100, Math.max(0, value))}%`;
  return (
    <span className={styles.bar} data-level={levelOf(value)} aria-hidden="true">
      <span className={`${styles.fill} block tall`} style={{ width }} />
    </span>
  );
}
