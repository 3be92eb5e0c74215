/** The texts of markers, and the rings of bubbles. */
import { isAlertKind, kindDefinition, showsPresentPosition } from '#shared/domain/alerts/kinds.ts';
import type { Attention, AttentionKind } from '#shared/domain/attention.ts';
import { FLEET_STATES, type FleetState } from '#shared/domain/fleet-state.ts';
import { formatNumber, formatPercent } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import type { ClusterSpot } from './marker-index.ts';

/** Returns the text of a machine's marker: '63%', '8%, batterij laag' or '63%, storing SPN 100, FMI 1'; '' if nothing is known. */
export function chargeText({ percent: charge, isLow, attention }: MapMachine): string {
  const texts = charge === undefined ? [] : [formatPercent(charge)];
  if (isLow) texts.push('batterij laag');
  if (attention && attention.kind !== 'low') texts.push(attention.words);
  return texts.join(', ');
}

/** Returns whether the reason is an alert whose text says where the machine is now. */
export const isMovementAlert = ({ kind }: Pick<Attention, 'kind'>): boolean =>
  isAlertKind(kind) && showsPresentPosition(kind);

/** Returns a reason in about ten letters, because a marker has no room for more. */
const shortReason = (kind: AttentionKind): string =>
  isAlertKind(kind) ? (kindDefinition(kind).short ?? '') : SHORT_TEXTS[kind];

const SHORT_TEXTS = { contradiction: 'signaal?', 'no-position': 'geen plek' } as const;

/** Returns the text at the marker of a machine that needs attention: a short reason, or the whole text of a move. */
export const attentionAtMarker = (reason: Attention): string =>
  isMovementAlert(reason) ? reason.words : shortReason(reason.kind);

/** Numbers of a bubble's machines by state, with a low battery, and that need attention. */
export type StateShares = Readonly<Record<FleetState | 'low' | 'attention', number>>;

/** Counts the machines of a bubble. */
export function countStateShares({ members }: ClusterSpot, machines: readonly MapMachine[]): StateShares {
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

/** Text of each state for one machine and for several. */
const STATE_TEXTS: Readonly<Record<FleetState, readonly [string, string]>> = {
  running: ['draait', 'draaien'],
  charging: ['laadt', 'laden'],
  off: ['uit', 'uit'],
  silent: ['stil', 'stil'],
};

/** Returns the text of a bubble: '12 machines: 3 draaien, 2 laden, 7 uit, batterij laag: 1, aandacht: 2'. */
export function clusterSharesText(count: number, shares: StateShares): string {
  const parts = FLEET_STATES.filter((state) => shares[state] > 0).map(
    (state) => `${formatNumber(shares[state])} ${STATE_TEXTS[state][shares[state] === 1 ? 0 : 1]}`,
  );
  if (shares.low > 0) parts.push(`batterij laag: ${formatNumber(shares.low)}`);
  // A low battery is a reason for attention that the text already has.
  if (shares.attention > shares.low) parts.push(`aandacht: ${formatNumber(shares.attention)}`);
  return `${formatNumber(count)} machines: ${parts.join(', ')}`;
}

const COLOURS: Readonly<Record<Exclude<FleetState, 'silent'>, string>> = {
  running: 'var(--status-running)',
  charging: 'var(--status-charging)',
  off: 'var(--status-off)',
};
/** Sizes on a bubble's ring in degrees: the gap between two states' shares, and a stripe in the share of silent machines. */
const GAP = 4;
const STRIPE = 6;

/**
 * Returns the CSS gradient of a bubble's ring, clockwise from the top. The silent share is striped, to differ by more than
 * colour.
 */
export function stateSharesRing(count: number, shares: StateShares): string {
  const stops: string[] = [];
  const paint = (colour: string, from: number, to: number): void =>
    void stops.push(`${colour} ${from.toFixed(1)}deg ${to.toFixed(1)}deg`);
  const states = FLEET_STATES.filter((state) => shares[state] > 0);
  let at = 0;
  for (const state of states) {
    const end = at + (360 * shares[state]) / count;
    // At least one degree, so that the smallest share is visible.
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

export const areSharesEqual = (a: StateShares, b: StateShares): boolean =>
  a.low === b.low && a.attention === b.attention && FLEET_STATES.every((state) => a[state] === b[state]);
