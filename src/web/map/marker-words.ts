/** What markers say of their machines, to the eye and in words. */
import { FLEET_STATES, type FleetState } from '#shared/domain/fleet-state.ts';
import { percent, plainNumber } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import type { ClusterSpot } from './marker-index.ts';

/** '63%', '8%, batterij laag', of one machine; '' when it is not known. */
export function chargeInWords({ percent: charge, isLow }: MapMachine): string {
  const words = charge === undefined ? [] : [percent(charge)];
  if (isLow) words.push('batterij laag');
  return words.join(', ');
}

/** How many of the machines in a bubble are in each state, and how many of them want a charger. */
export type Shares = Readonly<Record<FleetState | 'low', number>>;

export function sharesOf({ members }: ClusterSpot, machines: readonly MapMachine[]): Shares {
  const shares = { running: 0, charging: 0, off: 0, silent: 0, low: 0 };
  for (const at of members) {
    const machine = machines[at];
    if (!machine) continue;
    shares[machine.stale ? 'silent' : machine.status] += 1;
    if (machine.isLow) shares.low += 1;
  }
  return shares;
}

/** What one does, and what several do. */
const DOES: Readonly<Record<FleetState, readonly [string, string]>> = {
  running: ['draait', 'draaien'],
  charging: ['laadt', 'laden'],
  off: ['uit', 'uit'],
  silent: ['stil', 'stil'],
};

/** '12 machines: 3 draaien, 2 laden, 7 uit', and how many of them have a low battery. */
export function sharesInWords(count: number, shares: Shares): string {
  const parts = FLEET_STATES.filter((state) => shares[state] > 0).map(
    (state) => `${plainNumber(shares[state])} ${DOES[state][shares[state] === 1 ? 0 : 1]}`,
  );
  const low = shares.low > 0 ? `, batterij laag: ${plainNumber(shares.low)}` : '';
  return `${plainNumber(count)} machines: ${parts.join(', ')}${low}`;
}

const COLOURS: Readonly<Record<Exclude<FleetState, 'silent'>, string>> = {
  running: 'var(--status-running)',
  charging: 'var(--status-charging)',
  off: 'var(--status-off)',
};
/** Degrees of the ring: white between two shares, and each stripe of what is silent. */
const GAP = 4;
const STRIPE = 6;

/** The ring of a bubble, clockwise from the top; what is silent is striped: not told by colour alone. */
export function ringOf(count: number, shares: Shares): string {
  const stops: string[] = [];
  const paint = (colour: string, from: number, to: number): void =>
    void stops.push(`${colour} ${from.toFixed(1)}deg ${to.toFixed(1)}deg`);
  const states = FLEET_STATES.filter((state) => shares[state] > 0);
  let at = 0;
  for (const state of states) {
    const end = at + (360 * shares[state]) / count;
    // The smallest share is still to be seen.
    const until = states.length > 1 ? Math.max(at + 1, end - GAP) : end;
    if (state !== 'silent') paint(COLOURS[state], at, until);
    else {
      for (let from = at; from < until; from += 2 * STRIPE) {
        paint('#343a40', from, Math.min(until, from + STRIPE));
        paint('#fff', Math.min(until, from + STRIPE), Math.min(until, from + 2 * STRIPE));
      }
    }
    if (until < end) paint('#fff', until, end);
    at = end;
  }
  return `conic-gradient(${stops.join(', ')})`;
}

export const areSame = (a: Shares, b: Shares): boolean =>
  a.low === b.low && FLEET_STATES.every((state) => a[state] === b[state]);
