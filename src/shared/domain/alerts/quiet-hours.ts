/** Quiet hours: when a person gets only urgent notifications (docs/alerts.md section 4). */
import { amsterdamDay, amsterdamInstant } from '../amsterdam-time.ts';

/** 'HH:mm' in Amsterdam; an end that is not later than the start is on the next day. */
export type QuietHours = { readonly from: string; readonly to: string };

/** Quiet hours of a person who chose none. */
export const DEFAULT_QUIET_HOURS: QuietHours = { from: '21:00', to: '06:30' };
/** Time of the daily mail. Quiet hours that would end earlier in the day are extended to this time. */
export const DAILY_MAIL_AT = '06:30';

const DAY_MS = 86_400_000;

/** Returns when the next daily mail is sent, ms. */
export function nextDailyMail(now: number): number {
  const times = [now, now + DAY_MS].map(
    (ms) => amsterdamInstant(`${amsterdamDay(ms)} ${DAILY_MAIL_AT}`, 'last') ?? now,
  );
  return times.find((at) => at > now) ?? now + DAY_MS;
}

/**
 * Returns when the present quiet hours end, extended to DAILY_MAIL_AT if they end earlier in the day, in ms; undefined: the
 * person may be notified now.
 */
export function quietUntil(quiet: QuietHours | null, now: number): number | undefined {
  if (!quiet || quiet.from === quiet.to) return undefined;
  const to = quiet.to < DAILY_MAIL_AT ? DAILY_MAIL_AT : quiet.to;
  for (const ms of [now - DAY_MS, now, now + DAY_MS]) {
    const day = amsterdamDay(ms);
    const start = amsterdamInstant(`${day} ${quiet.from}`, 'first');
    const lastDay = quiet.to > quiet.from ? day : amsterdamDay(Date.parse(`${day}T12:00Z`) + DAY_MS);
    const end = amsterdamInstant(`${lastDay} ${to}`, 'last');
    if (start !== undefined && end !== undefined && start <= now && now < end) return end;
  }
  return undefined;
}
