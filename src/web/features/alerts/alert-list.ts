import type { Alert } from '#shared/contract/alerts.ts';
import { formatNumber } from '#shared/domain/nl.ts';

/** Sorts urgent alerts first; otherwise keeps the given order. */
export const urgentFirst = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts.toSorted((one, other) => Number(other.severity === 'urgent') - Number(one.severity === 'urgent'));

/** Returns the id of the alert in a link ('?melding=17'); undefined if the link has no valid id. */
export function linkedAlertId(search: URLSearchParams): string | undefined {
  const named = search.get('melding') ?? '';
  return /^\d{1,18}$/.test(named) ? named : undefined;
}

/** If a rule has more open alerts than this, the list first shows only some of them: the rule is folded. */
const FOLDED_ABOVE = 10;
/** Number of alerts of a folded rule that are shown at first. */
const SHOWN_FIRST = 3;
/** Number of alerts of a folded rule that each press of the button for more adds to the list. */
export const MORE_ALERTS_PER_PRESS = 50;

/** The line after the shown alerts of a folded rule; `hidden` is the number of the rule's alerts that are not shown yet. */
export type HiddenAlerts = { readonly ruleId: number; readonly ruleName: string; readonly hidden: number };
export type AlertListLine = { readonly alert: Alert } | { readonly fold: HiddenAlerts };

/**
 * Returns the lines of the list, in which rules with many alerts are folded: a network failure can open a
 * thousand alerts at once.
 * @param more how many more alerts the user wants to see, by rule id
 * @param linked the id of an alert that is never folded
 */
export function groupByRule(
  alerts: readonly Alert[],
  more: ReadonlyMap<number, number>,
  linked: string | undefined,
): readonly AlertListLine[] {
  const counts = new Map<number, number>();
  for (const { rule } of alerts) counts.set(rule._id, (counts.get(rule._id) ?? 0) + 1);
  const positions = new Map<number, number>();
  return alerts.flatMap((alert): AlertListLine[] => {
    const { _id: ruleId, ruleName } = alert.rule;
    const all = counts.get(ruleId) ?? 0;
    const most = all > FOLDED_ABOVE ? SHOWN_FIRST + (more.get(ruleId) ?? 0) : all;
    const position = positions.get(ruleId) ?? 0;
    positions.set(ruleId, position + 1);
    const fold = position === most ? [{ fold: { ruleId, ruleName, hidden: all - most } }] : [];
    return position < most || alert._id === linked ? [...fold, { alert }] : fold;
  });
}

/** Returns for example '12 open meldingen over 9 machines'. */
export function openCountText(alerts: readonly Alert[], hasMore: boolean): string {
  const machines = new Set(alerts.flatMap(({ machine }) => machine?.serialNumber ?? [])).size;
  const count = alerts.length === 1 ? '1 open melding' : `${formatNumber(alerts.length)} open meldingen`;
  const over = machines === 1 ? '1 machine' : `${formatNumber(machines)} machines`;
  return `${hasMore ? 'Meer dan ' : ''}${count}${machines > 0 ? ` over ${over}` : ''}`;
}
