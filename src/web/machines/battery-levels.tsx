import type { ReactNode } from 'react';
import { averagePercent, type BatteryState } from '#shared/domain/battery.ts';
import { formatPercent } from '#shared/domain/nl.ts';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import styles from './battery-levels.module.css';

/** More packs than this are shown in two columns. */
const BELOW_EACH_OTHER = 3;
const PACK_REM = 1.25;

/** Returns the total height in rem of the bars of `packs` batteries. */
export const batteryBarsHeightRem = (packs: number): number =>
  (packs > BELOW_EACH_OTHER ? Math.ceil(packs / 2) : packs) * PACK_REM;

/** Shows the mean charge level of the batteries, and the charge level of each battery. */
export const BatteryLevels = ({ packs }: { readonly packs: readonly BatteryState[] }): ReactNode => (
  <span className={`${styles.batteries} gap-1 middle`}>
    <span className="large bold">{formatPercent(averagePercent(packs))}</span>
    <span className={`${styles.packs} smaller tight`} data-many={packs.length > BELOW_EACH_OTHER}>
      <BatteryBars batteries={packs} />
    </span>
  </span>
);
