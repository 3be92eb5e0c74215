import type { ChargingTariff } from '../domain/charging-tariffs.ts';
import { FLEET_OWNER, LMB_OWNER } from './organizations.ts';

type DemoTariff = Omit<ChargingTariff, 'firstDay' | 'lastDay'> & {
  /** First day of the tariff, in days before the demo was created. */
  readonly begunBefore: number;
};

const CONTRACT = { nightFrom: 23, nightTo: 7, nightWeekend: true };

/** Charging tariffs by organization, the oldest first. */
export const demoTariffs: Readonly<Record<string, readonly DemoTariff[]>> = {
  [FLEET_OWNER]: [
    { ...CONTRACT, begunBefore: 400, dayPrice: 0.27315, nightPrice: 0.21485 },
    { ...CONTRACT, begunBefore: 12, dayPrice: 0.25894, nightPrice: 0.20167 },
  ],
  [LMB_OWNER]: [{ ...CONTRACT, begunBefore: 400, dayPrice: 0.2415, nightPrice: null }],
};
