import type { DiskSpace } from '#server/platform/free-space.ts';
import { type ModuleMetrics, samplesByName, singleGauge, storedMetrics } from '#server/platform/metric.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import { countJobs, measureDatabaseSize } from './metrics.store.ts';
import type { TrafficMeter } from './traffic.ts';

/** The parts of the process that no module measures. */
export type MeasuredProcess = {
  readonly version: string;
  readonly pools: ConnectionPools;
  readonly traffic: TrafficMeter;
  /** Measures the disk of DATA_DIR. */
  readonly space: () => Promise<DiskSpace>;
};

const HTTP = 'werkstroom_http_request_duration_seconds';

/** Returns the metrics that belong to no module. @param space the newest measurement of the disk */
export const processMetrics = (
  { version, pools, traffic }: MeasuredProcess,
  space: () => DiskSpace | undefined,
): ModuleMetrics => ({
  ofProcess: [
    {
      name: 'werkstroom_build_info',
      help: 'Always 1; the labels say what runs.',
      type: 'gauge',
      samples: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
    },
    {
      name: HTTP,
      help: 'Requests by route, from the head of the request to the head of the answer.',
      type: 'histogram',
      samples: () => traffic.samples(HTTP),
    },
    singleGauge('disk_free_ratio', 'The free share of the disk of DATA_DIR, from 0 to 1.', () => {
      const measured = space();
      return measured && measured.free / measured.all;
    }),
    {
      name: 'werkstroom_database_connections',
      help: 'Connections of each pool, and requests that wait for one.',
      type: 'gauge',
      samples: () =>
        Object.entries(pools).flatMap(
          ([pool, { totalCount: total, idleCount: idle, waitingCount: waiting }]) =>
            samplesByName('state', { used: total - idle, idle, waiting }).map(({ labels, value }) => ({
              labels: { pool, ...labels },
              value,
            })),
        ),
    },
  ],
  stored: [
    storedMetrics(measureDatabaseSize, [
      singleGauge(
        'database_size_bytes',
        'What the database takes on its disk; of a cluster its coordinator.',
        ({ bytes }) => bytes,
      ),
      {
        name: 'werkstroom_worker_up',
        help: 'Of a cluster: 1 when the worker answered.',
        type: 'gauge',
        samples: ({ workers }) =>
          workers.map(({ worker, bytes }) => ({ labels: { worker }, value: bytes === undefined ? 0 : 1 })),
      },
      {
        name: 'werkstroom_worker_size_bytes',
        help: 'Of a cluster: what the worker has of the database on its disk.',
        type: 'gauge',
        samples: ({ workers }) =>
          workers.flatMap(({ worker, bytes }) =>
            bytes === undefined ? [] : [{ labels: { worker }, value: bytes }],
          ),
      },
    ]),
    storedMetrics(countJobs, [
      {
        name: 'werkstroom_jobs',
        help: 'Jobs by queue: created and retry wait; failed ones were given up within the last day.',
        type: 'gauge',
        samples: (jobs) =>
          jobs.map(({ queue, state, count }) => ({ labels: { queue, state }, value: count })),
      },
    ]),
  ],
});
