/** When somebody is not to be disturbed (docs/alerts.md section 4). */
import { amsterdamDay, instantOf } from '../amsterdam-time.ts';

/** 'HH:mm' in Amsterdam; an end that is not later is one of the next day. */
export type QuietHours = { readonly from: string; readonly to: string };

/** Of who chose nothing. */
export const USUAL_QUIET: QuietHours = { from: '21:00', to: '06:30' };
/** What waited is told from then on. */
const DIGEST = '06:30';

const DAY_MS = 86_400_000;

/** Returns when the next daily mail is sent, ms. */
export function nextDailyMail(now: number): number {
  const times = [now, now + DAY_MS].map((ms) => instantOf(`${amsterdamDay(ms)} ${DIGEST}`, 'last') ?? now);
  return times.find((at) => at > now) ?? now + DAY_MS;
}

/**
 * Until when somebody is not told what is not urgent: the end of their quiet hours, and 06:30 at the earliest of a morning.
 * @returns ms; undefined: they may be told now
 */
export function quietUntil(quiet: QuietHours | null, now: number): number | undefined {
  if (!quiet || quiet.from === quiet.to) return undefined;
  const to = quiet.to < DIGEST ? DIGEST : quiet.to;
  for (const ms of [now - DAY_MS, now, now + DAY_MS]) {
    const day = amsterdamDay(ms);
    const start = instantOf(`${day} ${quiet.from}`, 'first');
    const lastDay = quiet.to > quiet.from ? day : amsterdamDay(Date.parse(`${day}T12:00Z`) + DAY_MS);
    const end = instantOf(`${lastDay} ${to}`, 'last');
    if (start !== undefined && end !== undefined && start <= now && now < end) return end;
  }
  return undefined;
}
