/**
 * The tables of readings and of what is derived from them, for statements that name them: a store asks once, above its
 * statements, and gives these a stream's facts (ids, intervals) as parameters instead of joining who owns it. So the
 * tables can be spread over several schemas by stream.
 * @param schema of the database
 */
export const telemetryTables = (schema = 'public') => ({
  /** One row per stream and instant. */
  reading: `${schema}.reading`,
  /** One row per stream and 5 minutes. */
  rollup: `${schema}.rollup`,
  /** One row per stream: the newest value of each signal, and totals. */
  latest: `${schema}.latest`,
  /** What log files say that are decoded again, until it is in place. */
  redecoded: `${schema}.redecoded`,
  /** How far each stream was looked at for alerts. */
  alertCursor: `${schema}.alert_cursor`,
  /** One row per stream, day in Amsterdam, organization and project. */
  dayFigures: `${schema}.day_figures`,
  presence: `${schema}.presence`,
  chargingSession: `${schema}.charging_session`,
  /** What was told of charges that went on. */
  chargeForecast: `${schema}.charge_forecast`,
  /** How far the days of a stream are counted. */
  dayCursor: `${schema}.day_cursor`,
  /** From when on they are to be counted anew. */
  changedHistory: `${schema}.changed_history`,
});
