import type { Fault } from '#shared/contract/fault-codes.ts';
import { dateAndTime } from '#shared/domain/nl.ts';

const moment = (iso: string): string => dateAndTime(Date.parse(iso));

/**
 * 'Actief sinds 28-11-26, 09:00, laatst gezien 28-11-26, 14:05'; once it is over 'Van 28-11-26, 09:00 tot 28-11-26, 09:30', and
 * within one minute 'Even actief, 28-11-26, 09:00'.
 */
export function faultTimeInWords({
  since,
  lastSeen,
  over,
}: Pick<Fault, 'since' | 'lastSeen' | 'over'>): string {
  if (over === null) return `Actief sinds ${moment(since)}, laatst gezien ${moment(lastSeen)}`;
  const [from, to] = [moment(since), moment(over)];
  return from === to ? `Even actief, ${from}` : `Van ${from} tot ${to}`;
}

/** '3 keer opgetreden volgens de ECU'; undefined where the ECU does not count. */
export const occurrencesInWords = ({ occurrences }: Pick<Fault, 'occurrences'>): string | undefined =>
  occurrences === null ? undefined : `${occurrences} keer opgetreden volgens de ECU`;
