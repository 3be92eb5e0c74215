/** A pause of a charging session is shorter. */
const PAUSE = "interval '10 minutes'";

/**
 * Returns SQL for how a session `c` ended, null while it goes on: until the machine's newest reading (`l`, of telemetry.latest) is 10
 * minutes after its end, or until nothing was heard for 10 minutes (docs/figures.md section 13). Time passes without readings, so this
 * is never stored.
 * @param now the portal's clock, a parameter of the statement
 */
export const endedAt = (now: string): string =>
  `case when l.time < c.to_time + ${PAUSE} and l.time > ${now}::timestamptz - ${PAUSE} then null else coalesce(c.ended, 'geen gegevens') end`;
