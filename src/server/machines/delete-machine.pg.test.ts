import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purge as purgeDeleted } from '#server/upkeep.ts';
import { Administration, BATTERY_DBC } from './test/administration.ts';

let a: Administration;
beforeAll(async () => {
  a = await Administration.open();
});
afterAll(() => a.close());

const remove = (machine_serial: string, more: Record<string, string> = {}) =>
  a.call('DELETE /api/machine/delete', { query: { machine_serial, ...more } });
const deleted = async () => (await a.call('GET /api/machine/get/deleted')).json;
const restore = (_id: number) => a.call('POST /api/machine/restore', { body: { _id } });
const now = () => Math.floor(a.fleet.clock / 1000);
const DAY = 86_400_000;

/** A machine whose logger has uploaded one reading. */
async function working(
  serial: string,
): Promise<{ id: number; logger: Awaited<ReturnType<typeof a.loggerOf>> }> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  expect((await a.call('GET /api/machine/config/create', { query: { serienummer: serial } })).status).toBe(
    200,
  );
  const logger = await a.loggerOf(serial);
  await a.fleet.snapshot(logger, { GMT_UNIX: now(), Soc1: 50 });
  return { id: logger.streamId, logger };
}

describe('deleting a machine', () => {
  test('API-05 MLIST-03 it is nowhere any more; its serial number and logger are free, its key is refused', async () => {
    const { id, logger } = await working('D-1');
    const answer = await remove('D-1', { alias: 'verkeerd' });
    expect([answer.status, answer.message]).toEqual([400, "Machine D-1 heet niet 'verkeerd'."]);
    expect((await remove('D-1', { bedrijf: 'admin' })).status).toBe(400);
    const { alias } = (await a.details('D-1')).json;
    expect((await remove('D-1', { alias, bedrijf: 'klant' })).status).toBe(200);
    expect((await remove('D-1')).status).toBe(404);
    expect((await a.details('D-1')).status).toBe(404);
    expect((await a.call('GET /api/machine/get/all')).text).not.toContain('D-1');
    await expect.poll(() => a.fleet.live('D-1'), { timeout: 6_000 }).toBeUndefined();
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    expect(await a.fleet.readingsOf(id)).toBe(1);
    expect((await a.create('D-1', { influx_serial: logger.loggerSerial })).status).toBe(200);
    expect((await a.bind('D-1', logger.loggerSerial)).status).toBe(200);
  });

  test('API-05 two at once delete it once', async () => {
    await a.machine('D-2');
    const answers = await Promise.all([remove('D-2'), remove('D-2')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(
      (await a.audited()).filter(({ action, subject }) => action === 'machine.delete' && subject === 'D-2'),
    ).toHaveLength(1);
  });
});

describe('restoring a machine', () => {
  test('API-05 brings it back with its history, logger and definition; the logger needs a new key', async () => {
    const { id, logger } = await working('D-3');
    await remove('D-3');
    a.fleet.clock += 60_000;
    const meanwhile = now() - 30;
    expect(await deleted()).toContainEqual(
      expect.objectContaining({
        _id: id,
        serialNumber: 'D-3',
        organization: 'klant',
        removedAt: expect.any(String),
      }),
    );
    const answers = await Promise.all([restore(id), restore(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await deleted()).not.toContainEqual(expect.objectContaining({ _id: id }));
    expect((await a.details('D-3')).json).toMatchObject({ _id: id, loggerId: logger.loggerSerial });
    expect((await a.call('GET /api/machine/dbc/D-3')).json.buses).toHaveLength(1);
    expect((await a.fleet.live('D-3'))?.liveData).toMatchObject({ Soc1: 50 });
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    await a.call('GET /api/machine/config/create', { query: { serienummer: 'D-3' } });
    await a.fleet.snapshot(await a.loggerOf('D-3'), { GMT_UNIX: now(), Soc1: 51 });
    expect(await a.fleet.readingsOf(id)).toBe(2);
    // Its logger went on recording while it was deleted.
    await a.fleet.snapshot(await a.loggerOf('D-3'), { GMT_UNIX: meanwhile, Soc1: 52 });
    expect(await a.fleet.readingsOf(id)).toBe(3);
  });

  test('API-05 a serial number that was taken meanwhile is named', async () => {
    await a.machine('D-4');
    const id = (await a.details('D-4')).json._id;
    await remove('D-4');
    await a.create('D-4', { influx_serial: '6000001' });
    const obstacle = 'Het serienummer D-4 is intussen van een andere machine.';
    expect(await deleted()).toContainEqual(expect.objectContaining({ _id: id, obstacle }));
    const answer = await restore(id);
    expect([answer.status, answer.message]).toEqual([409, obstacle]);
  });

  test('API-05 a logger that was taken meanwhile is named', async () => {
    await a.machine('D-5');
    const { _id, loggerId } = (await a.details('D-5')).json;
    await remove('D-5');
    await a.machine('D-6', { influx_serial: loggerId });
    const obstacle = `Logger ${loggerId} hoort intussen bij D-6.`;
    expect(await deleted()).toContainEqual(expect.objectContaining({ _id, obstacle }));
    const answer = await restore(_id);
    expect([answer.status, answer.message]).toEqual([409, obstacle]);
  });

  test('API-03 after the grace period, or of a machine that is there or never was, it is 404', async () => {
    await a.machine('D-7');
    const { _id } = (await a.details('D-7')).json;
    for (const id of [_id, 999_999]) expect((await restore(id)).status).toBe(404);
    expect((await a.call('POST /api/machine/restore', { body: { _id: 1e12 } })).status).toBe(404);
    await remove('D-7');
    a.fleet.clock += 30 * DAY;
    expect((await restore(_id)).status).toBe(404);
    a.fleet.clock -= 30 * DAY;
    expect((await restore(_id)).status).toBe(200);
  });
});

describe('removing for good', () => {
  const purge = (days: number) => purgeDeleted(a.portal.pool, new Date(a.fleet.clock + days * DAY), 30);
  const later = () =>
    a.portal.pool.query(
      `update stream set purged_at = purged_at - interval '1 minute' where purged_at is not null`,
    );

  test('API-05 leaves nothing of it after the grace period, and everything before', async () => {
    const { id, logger } = await working('D-8');
    await a.create('D-9', { dbc_machine: 'D-8' });
    await remove('D-8');
    const tables = async () => {
      const counts: Record<string, number> = {};
      for (const table of ['reading', 'rollup', 'latest', 'ownership', 'machine', 'writer', 'definition'])
        counts[table] = (
          await a.portal.pool.query(`select count(*)::int as n from ${table} where stream_id = $1`, [id])
        ).rows[0].n;
      return counts;
    };
    const before = await tables();
    await purge(29);
    await later();
    await purge(29);
    expect(await tables()).toEqual(before);
    await purge(31);
    expect((await restore(id)).status).toBe(404);
    await later();
    expect(await purge(31)).toBeGreaterThan(0);
    expect(Object.values(await tables())).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await a.portal.pool.query('select from stream where id = $1', [id])).rowCount).toBe(0);
    expect(
      (await a.portal.pool.query('select from object where logger_serial = $1', [logger.loggerSerial]))
        .rowCount,
    ).toBe(0);
    expect((await a.details('D-9')).json).toMatchObject({ dbc_machine: '', version: 1 });
  });

  test("INGEST-06 a logger whose machine was removed brings nothing of that machine's time to the next", async () => {
    const { logger } = await working('D-10');
    const then = now();
    a.fleet.clock += 10_000;
    await remove('D-10');
    await purge(31);
    await later();
    await purge(31);
    await a.machine('D-11', { influx_serial: logger.loggerSerial });
    await a.upload('D-11', BATTERY_DBC);
    await a.call('GET /api/machine/config/create', { query: { serienummer: 'D-11' } });
    const next = await a.loggerOf('D-11');
    await a.fleet.snapshot(next, { GMT_UNIX: then, Soc1: 10 });
    expect(await a.fleet.readingsOf(next.streamId)).toBe(0);
    a.fleet.clock += 2_000;
    await a.fleet.snapshot(next, { GMT_UNIX: now(), Soc1: 11 });
    expect(await a.fleet.readingsOf(next.streamId)).toBe(1);
  });
});
