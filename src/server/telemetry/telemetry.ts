import type { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Pool } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import type { Counters } from './counters.ts';
import type { LastSnapshotClocks } from './decode/frozen-clock.ts';
import type { LogQueue } from './log-queue.ts';
import type { LoggerDirectory } from './logger-directory.ts';
import type { Partitions } from './partitions.ts';
import type { WriteQueue } from './write-queue.ts';

/** The services that store uploads of loggers as readings. */
export type Telemetry = {
  readonly pool: Pool;
  readonly directory: LoggerDirectory;
  readonly writeQueue: WriteQueue;
  readonly counters: Counters;
  readonly partitions: Partitions;
  readonly logs: LogQueue;
  /** Clocks by logger and file name, to detect clocks that stand still. */
  readonly clocks: LRUCache<string, LastSnapshotClocks>;
  readonly quotas: LogQuotas;
  readonly now: () => number;
  readonly log: Logger;
  readonly warn: Warn;
};
