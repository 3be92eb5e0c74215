/**
 * All numbers of PostgreSQL's advisory locks, in one place, because two jobs with the same number would exclude each other. A
 * lock on one of many things takes two keys, the number and the thing. PostgreSQL keeps those apart from locks of one key; the
 * numbers differ nevertheless.
 * A process of an earlier version may run at the same time, so a number keeps its meaning and is never reused. `Session` or `Transaction`
 * is when PostgreSQL releases the lock; `try`: a process that does not get the lock skips the work instead of waiting.
 */
export const LOCKS = {
  /** Changes of the schema and of rights. Transaction. */
  migration: 7_406_318,
  /** Creating the first administrator. Transaction. */
  firstAdministrator: 7_406_319,
  /** The tasks of every minute. Session, try. */
  upkeep: 7_406_320,
  /** Storing a log file; second key: hash of the logger's serial and the file's key. Transaction. */
  storedFile: 7_406_321,
  /** Binding a logger; second key: its serial. Transaction. */
  logger: 7_406_322,
  /** Creating or changing the tables of pg-boss. Session. */
  jobTables: 7_406_323,
  /** Indexing a week of the roll-up that is over. Session, try. */
  closedWeek: 7_406_325,
  /** Alerts of readings. Session, try. */
  alertReadings: 7_406_326,
  /** Alerts of the clock. Transaction, try. */
  alertClock: 7_406_327,
  /** Alerts of arrivals and departures. Transaction, try. */
  alertPresences: 7_406_328,
  /** Putting notifications into messages. Transaction, try. */
  alertOutbox: 7_406_329,
  /** Decoding stored log files again; second key: the stream. Session, try. */
  redecoding: 7_406_330,
  /** Subscribing a browser to push; second key: hash of its endpoint. Transaction. */
  pushEndpoint: 7_406_331,
  /** Making a scheduled backup. Session, try. */
  backup: 7_406_332,
  /** Removing organizations that leave. Session, try. */
  leaving: 7_406_340,
  /** Decoding log files that an earlier version could not read. Session, try. */
  storedLogs: 7_406_341,
  /** Creating the partitions of a week: telemetry/sql/weeks.sql, as hashtext('werkstroom partitions'). Transaction. */
  weekPartitions: -1_886_829_379,
} as const;
