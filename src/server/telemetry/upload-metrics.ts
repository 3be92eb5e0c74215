import { type ModuleMetrics, samplesByName, singleGauge, storedMetrics } from '#server/platform/metric.ts';
import type { Telemetry } from './telemetry.ts';
import { countStreamsByAge, countUploadsNotInHistory } from './upload-metrics.store.ts';
import type { UploadTally } from './upload-tally.ts';

export type UploadMetricSources = {
  readonly telemetry: Pick<Telemetry, 'writeQueue'>;
  readonly uploadTally: UploadTally;
};

export const uploadMetrics = ({
  telemetry: { writeQueue },
  uploadTally,
}: UploadMetricSources): ModuleMetrics => ({
  ofProcess: [
    {
      name: 'werkstroom_uploads_total',
      help: 'Uploads of loggers: stored, quarantined (stored, but no history), refused, or signed with an unknown key.',
      type: 'counter',
      samples: () => {
        const { uploads, quarantined, refused, unknownKey } = uploadTally;
        return samplesByName('outcome', {
          stored: uploads - quarantined,
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
      samples: () => {
        const { readings, merged, duplicates } = uploadTally;
        return samplesByName('outcome', { stored: readings, merged, duplicate: duplicates });
      },
    },
    singleGauge(
      'upload_queue_depth',
      'Uploads that wait for their commit.',
      () => writeQueue.health().waiting,
    ),
    singleGauge(
      'upload_queue_age_seconds',
      'How long the oldest of those has been waiting; 0 when none waits.',
      () => writeQueue.health().waitingMs / 1000,
    ),
  ],
  stored: [
    storedMetrics(countUploadsNotInHistory, [
      singleGauge(
        'quarantined',
        'Deliveries in quarantine; at most 100 per logger.',
        ({ quarantined }) => quarantined,
      ),
      singleGauge(
        'unknown_keys',
        'Different unknown keys that uploads were signed with; at most 1,000 are kept.',
        ({ unknownKeys }) => unknownKeys,
      ),
      singleGauge(
        'unfinished_upload_bytes',
        'Parts of log files whose upload is not complete; they go after 24 hours.',
        ({ partBytes }) => partBytes,
      ),
    ]),
    storedMetrics(countStreamsByAge, [
      singleGauge(
        'newest_reading_age_seconds',
        'Age of the newest reading of all machines and loggers.',
        ({ newestAge }) => newestAge,
      ),
      singleGauge(
        'oldest_reading_age_seconds',
        'Age of the newest reading of the machine or logger that is silent longest.',
        ({ oldestAge }) => oldestAge,
      ),
      {
        name: 'werkstroom_streams',
        help: 'Machines and LMB loggers by their newest reading: within 10 minutes, longer ago, or none yet.',
        type: 'gauge',
        samples: ({ streams }) => samplesByName('state', streams),
      },
    ]),
  ],
});
