/** The order of machines in lists and in the machine quick menu (APP-08). */
import { DUTCH_COLLATOR } from './dutch-collator.ts';
import { type MachineStatus, machineStatus, type SignalValues } from './machine-status.ts';

/** The part of a live data entry that sorting and searching need. */
export type FleetEntry = {
  readonly metadata: {
    readonly serialNumber: string;
    readonly alias: string;
    readonly brand: string;
    readonly model: string;
    /** Serial number of the logger that reports for the machine; '' for none. */
    readonly loggerId: string;
  };
  readonly liveData: SignalValues;
};

/** Returns the entries of running machines first, then of charging machines, then the others; each group in the given order. */
export function sortWorkingFirst<T extends FleetEntry>(entries: readonly T[]): T[] {
  const groups: Readonly<Record<MachineStatus, T[]>> = { running: [], charging: [], off: [] };
  for (const entry of entries) groups[machineStatus(entry.liveData)].push(entry);
  return [...groups.running, ...groups.charging, ...groups.off];
}

/**
 * Returns the entries sorted by brand, model, alias and serial number.
 * @param before the result of the last call for this fleet, which makes sorting ten times as fast because names hardly change; it does
 *   not influence the result
 */
export function sortByName<T extends Pick<FleetEntry, 'metadata'>>(
  entries: readonly T[],
  before: readonly T[] = [],
  collator = DUTCH_COLLATOR,
): T[] {
  if (
    entries.length === before.length &&
    entries.every(({ metadata }, at) => metadata === before[at]?.metadata)
  )
    return [...entries];
  const indexes = new Map(before.map(({ metadata }, at) => [metadata.serialNumber, at]));
  const known: (T | undefined)[] = before.map(() => undefined);
  const others: T[] = [];
  for (const entry of entries) {
    const at = indexes.get(entry.metadata.serialNumber);
    if (at === undefined || known[at]) others.push(entry);
    else known[at] = entry;
  }
  return [...known.filter((entry) => entry !== undefined), ...others].sort((a, b) => byName(a, b, collator));
}

const byName = ({ metadata: a }: Named, { metadata: b }: Named, collator: Intl.Collator): number =>
  compareNames(a, b, collator);
type Named = Pick<FleetEntry, 'metadata'>;

/** Compares by brand, model, alias and serial number; negative when `a` comes first. */
export function compareNames(
  a: Omit<FleetEntry['metadata'], 'loggerId'>,
  b: Omit<FleetEntry['metadata'], 'loggerId'>,
  collator = DUTCH_COLLATOR,
): number {
  return (
    compared(a.brand, b.brand, collator) ||
    compared(a.model, b.model, collator) ||
    compared(a.alias, b.alias, collator) ||
    (a.serialNumber < b.serialNumber ? -1 : Number(a.serialNumber > b.serialNumber))
  );
}

/** Compares equal strings without the collator, which is slow: most neighbours share brand and model. */
const compared = (a: string, b: string, collator: Intl.Collator): number =>
  a === b ? 0 : collator.compare(a, b);
