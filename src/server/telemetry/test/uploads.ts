import type { QueuedCommit } from '#server/telemetry/write-queue-group.ts';

/** Time of the reading of upload 0, in ms. */
export const UPLOADS_START = Date.UTC(2026, 5, 1, 12);

/** Returns upload `n` of a logger: a reading `n` seconds after the start, and a new version of its only object, of size `n`. */
export const queuedUpload = (logger: number, n: number, streamId = logger): QueuedCommit => ({
  document: {
    loggerSerial: String(logger),
    key: `SN${logger}/snapshot.json`,
    size: n,
    etag: String(n),
    contentType: 'application/json',
    metadata: {},
    outcome: [{ kind: 'reading' }],
    body: Buffer.from(String(n)),
  },
  reading: { streamId, time: UPLOADS_START + n * 1000, signals: { Soc1: n % 100, MotorSpeed: 900 } },
});
