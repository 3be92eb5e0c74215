import type { Fault } from '#shared/contract/fault-codes.ts';
import { dateAndTime } from '#shared/domain/nl.ts';

const moment = (iso: string): string => dateAndTime(Date.parse(iso));

/**
 * Returns 'Actief sinds 28-11-26, 09:00, laatst gezien 28-11-26, 14:05' for an active fault, 'Van 28-11-26, 09:00 tot 28-11-26,
 * 09:30' for a resolved one, and 'Even actief, 28-11-26, 09:00' for one within a minute.
 */
export function faultTimeText({ since, lastSeen, over }: Pick<Fault, 'since' | 'lastSeen' | 'over'>): string {
  if (over === null) return `Actief sinds ${moment(since)}, laatst gezien ${moment(lastSeen)}`;
  const [from, to] = [moment(since), moment(over)];
  return from === to ? `Even actief, ${from}` : `Van ${from} tot ${to}`;
}

/** Returns for example '3 keer opgetreden volgens de ECU'; undefined if the ECU does not count. */
export const occurrencesText = ({ occurrences }: Pick<Fault, 'occurrences'>): string | undefined =>
  occurrences === null ? undefined : `${occurrences} keer opgetreden volgens de ECU`;
