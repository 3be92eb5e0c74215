/** Counts the proposals for a mapping that are not accepted yet (55.62). */
import type { DefinitionView } from '../contract/definition.ts';

/** Returns whether the logger knows a signal without a CAN bus: every configuration has GNSS. */
export const comesFromGps = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';

/**
 * Returns how many of our signals have a proposal that one press takes over, by the rule of the mapping's page: none for the
 * position, and one DBC signal for one of ours only.
 */
export function countOpenProposals(proposals: DefinitionView['proposals']): number {
  const taken = new Set<string>();
  let last: string | undefined;
  for (const { to, bus, message, signal } of proposals) {
    if (to !== last && !comesFromGps(to)) taken.add(`${bus} ${message} ${signal}`);
    last = to;
  }
  return taken.size;
}

/** '2 voorstellen nog niet overgenomen' */
export const openProposalsText = (count: number): string =>
  `${count} ${count === 1 ? 'voorstel' : 'voorstellen'} nog niet overgenomen`;
