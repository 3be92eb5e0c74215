/** Counts the proposals for a mapping that are not accepted yet (55.62). */

/** A DBC signal that is proposed as the source of the portal's signal `to`. */
export type ProposedSignal = {
  readonly to: string;
  readonly bus: number;
  readonly message: string;
  readonly signal: string;
};

/** Returns whether the logger measures a signal itself, without a CAN bus: every configuration has GNSS. */
export const comesFromGps = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';

/**
 * Returns how many of the portal's signals have a proposal that one click accepts. As on the mapping's page, the position never
 * has a proposal, and each DBC signal is proposed for one signal only.
 */
export function countOpenProposals(proposals: readonly ProposedSignal[]): number {
  const taken = new Set<string>();
  let last: string | undefined;
  for (const { to, bus, message, signal } of proposals) {
    if (to !== last && !comesFromGps(to)) taken.add(`${bus} ${message} ${signal}`);
    last = to;
  }
  return taken.size;
}

/** Returns '2 voorstellen nog niet overgenomen'. */
export const openProposalsText = (count: number): string =>
  `${count} ${count === 1 ? 'voorstel' : 'voorstellen'} nog niet overgenomen`;
