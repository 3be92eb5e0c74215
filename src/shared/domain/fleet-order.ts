/** The order of machines wherever they are listed, and that of the machine quick menu (APP-08). */
import { type MachineStatus, machineStatus, type SignalValues } from './machine-status.ts';

/** What order and search go by, of an entry of the live data. */
export type FleetEntry = {
  readonly metadata: {
    readonly serialNumber: string;
    readonly alias: string;
    readonly brand: string;
    readonly model: string;
    /** Serial number of the logger that reports for it; '' for none. */
    readonly loggerId: string;
  };
  readonly liveData: SignalValues;
};

/** Case and accents do not matter, and model '2' comes before '10'. Made once: making one is slow. */
const DUTCH = new Intl.Collator('nl', { sensitivity: 'base', numeric: true });

/** Running, then charging, then off; each in the order given. */
export function workingFirst<T extends FleetEntry>(entries: readonly T[]): T[] {
  const groups: Readonly<Record<MachineStatus, T[]>> = { running: [], charging: [], off: [] };
  for (const entry of entries) groups[machineStatus(entry.liveData)].push(entry);
  return [...groups.running, ...groups.charging, ...groups.off];
}

/**
 * By brand, model, alias and serial number.
 *
 * @param before What the last call returned, of the same fleet: names hardly change, and sorting what is in order
 *   already costs a tenth. The result is the same without it.
 */
export function inNameOrder<T extends Pick<FleetEntry, 'metadata'>>(
  entries: readonly T[],
  before: readonly T[] = [],
  collator = DUTCH,
): T[] {
  // Names hardly change, and live data come in this order.
  if (
    entries.length === before.length &&
    entries.every(({ metadata }, at) => metadata === before[at]?.metadata)
  )
    return [...entries];
  const turns = new Map(before.map(({ metadata }, at) => [metadata.serialNumber, at]));
  const known: (T | undefined)[] = before.map(() => undefined);
  const others: T[] = [];
  for (const entry of entries) {
    const at = turns.get(entry.metadata.serialNumber);
    if (at === undefined || known[at]) others.push(entry);
    else known[at] = entry;
  }
  return [...known.filter((entry) => entry !== undefined), ...others].sort((a, b) => byName(a, b, collator));
}

const byName = ({ metadata: a }: Named, { metadata: b }: Named, collator: Intl.Collator): number =>
  compareNames(a, b, collator);
type Named = Pick<FleetEntry, 'metadata'>;

/** By brand, model, alias and serial number: negative when `a` comes first. */
export function compareNames(
  a: Omit<FleetEntry['metadata'], 'loggerId'>,
  b: Omit<FleetEntry['metadata'], 'loggerId'>,
  collator = DUTCH,
): number {
  return (
    compared(a.brand, b.brand, collator) ||
    compared(a.model, b.model, collator) ||
    compared(a.alias, b.alias, collator) ||
    (a.serialNumber < b.serialNumber ? -1 : Number(a.serialNumber > b.serialNumber))
  );
}

/** Most neighbours share brand and model, and the collator is slow. */
const compared = (a: string, b: string, collator: Intl.Collator): number =>
  a === b ? 0 : collator.compare(a, b);
