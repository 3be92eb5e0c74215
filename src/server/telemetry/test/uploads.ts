import type { Commit } from '#server/telemetry/write-queue-group.ts';

/** When second 0 is, ms. */
export const UPLOADS_START = Date.UTC(2026, 5, 1, 12);

/** Upload `n` of a logger: its stream's reading of second `n`, over its one object, whose size says `n` too. */
export const upload = (logger: number, n: number, streamId = logger): Commit => ({
  document: {
    loggerSerial: String(logger),
    key: `SN${logger}/snapshot.json`,
    size: n,
    etag: String(n),
    contentType: 'application/json',
    metadata: {},
    outcome: 'meting',
    body: Buffer.from(String(n)),
  },
  reading: { streamId, time: UPLOADS_START + n * 1000, signals: { Soc1: n % 100, MotorSpeed: 900 } },
});
