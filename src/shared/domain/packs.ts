/** Finds the battery pack of a state of charge signal, and which of two names for one pack counts (docs/figures.md section 7). */
import { MAX_GAP_MS } from './intervals.ts';
import type { Signals } from './signal.ts';

/** Maximum number of packs in a machine's form. */
export const MAX_PACK_COUNT = 8;

type SocName = { readonly pack: number; readonly isExact: boolean };

/** Cache of parsed names: loggers send the same names thousands of times a second. */
const known = new Map<string, SocName | null>();
const MAX_KNOWN = 20_000;

function socName(name: string): SocName | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = read(name);
  if (known.size < MAX_KNOWN) known.set(name, found);
  return found;
}

function read(name: string): SocName | null {
  // A name with a dot is a kept signal: message.signal.
  if (!/^soc[^.]*$/i.test(name)) return null;
  const pack = Number(/\d+/.exec(name)?.[0] ?? 1);
  return pack >= 1 && pack <= MAX_PACK_COUNT ? { pack, isExact: /^soc[1-8]$/i.test(name) } : null;
}

/** Returns the number of the pack of a state of charge signal: 2 for `Soc2`, 1 for `SOC`; undefined for any other signal. */
export const packNumberOf = (name: string): number | undefined => socName(name)?.pack;

/**
 * Sorts names of one pack, the clearest first: names that are exactly soc and a number, then all other names, both in alphabetical order.
 */
function clearerFirst(a: string, b: string): number {
  const unclear = Number(!socName(a)?.isExact) - Number(!socName(b)?.isExact);
  return unclear || (a < b ? -1 : 1);
}

/** Returns for each pack the clearest of its names: the first by `clearerFirst`. */
export function preferredNameByPack(names: Iterable<string>): Map<number, string> {
  const clearest = new Map<number, string>();
  for (const name of names) {
    const pack = packNumberOf(name);
    if (pack === undefined) continue;
    const other = clearest.get(pack);
    if (other === undefined || clearerFirst(name, other) < 0) clearest.set(pack, name);
  }
  return clearest;
}

/**
 * Returns the state of charge in a reading, %, by pack number - 1. If a pack has several names, the clearest
 * (see `clearerFirst`) counts; a name does not count if a clearer one had a value in the last 5 minutes.
 * @param last value and time (ms) of each signal before the reading
 */
export function packLevelsIn(
  signals: Signals,
  last: Readonly<Record<string, readonly [value: number, time: number]>>,
  time: number,
): readonly (number | undefined)[] {
  let names: (string | undefined)[] | undefined;
  for (const name in signals) {
    const pack = packNumberOf(name);
    if (pack === undefined) continue;
    names ??= [];
    const other = names[pack - 1];
    if (other === undefined || clearerFirst(name, other) < 0) names[pack - 1] = name;
  }
  if (!names) return NONE;
  for (const other in last) {
    const at = (packNumberOf(other) ?? 0) - 1;
    const name = names[at];
    if (name === undefined || name === other || clearerFirst(name, other) < 0) continue;
    if (time - (last[other]?.[1] as number) <= MAX_GAP_MS) names[at] = undefined;
  }
  let packs: (number | undefined)[] | undefined;
  for (const [at, name] of names.entries())
    if (name !== undefined) {
      packs ??= [];
      packs[at] = signals[name];
    }
  return packs ?? NONE;
}
const NONE: readonly undefined[] = [];
