/** SQL for the maximum pause within a charging session. */
const PAUSE = "interval '10 minutes'";

/**
 * Returns SQL for the end of a session `c` ('vol', 'losgekoppeld'); null while it continues. A session has ended when the machine's
 * newest reading (`l`, of telemetry.latest) is 10 minutes after the session, or is 10 minutes old (docs/figures.md section 13). The
 * result depends on the clock, so it is never stored.
 * @param now the portal's clock, a parameter of the statement
 */
export const sessionEndSql = (now: string): string =>
  `case when l.time < c.to_time + ${PAUSE} and l.time > ${now}::timestamptz - ${PAUSE} then null else coalesce(c.ended, 'geen gegevens') end`;
