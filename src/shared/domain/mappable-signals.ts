/** What an administrator can feed from a CAN bus (MEDIT-12; issue 4, the mapping screen). */
import { isChargingFlag, isSocSignal, OUR_SIGNALS } from './signal.ts';

/** Our signals in the order of the screen. The time is the logger's own; a machine has up to four batteries. */
export const MAPPABLE_SIGNALS: readonly string[] = [
  ...OUR_SIGNALS.filter((name) => name !== 'GMT_UNIX'),
  'IsCharging',
  'Soc1',
  'Soc2',
  'Soc3',
  'Soc4',
];

/** Those that nothing feeds: `SOC1` feeds Soc1, and any IsCharging flag feeds IsCharging. */
export function unmappedSignals(targets: readonly string[]): string[] {
  const fed = new Set(
    targets.map((name) => {
      if (isSocSignal(name)) return `Soc${/\d+/.exec(name)?.[0] ?? 1}`;
      return isChargingFlag(name) ? 'IsCharging' : name;
    }),
  );
  return MAPPABLE_SIGNALS.filter((name) => !fed.has(name));
}
