import type { Module } from '#server/platform/module.ts';
import { deleteOldImports } from './log-import.ts';
import { removeOldUploads } from './multipart-uploads.store.ts';
import { removeOldDocuments, removeOldLogs } from './objects.store.ts';
import { removeOldPositions } from './old-positions.ts';
import { WEEK_PARTITION_TASKS } from './partitions.ts';
import { type UploadMetricSources, uploadMetrics } from './upload-metrics.ts';

/** Readings, and the objects and log files that loggers upload. */
export const telemetry: Module<unknown, UploadMetricSources> = {
  periodic: [
    ...WEEK_PARTITION_TASKS,
    ['documents beyond the newest of each logger', removeOldDocuments],
    ['old log files', removeOldLogs],
    ['incomplete multipart uploads', removeOldUploads],
    ['old imports', deleteOldImports],
    ['positions that are kept no longer', removeOldPositions],
  ],
  metrics: uploadMetrics,
};
