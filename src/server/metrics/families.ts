import type { Space } from '#server/platform/free-space.ts';
import type { Pools } from '#server/platform/pools.ts';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import { type Family, perName, single } from './family.ts';
import type { StoredFigures } from './metrics.store.ts';
import type { Tallies } from './tallies.ts';
import type { Traffic } from './traffic.ts';

/** The parts of the process that the metrics read. */
export type Measured = {
  readonly version: string;
  readonly pools: Pools;
  readonly traffic: Traffic;
  readonly tallies: Tallies;
  readonly uploads: () => WriteQueueHealth;
  /** Returns the number of sessions that this process has cached. */
  readonly sessions: () => number;
  /** Returns the age of the live data in ms; undefined before the first read. */
  readonly liveAge: () => number | undefined;
  readonly quotas: LogQuotas;
  /** Measures the disk of DATA_DIR. */
  readonly space: () => Promise<Space>;
  readonly now: () => number;
};

const HTTP = 'werkstroom_http_request_duration_seconds';

/** Returns the metrics of this process. Its counters start at 0. @param space the newest measurement of the disk */
export function processFamilies(measured: Measured, space: () => Space | undefined): Family[] {
  const { version, pools, traffic, uploads, sessions, liveAge } = measured;
  const { tallies } = measured;
  return [
    {
      name: 'werkstroom_build_info',
      help: 'Always 1; the labels say what runs.',
      type: 'gauge',
      read: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
    },
    {
      name: HTTP,
      help: 'Requests by route, from the head of the request to the head of the answer.',
      type: 'histogram',
      read: () => traffic.samples(HTTP),
    },
    {
      name: 'werkstroom_uploads_total',
      help: 'Uploads of loggers: stored, quarantined (stored, but no history), refused, or signed with an unknown key.',
      type: 'counter',
      read: () => {
        const { uploads: all, quarantined, refused, unknownKey } = tallies.uploads;
        return perName('outcome', {
          stored: all - quarantined,
          quarantined,
          refused,
          unknown_key: unknownKey,
        });
      },
    },
    {
      name: 'werkstroom_readings_total',
      help: 'Readings in uploads: new ones, ones that gave a signal to one that was there, and ones that were there already.',
      type: 'counter',
      read: () => {
        const { readings, merged, duplicates } = tallies.uploads;
        return perName('outcome', { stored: readings, merged, duplicate: duplicates });
      },
    },
    {
      name: 'werkstroom_upload_queue_depth',
      help: 'Uploads that wait for their commit.',
      type: 'gauge',
      read: () => single(uploads().waiting),
    },
    {
      name: 'werkstroom_upload_queue_age_seconds',
      help: 'How long the oldest of those has been waiting; 0 when none waits.',
      type: 'gauge',
      read: () => single(uploads().waitingMs / 1000),
    },
    {
      name: 'werkstroom_mails_total',
      help: 'Tries to send a mail; a failed one is tried again, a refused one is given up.',
      type: 'counter',
      read: () => perName('outcome', tallies.mails),
    },
    {
      name: 'werkstroom_disk_free_ratio',
      help: 'The free share of the disk of DATA_DIR, from 0 to 1.',
      type: 'gauge',
      read: () => {
        const measuredSpace = space();
        return single(measuredSpace && measuredSpace.free / measuredSpace.all);
      },
    },
    {
      name: 'werkstroom_sessions_cached',
      help: 'Sign-ins that this process remembers, for 5 s at most each.',
      type: 'gauge',
      read: () => single(sessions()),
    },
    {
      name: 'werkstroom_live_image_age_seconds',
      help: 'How long ago the live data were read. It grows while no client requests them.',
      type: 'gauge',
      read: () => {
        const age = liveAge();
        return single(age === undefined ? undefined : age / 1000);
      },
    },
    {
      name: 'werkstroom_database_connections',
      help: 'Connections of each pool, and requests that wait for one.',
      type: 'gauge',
      read: () =>
        Object.entries(pools).flatMap(
          ([pool, { totalCount: total, idleCount: idle, waitingCount: waiting }]) =>
            perName('state', { used: total - idle, idle, waiting }).map(({ labels, value }) => ({
              labels: { pool, ...labels },
              value,
            })),
        ),
    },
  ];
}

/** Returns the metrics that all processes on one database share; only `database_up` while it cannot be reached. */
export function databaseFamilies(figures: () => StoredFigures | undefined): Family[] {
  const gauge = (
    name: string,
    help: string,
    read: (stored: StoredFigures) => number | undefined,
  ): Family => ({
    name: `werkstroom_${name}`,
    help,
    type: 'gauge',
    read: () => {
      const stored = figures();
      return single(stored && read(stored));
    },
  });
  return [
    {
      name: 'werkstroom_database_up',
      help: '1 when the database answered.',
      type: 'gauge',
      read: () => single(figures() ? 1 : 0),
    },
    gauge(
      'database_size_bytes',
      'What the database takes on its disk; of a cluster its coordinator.',
      ({ bytes }) => bytes,
    ),
    {
      name: 'werkstroom_worker_up',
      help: 'Of a cluster: 1 when the worker answered.',
      type: 'gauge',
      read: () =>
        (figures()?.workers ?? []).map(({ worker, bytes }) => ({
          labels: { worker },
          value: bytes === undefined ? 0 : 1,
        })),
    },
    {
      name: 'werkstroom_worker_size_bytes',
      help: 'Of a cluster: what the worker has of the database on its disk.',
      type: 'gauge',
      read: () =>
        (figures()?.workers ?? []).flatMap(({ worker, bytes }) =>
          bytes === undefined ? [] : [{ labels: { worker }, value: bytes }],
        ),
    },
    gauge(
      'quarantined',
      'Deliveries in quarantine; at most 100 per logger.',
      ({ quarantined }) => quarantined,
    ),
    gauge(
      'unknown_keys',
      'Different unknown keys that uploads were signed with; at most 1,000 are kept.',
      ({ unknownKeys }) => unknownKeys,
    ),
    gauge(
      'unfinished_upload_bytes',
      'Parts of log files whose upload is not complete; they go after 24 hours.',
      ({ partBytes }) => partBytes,
    ),
    gauge(
      'newest_reading_age_seconds',
      'Age of the newest reading of all machines and loggers.',
      ({ newestAge }) => newestAge,
    ),
    gauge(
      'oldest_reading_age_seconds',
      'Age of the newest reading of the machine or logger that is silent longest.',
      ({ oldestAge }) => oldestAge,
    ),
    {
      name: 'werkstroom_streams',
      help: 'Machines and LMB loggers by their newest reading: within 10 minutes, longer ago, or none yet.',
      type: 'gauge',
      read: () => perName('state', figures()?.streams ?? {}),
    },
    {
      name: 'werkstroom_log_quota_used_ratio',
      help: 'The largest share that is used of a quota of log files: of one key today, and of one organization.',
      type: 'gauge',
      read: () => perName('quota', figures()?.quotaShares ?? {}),
    },
    gauge(
      'backup_age_seconds',
      'Age of the newest backup that was read back; absent while there is none.',
      ({ backupAge }) => backupAge,
    ),
    gauge('mail_queue_depth', 'Mails that are not sent yet.', ({ mails }) => mails.count),
    gauge(
      'mail_queue_age_seconds',
      'How long ago the oldest of those was asked for; 0 when none waits.',
      ({ mails }) => mails.age,
    ),
    {
      name: 'werkstroom_jobs',
      help: 'Jobs by queue: created and retry wait; failed ones were given up within the last day.',
      type: 'gauge',
      read: () =>
        (figures()?.jobs ?? []).map(({ queue, state, count }) => ({
          labels: { queue, state },
          value: count,
        })),
    },
  ];
}
