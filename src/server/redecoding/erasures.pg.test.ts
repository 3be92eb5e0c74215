import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { deleteErasures } from '#server/redecoding/erasures.store.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { Erasure } from '#shared/contract/erasures.ts';
import { readStreamContent } from './test/content-of.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const MINUTE = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Creates a machine that ran and charged for two hours; `begin`: ms of its first reading. */
async function measured(serial: string): Promise<TestLogger & { begin: number }> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  const logger = await a.loggerOf(serial);
  a.fleet.clock = Date.now();
  const begin = Math.floor(a.fleet.clock / MINUTE) * MINUTE - 120 * MINUTE;
  const names = ['Soc1', 'MotorSpeed', 'LATITUDE', 'LONGITUDE', 'BatteryVoltage', 'BatteryCurrent'];
  const rows = Array.from({ length: 120 }, (_, n) =>
    [iso(begin + n * MINUTE), 90 - n / 4, 1_000, 52 + n / 1_000, 5, 80, 20].join(','),
  );
  await a.fleet.put(logger, 'drive.csv', `time,${names.join(',')}\n${rows.join('\n')}\n`);
  return { ...logger, begin };
}
const view = async (serial: string): Promise<{ erasures: Erasure[]; signals: string[] }> =>
  (await a.call(`GET /api/machine/erasure/${serial}`)).json;
const erase = (serial: string, from: number, to: number, signal?: string) =>
  a.call('POST /api/machine/erasure/create', {
    body: { serial, from: iso(from), to: iso(to), ...(signal !== undefined && { signal }) },
  });
const undo = (serial: string, id: number) =>
  a.call('POST /api/machine/erasure/undo', { body: { serial, id } });
async function settled(serial: string, state: Erasure['state']): Promise<Erasure> {
  await expect
    .poll(async () => (await view(serial)).erasures[0]?.state, { timeout: 30_000, interval: 50 })
    .toBe(state);
  return (await view(serial)).erasures[0] as Erasure;
}

test('one signal of a range is erased with its figures, and restored unchanged (55.13)', async () => {
  const logger = await measured('W-1');
  const { begin } = logger;
  const before = await readStreamContent(a.portal.pool, logger);
  expect((await view('W-1')).signals).toEqual(
    expect.arrayContaining(['BatteryCurrent', 'LATITUDE', 'MotorSpeed', 'Soc1']),
  );
  const [from, to] = [begin + 30 * MINUTE, begin + 90 * MINUTE];
  const query = { from: iso(from), to: iso(to), signal: 'Soc1' };
  const preview = await a.call('GET /api/machine/erasure/W-1/preview', { query });
  expect(preview.json).toEqual({ readings: 60, values: 60, owners: ['klant BV'] });
  expect(await readStreamContent(a.portal.pool, logger)).toEqual(before);
  expect((await erase('W-1', from, to, 'Soc1')).status).toBe(200);
  expect(await settled('W-1', 'done')).toMatchObject({ signal: 'Soc1', readings: 60, values: 60 });
  const rows = await storedRows(a.portal.pool, logger.streamId, ['soc1', 'motor_speed'], { from, to });
  expect(rows).toEqual(Array(60).fill({ soc1: null, motor_speed: expect.any(Number) }));
  const after = await readStreamContent(a.portal.pool, logger);
  expect([after.rollup, after.latest]).not.toEqual([before.rollup, before.latest]);
  const [made] = (await view('W-1')).erasures;
  expect((await undo('W-1', made!.id)).status).toBe(200);
  await settled('W-1', 'undone');
  expect(await readStreamContent(a.portal.pool, logger)).toEqual(before);
  expect((await undo('W-1', made!.id)).status).toBe(404);
  const actions = (await a.audited()).filter(({ subject }) => subject === 'W-1').map(({ action }) => action);
  expect(actions.slice(-2)).toEqual(['readings.erase', 'readings.put-back']);
});

test('an hour of all signals can be erased, including the newest reading, and readings that arrived later stay when the hour is restored (55.13)', async () => {
  const logger = await measured('W-2');
  const { begin } = logger;
  const before = await readStreamContent(a.portal.pool, logger);
  const [from, to] = [begin + 60 * MINUTE, begin + 130 * MINUTE];
  await erase('W-2', from, to);
  expect(await settled('W-2', 'done')).toMatchObject({ signal: null, readings: 60, values: 360 });
  const erased = await readStreamContent(a.portal.pool, logger);
  expect(erased.readings).toEqual(before.readings.slice(0, 60));
  expect(erased.latest).toMatchObject([{ time: new Date(begin + 59 * MINUTE), totalCount: '60' }]);
  // A reading at the instant of an erased one, with another value.
  await a.fleet.snapshot(logger, { GMT_UNIX: (begin + 100 * MINUTE) / 1000, Soc1: 12 });
  const [made] = (await view('W-2')).erasures;
  await undo('W-2', made!.id);
  await settled('W-2', 'undone');
  const instant = { from: begin + 100 * MINUTE, to: begin + 100 * MINUTE + 1 };
  const rows = await storedRows(a.portal.pool, logger.streamId, ['soc1', 'motor_speed'], instant);
  expect(rows).toEqual([{ soc1: 12, motor_speed: 1_000 }]);
  expect((await readStreamContent(a.portal.pool, logger)).readings).toHaveLength(120);
});

test('erasing the longitude also erases the latitude (55.13)', async () => {
  const logger = await measured('W-3');
  await erase('W-3', logger.begin, logger.begin + 10 * MINUTE, 'LONGITUDE');
  expect(await settled('W-3', 'done')).toMatchObject({ readings: 10, values: 20 });
  const rows = await storedRows(a.portal.pool, logger.streamId, ['latitude', 'longitude']);
  expect(rows.filter((row) => row.latitude !== null || row.longitude !== null)).toHaveLength(110);
});

test('the preview of an erasure across a sale counts the readings and names both owners (55.13)', async () => {
  await a.portal.organization('koper');
  const { begin } = await measured('W-4');
  await a.sell('W-4', 'koper', { at: iso(begin + 60 * MINUTE) });
  const query = { from: iso(begin + 50 * MINUTE), to: iso(begin + 70 * MINUTE) };
  const preview = await a.call('GET /api/machine/erasure/W-4/preview', { query });
  expect(preview.json).toEqual({ readings: 20, values: null, owners: ['klant BV', 'koper BV'] });
});

test('erasing is refused during re-decoding, and re-decoding during an erasure (55.13)', async () => {
  const { begin, streamId } = await measured('W-5');
  // Inserts a re-decoding in progress, which does not end.
  await a.portal.pool.query(
    `insert into redecoding (stream_id, writer_id, definition_id, bindings, from_time, preview, started_by, state)
     select $1, id, definition_id, '[]', '-infinity', true, 1, 'running' from writer where stream_id = $1`,
    [streamId],
  );
  const refused = await erase('W-5', begin, begin + MINUTE);
  expect([refused.status, refused.message]).toEqual([
    409,
    'De logbestanden worden nu opnieuw gedecodeerd. Wacht tot dat klaar is.',
  ]);
  await a.portal.pool.query('delete from redecoding where stream_id = $1', [streamId]);
  await a.portal.pool.query(
    `insert into erasure (stream_id, from_time, to_time, made_at, state) values ($1, now() - interval '1 hour', now(), now(), 'running')`,
    [streamId],
  );
  const body = { serial: 'W-5', preview: false };
  for (const answer of [
    await a.call('POST /api/machine/dbc/redecode', { body }),
    await erase('W-5', begin, begin + MINUTE),
  ])
    expect([answer.status, answer.message]).toEqual([
      409,
      'Er worden nu metingen gewist of teruggezet. Wacht tot dat klaar is.',
    ]);
});

test('an invalid range, or one without readings, is refused with an explanation (55.13)', async () => {
  const { begin } = await measured('W-6');
  for (const [from, to, status, message] of [
    [begin, begin, 400, 'Het eind ligt niet na het begin.'],
    [begin + 1_000 * MINUTE, begin + 2_000 * MINUTE, 400, 'Het begin ligt in de toekomst.'],
    [begin - 90 * MINUTE, begin - 60 * MINUTE, 409, 'Er zijn geen metingen in deze tijd.'],
  ] as const) {
    const answer = await erase('W-6', from, to);
    expect([answer.status, answer.message]).toEqual([status, message]);
  }
  expect((await a.call('GET /api/machine/erasure/GEEN')).status).toBe(404);
  expect((await view('W-6')).erasures).toEqual([]);
});

test('the readings kept for undoing an erasure are deleted after 30 days (55.13)', async () => {
  const logger = await measured('W-7');
  await erase('W-7', logger.begin, logger.begin + 10 * MINUTE);
  const { id } = await settled('W-7', 'done');
  await a.portal.pool.query(`update erasure set made_at = now() - interval '31 days' where id = $1`, [id]);
  expect((await undo('W-7', id)).status).toBe(404);
  await deleteErasures(a.portal.pool);
  const { rows } = await a.portal.pool.query('select from erased_reading where stream_id = $1', [
    logger.streamId,
  ]);
  expect(rows).toEqual([]);
  expect((await view('W-7')).erasures).toEqual([]);
});
