import type { Logger } from 'pino';

/** Logs a warning that may recur many times. `what` is constant, `reason` may vary. */
export type Warn = (what: string, reason: string) => void;

/** Returns the message of an error with those of its causes: 'The database is out of reach: no space left on device'. */
export function errorReasonOf(error: unknown): string | undefined {
  const messages: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) messages.push(at.message.replace(/\.$/, ''));
  return messages.length === 0 ? undefined : [...new Set(messages)].join(': ');
}

const QUIET_MS = 10_000;

/**
 * Returns a warn function that logs each warning once per 10 s and counts repetitions, because an outage affects every upload
 * of every logger.
 */
export function rateLimitedWarnings(log: Pick<Logger, 'warn'>, now: () => number): Warn {
  const logged = new Map<string, { at: number; unsaid: number }>();
  return (what, reason) => {
    const before = logged.get(what);
    if (before && now() - before.at < QUIET_MS) {
      before.unsaid += 1;
      return;
    }
    logged.set(what, { at: now(), unsaid: 0 });
    log.warn({ reason, ...(before && before.unsaid > 0 && { unsaid: before.unsaid }) }, what);
  };
}
