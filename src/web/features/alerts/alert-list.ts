/** The alerts of the page as they stand below each other. */
import type { Alert } from '#shared/contract/alerts.ts';
import { plainNumber } from '#shared/domain/nl.ts';

/** The urgent ones first; among equals the order that they came in, newest first. */
export const urgentFirst = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts.toSorted((one, other) => Number(other.severity === 'urgent') - Number(one.severity === 'urgent'));

/** The alert that a link names: '?melding=17'; undefined where it names none. */
export function linkedAlert(search: URLSearchParams): string | undefined {
  const named = search.get('melding') ?? '';
  return /^\d{1,18}$/.test(named) ? named : undefined;
}

/** Open alerts of one rule from which they are folded, how many are shown then, and how many more each time. */
const FOLDS_FROM = 10;
const SHOWN_FIRST = 3;
export const SHOWN_MORE = 50;

/** The alerts of one rule that are not shown yet. */
export type Fold = { readonly ruleId: number; readonly ruleName: string; readonly hidden: number };
export type Line = { readonly alert: Alert } | { readonly fold: Fold };

/**
 * Returns the alerts in their order with those of a rule that has many folded: a network that fails makes a thousand at once.
 * @param more how many more a person asked for, by rule
 * @param linked the id of an alert that is shown in any case
 */
export function foldByRule(
  alerts: readonly Alert[],
  more: ReadonlyMap<number, number>,
  linked: string | undefined,
): readonly Line[] {
  const counts = new Map<number, number>();
  for (const { rule } of alerts) counts.set(rule._id, (counts.get(rule._id) ?? 0) + 1);
  const places = new Map<number, number>();
  return alerts.flatMap((alert): Line[] => {
    const { _id: ruleId, ruleName } = alert.rule;
    const all = counts.get(ruleId) ?? 0;
    const most = all > FOLDS_FROM ? SHOWN_FIRST + (more.get(ruleId) ?? 0) : all;
    const place = places.get(ruleId) ?? 0;
    places.set(ruleId, place + 1);
    const fold = place === most ? [{ fold: { ruleId, ruleName, hidden: all - most } }] : [];
    return place < most || alert._id === linked ? [...fold, { alert }] : fold;
  });
}

/** Returns '12 open meldingen over 9 machines', of what the list has. */
export function openInWords(alerts: readonly Alert[], hasMore: boolean): string {
  const machines = new Set(alerts.flatMap(({ machine }) => machine?.serialNumber ?? [])).size;
  const count = alerts.length === 1 ? '1 open melding' : `${plainNumber(alerts.length)} open meldingen`;
  const over = machines === 1 ? '1 machine' : `${plainNumber(machines)} machines`;
  return `${hasMore ? 'Meer dan ' : ''}${count}${machines > 0 ? ` over ${over}` : ''}`;
}
