import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { readMissingSteps } from '#server/demo/history-fill.ts';
import type { HistoryStep } from '#server/demo/history-gaps.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import type { LogFile } from '#shared/contract/log-files.ts';
import { demoMachines, OFFLINE_MACHINE } from '#shared/demo/fleet.ts';
import { demoUsers } from '#shared/demo/organizations.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { RECORDED_EVERY_MS } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { uploadLog } from '#simulator/log-upload.ts';
import { parseLoggerKeys } from '#simulator/logger-keys.ts';
import { type DemoWindow, offlineWindows } from './history-plan.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SNAPSHOT_EVERY_MS = 5_000;
/** Hours of yesterday whose files arrive late, `LAST` excluded: in these hours a continuous crew works, charges and works again. */
const [FIRST, LAST] = [4, 12];

/** The machine whose logger had no network, and one whose readings arrived at once. */
const offline = demoMachines.find(({ serialNumber }) => serialNumber === OFFLINE_MACHINE.serialNumber)!;
const twin = demoMachines.find(
  ({ model, serialNumber }) => model === offline.model && serialNumber !== offline.serialNumber,
)!;
const { signalsAt } = demoLoggers().get(offline.loggerSerial)!;
/** Returns the readings of the logger, in which the GPS speed is a 32-bit float. */
const measuredAt = (time: number): Signals => {
  const { Speed = 0, ...others } = signalsAt(time);
  return { ...others, Speed: Math.fround(Speed) };
};
const now = Date.now();

/** Returns the multiples of an interval in a period, in ms since 1970. */
const timesOf = (from: number, to: number, intervalMs: number): number[] => {
  const first = Math.ceil(from / intervalMs) * intervalMs;
  return Array.from({ length: Math.ceil((to - first) / intervalMs) }, (_, n) => first + n * intervalMs);
};

let portal: TestPortal;
let window: DemoWindow;
let steps: readonly HistoryStep[];
let twinId: number;
beforeAll(async () => {
  portal = await testPortal();
  const { pool, secrets } = portal;
  const loggers = await seedDemo(pool, secrets, configSettings(portal.portal.config), new Date(now));
  const keys = parseLoggerKeys(JSON.stringify({ bucket: portal.portal.config.UPLOAD_BUCKET, loggers }));
  const { rows } = await pool.query<{ id: number; serial: string }>('select id, serial from stream');
  const idOf = (serial: string): number => rows.find((row) => row.serial === serial)!.id;
  twinId = idOf(twin.serialNumber);
  const streamId = idOf(offline.serialNumber);
  [window] = offlineWindows([{ streamId, loggerSerial: offline.loggerSerial, silent: false }], now) as [
    DemoWindow,
  ];
  const partitions = openPartitions(pool, () => now);
  await partitions.ensure([window.from, now], undefined);
  const store = (id: number, times: readonly number[]) =>
    storeReadings(
      pool,
      times.map((time) => ({ streamId: id, time, signals: measuredAt(time) })),
    );

  // Both machines are live again before the files arrive.
  const live = timesOf(now - 10 * MINUTE, now, MINUTE);
  await store(streamId, live);
  steps = ((await readMissingSteps(pool, [window]))[0] ?? []).slice(FIRST, LAST);
  // In the last hour the logger had a network, so the snapshots of that hour arrived as they were sent.
  const last = steps.at(-1)!;
  const snapshots = timesOf(last.from, last.to, SNAPSHOT_EVERY_MS);
  await store(streamId, snapshots);
  for (const { from, to } of steps) {
    const recorded = timesOf(from, to, RECORDED_EVERY_MS);
    const all = new Set(from === last.from ? [...recorded, ...snapshots] : recorded);
    await store(
      twinId,
      [...all].sort((a, b) => a - b),
    );
    const recording = { from, to, everyMs: RECORDED_EVERY_MS };
    await uploadLog({ portal: portal.address, keys }, offline, signalsAt, recording);
  }
  await store(twinId, live);
  // The first MotorSpeed of the history is earlier now, so sums are recomputed from there.
  while (await recomputeNextStream(pool));
  await computeUntilUpToDate(pool);
}, 10 * MINUTE);
afterAll(() => portal.close());

/** Returns the rows that a table has of a stream, without the stream's id, in the order of a column. */
async function rowsOf(table: string, streamId: number, order: string): Promise<object[]> {
  const { rows } = await portal.pool.query<{ row: object }>(
    `select to_jsonb(t) - 'stream_id' as row from ${table} t where stream_id = $1 order by ${order}`,
    [streamId],
  );
  return rows.map(({ row }) => row);
}

test('for a day without network, each late log file fills exactly one hour, and the files follow each other without a gap (43.9)', () => {
  expect(steps.map(({ from, to }) => [(from - window.from) / HOUR, (to - window.from) / HOUR])).toEqual(
    Array.from({ length: LAST - FIRST }, (_, n) => [FIRST + n, FIRST + n + 1]),
  );
});

test('files that arrive a day late, also with snapshots present, give the same sums and charging sessions as timely readings (43.9)', async () => {
  const sums = await rowsOf('rollup', window.streamId, 'bucket');
  expect(sums.length).toBeGreaterThan((LAST - FIRST) * 12);
  expect(sums).toEqual(await rowsOf('rollup', twinId, 'bucket'));
  const sessions = await rowsOf('charging_session', window.streamId, 'from_time');
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions).toEqual(await rowsOf('charging_session', twinId, 'from_time'));
});

test('the table Logbestanden lists each file as complete (43.9)', async () => {
  const administrator = demoUsers.find(({ role }) => role === 'administrator')!;
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: administrator.email, password: administrator.password },
  });
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0];
  const { files }: { files: LogFile[] } = (
    await portal.get(`/api/machine/log-file/${offline.serialNumber}`, cookie)
  ).json();
  expect(files).toHaveLength(LAST - FIRST);
  for (const { summary, result } of files) {
    expect(summary).toMatchObject({ unknownFrames: 0, missing: [] });
    expect(result).toBe('1.800 metingen');
  }
});

test('files that arrive a day late cause no notification (43.9)', async () => {
  await portal.portal.alerts.evaluateReadings();
  await portal.portal.alerts.evaluateClock();
  const { rows } = await portal.pool.query(
    `select kind from alert where stream_id = $1 and is_news and (since < $2 or kind in ('silent', 'unseen'))`,
    [window.streamId, new Date(steps.at(-1)!.to)],
  );
  expect(rows).toEqual([]);
});
