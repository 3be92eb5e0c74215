/** The alerts of the page as they stand below each other. */
import type { Alert } from '#shared/contract/alerts.ts';

/** The urgent ones first; among equals the order that they came in, newest first. */
export const urgentFirst = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts.toSorted((one, other) => Number(other.severity === 'urgent') - Number(one.severity === 'urgent'));

/** The alert that a link names: '?melding=17'; undefined where it names none. */
export function linkedAlert(search: URLSearchParams): string | undefined {
  const named = search.get('melding') ?? '';
  return /^\d{1,18}$/.test(named) ? named : undefined;
}
