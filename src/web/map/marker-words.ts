/** What markers say of their machines, to the eye and in words. */
import type { Attention, AttentionKind } from '#shared/domain/attention.ts';
import { FLEET_STATES, type FleetState } from '#shared/domain/fleet-state.ts';
import { percent, plainNumber } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import type { ClusterSpot } from './marker-index.ts';

/** Returns '63%', '8%, batterij laag' or '63%, storing SPN 100, FMI 1' of one machine; '' when nothing is known. */
export function chargeInWords({ percent: charge, isLow, attention }: MapMachine): string {
  const words = charge === undefined ? [] : [percent(charge)];
  if (isLow) words.push('batterij laag');
  if (attention && attention.kind !== 'low') words.push(attention.words);
  return words.join(', ');
}

/** At a marker there is room for ten letters. */
const SHORT_WORDS: Readonly<Record<AttentionKind, string>> = {
  moved: 'verplaatst',
  fault: 'storing',
  low: 'accu laag',
  'not-full': 'niet vol',
  'runs-short': 'te kort',
  'not-charging': 'laadt niet',
  speeding: 'te snel',
  'pack-silent': 'accu stil',
  'packs-apart': 'accu scheef',
  contradiction: 'signaal?',
  silent: 'stil',
  'logs-empty': 'leeg log',
  maintenance: 'onderhoud',
  'no-position': 'geen plek',
};

/** Returns the text at the marker of a machine that needs attention: a short word, or all of the reason when the machine is being moved. */
export const attentionAtMarker = ({ kind, words }: Attention): string =>
  kind === 'moved' ? words : SHORT_WORDS[kind];

/** How many of the machines in a bubble are in each state, how many want a charger, and how many need attention. */
export type Shares = Readonly<Record<FleetState | 'low' | 'attention', number>>;

export function sharesOf({ members }: ClusterSpot, machines: readonly MapMachine[]): Shares {
  const shares = { running: 0, charging: 0, off: 0, silent: 0, low: 0, attention: 0 };
  for (const at of members) {
    const machine = machines[at];
    if (!machine) continue;
    shares[machine.stale ? 'silent' : machine.status] += 1;
    if (machine.isLow) shares.low += 1;
    if (machine.attention) shares.attention += 1;
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

/** Returns '12 machines: 3 draaien, 2 laden, 7 uit, batterij laag: 1, aandacht: 2'. */
export function sharesInWords(count: number, shares: Shares): string {
  const parts = FLEET_STATES.filter((state) => shares[state] > 0).map(
    (state) => `${plainNumber(shares[state])} ${DOES[state][shares[state] === 1 ? 0 : 1]}`,
  );
  if (shares.low > 0) parts.push(`batterij laag: ${plainNumber(shares.low)}`);
  // A low battery says why.
  if (shares.attention > shares.low) parts.push(`aandacht: ${plainNumber(shares.attention)}`);
  return `${plainNumber(count)} machines: ${parts.join(', ')}`;
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
  a.low === b.low && a.attention === b.attention && FLEET_STATES.every((state) => a[state] === b[state]);
