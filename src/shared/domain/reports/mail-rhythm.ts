import { amsterdamDay, instantOf } from '../amsterdam-time.ts';
import type { ReportKind } from './kinds.ts';
import { type Period, periodOf } from './periods.ts';

/** When reports are mailed: of the week or the month before, on its first day at half past six in Amsterdam. */

export const RHYTHMS = ['week', 'month'] as const;
export type Rhythm = (typeof RHYTHMS)[number];
export const RHYTHM_TEXTS: Readonly<Record<Rhythm, string>> = {
  week: 'Elke week per mail',
  month: 'Elke maand per mail',
};

/** Route and Metingen are too large for a mail, and positions are not sent around. */
export const MAILED_KINDS = [
  'inzet',
  'dagstaten',
  'laadbeurten',
  'draaiuren',
] as const satisfies readonly ReportKind[];
export type MailedKind = (typeof MAILED_KINDS)[number];
export const isMailed = (kind: ReportKind): kind is MailedKind =>
  (MAILED_KINDS as readonly ReportKind[]).includes(kind);

const AT = '06:30';
/** A portal that was down at that time mails what is younger than this when it is back. */
const LATE_MS = 48 * 3_600_000;
const PRESET = { week: 'vorige-week', month: 'vorige-maand' } as const;

/** A mail that is to be sent: what it is about, and since when, ms. */
export type DueMail = { readonly period: Period; readonly since: number };

/** @param now ms @returns undefined: it is too early for the present one, and too late for the one before */
export function dueMail(rhythm: Rhythm, now: number): DueMail | undefined {
  const today = amsterdamDay(now);
  const { from: firstDay } = periodOf(rhythm === 'week' ? 'deze-week' : 'deze-maand', today);
  const since = instantOf(`${firstDay} ${AT}`, 'first') as number;
  return now >= since && now < since + LATE_MS
    ? { period: periodOf(PRESET[rhythm], today), since }
    : undefined;
}
