/**
 * All numbers of PostgreSQL's advisory locks, in one place, because two jobs with the same number would exclude each other. A lock
 * on one of many objects has two keys: the number, and the key of the object. PostgreSQL keeps locks of two keys apart from locks
 * of one key; the numbers differ nevertheless. A process of an earlier version may run at the same time, so a number keeps its
 * meaning and is never reused. PostgreSQL releases a session lock when the connection ends, and a transaction lock when the
 * transaction ends.
 */
export const ADVISORY_LOCK_KEYS = {
  /** Changes of the schema and of rights. A transaction lock. */
  migration: 7_406_318,
  /** Creating the first administrator. A transaction lock. */
  firstAdministrator: 7_406_319,
  /** Running the tasks of every minute. A session lock; skipped when another process holds it. */
  upkeep: 7_406_320,
  /** Storing a log file; second key: hash of the logger's serial and the file's key. A transaction lock. */
  storedFile: 7_406_321,
  /** Binding a logger; second key: its serial. A transaction lock. */
  logger: 7_406_322,
  /** Creating or changing the tables of pg-boss. A session lock. */
  jobTables: 7_406_323,
  /** Indexing a past week of the roll-up. A session lock; skipped when another process holds it. */
  closedWeek: 7_406_325,
  /** Evaluating alert rules against readings. A session lock; skipped when another process holds it. */
  alertReadings: 7_406_326,
  /** Evaluating alert rules that a timer triggers. A transaction lock; skipped when another process holds it. */
  alertClock: 7_406_327,
  /** Evaluating rules of arrivals and departures. A transaction lock; skipped when another process holds it. */
  alertPresences: 7_406_328,
  /** Putting notifications into messages. A transaction lock; skipped when another process holds it. */
  alertOutbox: 7_406_329,
  /** Decoding stored log files again; second key: the stream. A session lock; skipped when another process holds it. */
  redecoding: 7_406_330,
  /** Subscribing a browser to push; second key: hash of its endpoint. A transaction lock. */
  pushEndpoint: 7_406_331,
  /** Making a scheduled backup. A session lock; skipped when another process holds it. */
  backup: 7_406_332,
  /** Deleting organizations that leave the portal. A session lock; skipped when another process holds it. */
  leaving: 7_406_340,
  /** Moving readings of past weeks from rows into files. A session lock; skipped when another process holds it. */
  closedReadings: 7_406_342,
  /** Inserting files of readings; second key: the stream. A transaction lock. */
  readingFiles: 7_406_343,
  /** Creating the partitions of a week; telemetry/sql/weeks.sql uses hashtext('werkstroom partitions'). A transaction lock. */
  weekPartitions: -1_886_829_379,
} as const;
