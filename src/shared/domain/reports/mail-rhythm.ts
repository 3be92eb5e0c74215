import { amsterdamDay, amsterdamInstant } from '../amsterdam-time.ts';
import { type Period, periodOf } from '../periods.ts';
import type { ReportKind } from './kinds.ts';

/** Decides when reports are mailed: on the first day of a week or month, at 06:30 in Amsterdam, about the week or month before. */

export const RHYTHMS = ['week', 'month'] as const;
export type Rhythm = (typeof RHYTHMS)[number];
export const MAIL_RHYTHM_LABELS: Readonly<Record<Rhythm, string>> = {
  week: 'Elke week per mail',
  month: 'Elke maand per mail',
};

/** Reports that can be mailed. Route and Metingen are not among them: they are too large, and positions are personal data. */
export const MAILABLE_REPORT_KINDS = [
  'inzet',
  'dagstaten',
  'laadbeurten',
  'draaiuren',
] as const satisfies readonly ReportKind[];
export type MailableReportKind = (typeof MAILABLE_REPORT_KINDS)[number];
export const isMailableReport = (kind: ReportKind): kind is MailableReportKind =>
  (MAILABLE_REPORT_KINDS as readonly ReportKind[]).includes(kind);

const AT = '06:30';
/** A portal that was down when a report was due mails it afterwards, at most this late. */
const LATE_MS = 48 * 3_600_000;
const PRESET = { week: 'vorige-week', month: 'vorige-maand' } as const;

/** A mail to send: the period of its report, and since when it is due, ms. */
export type DueMail = { readonly period: Period; readonly since: number };

/** Returns the mail that is due at `now` (ms); undefined: the next one is in the future, and the last one is more than LATE_MS ago. */
export function dueMail(rhythm: Rhythm, now: number): DueMail | undefined {
  const today = amsterdamDay(now);
  const { from: firstDay } = periodOf(rhythm === 'week' ? 'deze-week' : 'deze-maand', today);
  const since = amsterdamInstant(`${firstDay} ${AT}`, 'first') as number;
  return now >= since && now < since + LATE_MS
    ? { period: periodOf(PRESET[rhythm], today), since }
    : undefined;
}
