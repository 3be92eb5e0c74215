/** The order of the machine quick menu (specification section 2; APP-08). */
import type { LiveEntry } from './live.ts';
import { type MachineStatus, machineStatus } from './machine-status.ts';

const RANK: Readonly<Record<MachineStatus, number>> = { running: 0, charging: 1, off: 2 };

/** Case and accents do not matter, and model '2' comes before '10'. Made once: making one is slow. */
const DUTCH = new Intl.Collator('nl', { sensitivity: 'base', numeric: true });

/**
 * Running, then charging, then off; inside each by brand, model, alias, and at last the serial number, so that
 * the order never depends on the order of arrival.
 */
export function inFleetOrder<T extends LiveEntry>(entries: readonly T[], collator = DUTCH): T[] {
  return entries
    .map((entry) => ({ entry, rank: RANK[machineStatus(entry.liveData)] }))
    .sort((a, b) => a.rank - b.rank || byName(a.entry, b.entry, collator))
    .map(({ entry }) => entry);
}

function byName({ metadata: a }: LiveEntry, { metadata: b }: LiveEntry, collator: Intl.Collator): number {
  return (
    collator.compare(a.brand, b.brand) ||
    collator.compare(a.model, b.model) ||
    collator.compare(a.alias, b.alias) ||
    (a.serialNumber < b.serialNumber ? -1 : Number(a.serialNumber > b.serialNumber))
  );
}
