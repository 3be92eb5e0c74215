/** The names under which a reading stores an unused value (docs/figures.md section 1); no figure reads them. */
import type { Signals } from './signal.ts';

const PREFIX = 'Unused.';
export const POSITION_SIGNALS: readonly string[] = ['LATITUDE', 'LONGITUDE'];
export const [UNUSED_LATITUDE, UNUSED_LONGITUDE] = POSITION_SIGNALS.map((axis) => `${PREFIX}${axis}`) as [
  string,
  string,
];

export const isUnused = (name: string): boolean => name.startsWith(PREFIX);

/** Returns the reading as it was sent: with the unused values under their original names. */
export function withOriginalNames(signals: Signals): Signals {
  let unused: string[] | undefined;
  for (const name in signals)
    if (isUnused(name)) {
      unused ??= [];
      unused.push(name);
    }
  if (!unused) return signals;
  const sent: Record<string, number> = { ...signals };
  const hasPosition = unused.includes(UNUSED_LATITUDE) && unused.includes(UNUSED_LONGITUDE);
  for (const name of unused) {
    const value = sent[name] as number;
    delete sent[name];
    const isAxis = name === UNUSED_LATITUDE || name === UNUSED_LONGITUDE;
    if (!isAxis || hasPosition) sent[name.slice(PREFIX.length)] = value;
  }
  return sent;
}

/** Returns the reading as it is stored. @param names names of its unused values */
export function withUnusedNames(signals: Signals, names: readonly string[]): Signals {
  if (names.length === 0) return signals;
  const stored: Record<string, number> = { ...signals };
  for (const name of names) {
    const value = stored[name];
    if (value === undefined) continue;
    delete stored[name];
    stored[`${PREFIX}${name}`] = value;
  }
  return stored;
}

/** Returns the original names of the unused values of a stored reading. */
export const unusedNamesIn = (signals: Signals): readonly string[] =>
  Object.keys(signals)
    .filter(isUnused)
    .map((name) => name.slice(PREFIX.length));
