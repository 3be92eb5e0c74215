import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import {
  COOLANT_CODE_DM1,
  dm1Line,
  dm1Lines,
  j1939Definition,
  NO_CODE_DM1,
  OIL_CODE_DM1,
} from '#server/telemetry/dm1/test/dm1-logs.ts';
import type { FleetLogger } from '#server/telemetry/test/fleet.ts';
import type { Faults } from '#shared/contract/fault-codes.ts';

let a: AdminTestPortal;
let other: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());

/** Returns the start of a whole hour, five hours before the present one, in s. */
const begin = (): number => Math.floor(a.fleet.clock / 3_600_000) * 3_600 - 5 * 3_600;
const iso = (second: number): string => new Date(second * 1000).toISOString();
const get = async (
  { serialNumber: serial }: FleetLogger,
  query: Record<string, string> = {},
  as = a.fleet.cookie,
): Promise<Faults> => (await a.call('GET /api/fault/get', { as, query: { serial, ...query } })).json;

test('the fault codes of a machine are sorted with active ones first, then the newest, up to the requested number (42.50)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  expect(await get(logger)).toEqual({ faults: [], total: 0, hasDm1: false });
  await a.fleet.put(logger, '1/a.log', dm1Line(t, NO_CODE_DM1));
  expect(await get(logger)).toEqual({ faults: [], total: 0, hasDm1: true });
  await a.fleet.put(
    logger,
    '1/b.log',
    dm1Line(t, COOLANT_CODE_DM1, '00') +
      dm1Line(t + 10, OIL_CODE_DM1) +
      dm1Line(t + 20, NO_CODE_DM1) +
      dm1Line(t + 30, COOLANT_CODE_DM1) +
      dm1Line(t + 40, NO_CODE_DM1),
  );
  const { faults, total } = await get(logger);
  expect(total).toBe(3);
  expect(faults.map(({ since }) => since)).toEqual([iso(t), iso(t + 30), iso(t + 10)]);
  expect(faults[2]).toEqual({
    ...{ bus: 0, source: 0x21, spn: 100, fmi: 1, isOldLayout: false, lamp: 'stop', occurrences: 3 },
    ...{ since: iso(t + 10), lastSeen: iso(t + 10), over: iso(t + 20) },
  });
  expect(await get(logger, { most: '1' })).toMatchObject({ faults: [{ spn: 110, source: 0 }], total: 3 });
  // For a range of time, the answer has only the episodes that were seen or ended within the range.
  const within = await get(logger, { start: iso(t + 15), end: iso(t + 25) });
  expect(within.faults.map(({ since }) => since)).toEqual([iso(t + 10)]);
});

test('another organization gets 404 for a machine’s fault codes, and a new owner sees fault codes only from the time since it owns the machine (42.51)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  const { serialNumber: serial } = logger;
  const faults = dm1Line(t, COOLANT_CODE_DM1, '00') + dm1Lines(t, t + 3_600, OIL_CODE_DM1);
  await a.fleet.put(logger, '1/a.log', faults);
  expect((await a.call('GET /api/fault/get', { as: other, query: { serial } })).status).toBe(404);
  expect((await a.call('GET /api/fault/get', { as: other, query: { serial: 'nobody-has-it' } })).status).toBe(
    404,
  );
  await a.portal.pool.query(`update ownership set valid_to = $2 where stream_id = $1`, [
    logger.streamId,
    new Date((t + 1_800) * 1000),
  ]);
  await a.portal.pool.query(
    `insert into ownership (stream_id, organization_id, valid_from) select $1, id, $2 from organization where name = 'ander'`,
    [logger.streamId, new Date((t + 1_800) * 1000)],
  );
  const { faults: seen } = await get(logger, {}, other);
  expect(seen.map(({ spn, since, lastSeen }) => [spn, since, lastSeen])).toEqual([
    [100, iso(t + 1_800), iso(t + 3_599)],
  ]);
  expect((await a.call('GET /api/fault/get', { as: a.fleet.cookie, query: { serial } })).status).toBe(404);
  const figures = await a.call('GET /api/fleet/figures', { as: other });
  expect(figures.json[serial].faults).toMatchObject({ count: 1, spn: 100 });
});

test('the overview has the number of active fault codes and the most severe, until a day after they were last seen (42.52)', async () => {
  const t = begin();
  const logger = await a.fleet.newLogger(j1939Definition());
  const figures = async () =>
    (await a.call('GET /api/fleet/figures', { as: a.fleet.cookie })).json[logger.serialNumber];
  expect((await figures()).faults).toBeUndefined();
  await a.fleet.put(
    logger,
    '1/a.log',
    dm1Line(t, COOLANT_CODE_DM1, '00') +
      dm1Line(t, OIL_CODE_DM1) +
      dm1Line(t, COOLANT_CODE_DM1, '03') +
      dm1Line(t + 1, NO_CODE_DM1, '03'),
  );
  expect((await figures()).faults).toEqual({ count: 2, spn: 100, fmi: 1, isOldLayout: false, lamp: 'stop' });
  a.fleet.clock += 24 * 3_600_000;
  await a.portal.untilNotified();
  expect((await figures())?.faults).toBeUndefined();
});
