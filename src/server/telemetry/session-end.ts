/** A pause of a charging session is shorter. */
const PAUSE = "interval '10 minutes'";

/**
 * Returns SQL for the end of a session `c` ('vol', 'losgekoppeld'), null before it is over. A session is over when the machine's newest
 * reading (`l`, of telemetry.latest) is 10 minutes after its end, or is 10 minutes old (docs/figures.md section 13). The clock
 * decides, so the answer is never stored.
 * @param now the portal's clock, a parameter of the statement
 */
export const endedAt = (now: string): string =>
  `case when l.time < c.to_time + ${PAUSE} and l.time > ${now}::timestamptz - ${PAUSE} then null else coalesce(c.ended, 'geen gegevens') end`;
