import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { purgeDeletedStreams as purgeDeleted } from '#server/upkeep.ts';
import { AdminTestPortal, BATTERY_DBC } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const remove = (machine_serial: string, more: Record<string, string> = {}) =>
  a.call('DELETE /api/machine/delete', { query: { machine_serial, ...more } });
const deleted = async () => (await a.call('GET /api/machine/get/deleted')).json;
const restore = async (_id: number) => {
  const answer = await a.call('POST /api/machine/restore', { body: { _id } });
  await a.portal.untilNotified();
  return answer;
};
const now = () => Math.floor(a.fleet.clock / 1000);
const DAY = 86_400_000;

/** Creates a machine whose logger has uploaded one reading. */
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
  test('a deleted machine is in no list, its serial number and logger are free, and its key is rejected (API-05, MLIST-03)', async () => {
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

  test('two simultaneous requests delete a machine once (API-05)', async () => {
    await a.machine('D-2');
    const answers = await Promise.all([remove('D-2'), remove('D-2')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(
      (await a.audited()).filter(({ action, subject }) => action === 'machine.delete' && subject === 'D-2'),
    ).toHaveLength(1);
  });
});

describe('restoring a machine', () => {
  test('restoring a machine brings back its history, definition, logger and keys (API-05, 12.C4)', async () => {
    const { id, logger } = await working('D-3');
    await a.call('POST /api/machine/writer/key', { body: { serial: 'D-3' } });
    const used = await a.loggerOf('D-3');
    await a.fleet.snapshot(used, { GMT_UNIX: now() + 1, Soc1: 50 });
    await a.call('POST /api/machine/writer/key', { body: { serial: 'D-3' } });
    const unused = await a.loggerOf('D-3');
    a.fleet.clock += 60_000;
    await remove('D-3');
    a.fleet.clock += 60_000;
    const meanwhile = now() - 30;
    for (const refused of [used, unused])
      await expect
        .poll(() => a.fleet.putStatus(refused, 'snapshot.json', '{}'), { timeout: 6_000 })
        .toBe(403);
    await a.portal.portal.counters.flush();
    expect(await deleted()).toContainEqual(
      expect.objectContaining({
        _id: id,
        serialNumber: 'D-3',
        brand: 'Volta',
        organization: 'klant',
        removedAt: expect.any(String),
      }),
    );
    const answers = await Promise.all([restore(id), restore(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.message).toBe(
      `Machine is teruggezet. Logger ${logger.loggerSerial} meldt zich weer met de sleutel die hij had.`,
    );
    expect(await deleted()).not.toContainEqual(expect.objectContaining({ _id: id }));
    expect((await a.details('D-3')).json).toMatchObject({ _id: id, loggerId: logger.loggerSerial });
    expect((await a.call('GET /api/machine/dbc/D-3')).json.buses).toHaveLength(1);
    expect((await a.fleet.live('D-3'))?.liveData).toMatchObject({ Soc1: 50 });
    // A key that a newer key had replaced before the deletion is still rejected after the restoration.
    expect(await a.fleet.putStatus(logger, 'snapshot.json', '{}')).toBe(403);
    const before = await a.fleet.readingsOf(id);
    // Uploads snapshots that the logger recorded while the machine was deleted, when its uploads were rejected.
    await a.fleet.snapshot(used, { GMT_UNIX: meanwhile, Soc1: 52 });
    await a.fleet.snapshot(unused, { GMT_UNIX: now(), Soc1: 51 });
    expect(await a.fleet.readingsOf(id)).toBe(before + 2);
    expect((await a.call('GET /api/machine/writer/unknown')).text).not.toContain(unused.accessKey);
    const health = (await a.call('GET /api/machine/writer/health/D-3')).json;
    expect(health.config.createdAt).not.toBeNull();
    expect(health.events.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['deleted', 'restored']),
    );
  });

  test('a machine whose serial number was given to another machine in the meantime cannot be restored, and the refusal says so (API-05)', async () => {
    await a.machine('D-4');
    const id = (await a.details('D-4')).json._id;
    await remove('D-4');
    await a.create('D-4', { influx_serial: '6000001' });
    const obstacle = 'Het serienummer D-4 is intussen van een andere machine.';
    expect(await deleted()).toContainEqual(expect.objectContaining({ _id: id, obstacle }));
    const answer = await restore(id);
    expect([answer.status, answer.message]).toEqual([409, obstacle]);
  });

  test('a machine whose logger was bound to another machine in the meantime is restored without that logger (12.C4)', async () => {
    const { id, logger } = await working('D-5');
    a.fleet.clock += 60_000;
    await remove('D-5');
    const between = now() + 30;
    a.fleet.clock += 60_000;
    await a.machine('D-6', { influx_serial: logger.loggerSerial });
    await a.call('POST /api/machine/writer/key', { body: { serial: 'D-6' } });
    expect((await deleted()).find(({ _id }: { _id: number }) => _id === id)).not.toHaveProperty('obstacle');
    const answer = await restore(id);
    expect([answer.status, answer.message]).toEqual([
      200,
      `Machine is teruggezet. Zonder logger: logger ${logger.loggerSerial} hoort intussen bij D-6.`,
    ]);
    expect((await a.details('D-5')).json.loggerId).toBe('');
    expect((await a.details('D-6')).json.loggerId).toBe(logger.loggerSerial);
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    // Earlier recordings of the logger do not belong to the other machine.
    const other = await a.loggerOf('D-6');
    a.fleet.clock += 2_000;
    await a.fleet.snapshot(other, { GMT_UNIX: between, Soc1: 53 });
    await a.fleet.snapshot(other, { GMT_UNIX: now(), Soc1: 54 });
    expect([await a.fleet.readingsOf(id), await a.fleet.readingsOf(other.streamId)]).toEqual([2, 1]);
  });

  test('a restored machine gets its logger back if that logger is free again, without the readings from the logger’s time on another machine (12.C4)', async () => {
    const { id, logger } = await working('D-12');
    a.fleet.clock += 60_000;
    await remove('D-12');
    const before = now() + 30;
    a.fleet.clock += 60_000;
    await a.machine('D-13', { influx_serial: logger.loggerSerial });
    const theirs = now() + 30;
    a.fleet.clock += 60_000;
    await a.call('POST /api/machine/writer/release', { body: { serial: 'D-13' } });
    const after = now() + 30;
    a.fleet.clock += 60_000;
    const answer = await restore(id);
    expect([answer.status, answer.message]).toEqual([
      200,
      `Machine is teruggezet. Logger ${logger.loggerSerial} meldt zich weer met de sleutel die hij had.`,
    ]);
    const other = (await a.details('D-13')).json._id;
    for (const time of [before, theirs, after, now()])
      await a.fleet.snapshot(logger, { GMT_UNIX: time, Soc1: 60 });
    expect([await a.fleet.readingsOf(id), await a.fleet.readingsOf(other)]).toEqual([4, 1]);
    expect((await a.call('GET /api/machine/dbc/D-12')).json.buses).toHaveLength(1);
  });

  test('a machine whose logger was released before the deletion is restored without it (12.C4)', async () => {
    const { id, logger } = await working('D-14');
    a.fleet.clock += 1_000;
    await a.call('POST /api/machine/writer/release', { body: { serial: 'D-14' } });
    a.fleet.clock += 1_000;
    await remove('D-14');
    expect((await restore(id)).message).toBe('Machine is teruggezet.');
    expect((await a.details('D-14')).json.loggerId).toBe('');
    expect(await a.fleet.putStatus(logger, 'snapshot.json', '{}')).toBe(403);
  });

  test('restoring returns 404 after the grace period, for a machine that is not deleted and for an unknown one, and 400 for an impossible id (API-03)', async () => {
    await a.machine('D-7');
    const { _id } = (await a.details('D-7')).json;
    for (const id of [_id, 999_999]) expect((await restore(id)).status).toBe(404);
    expect((await a.call('POST /api/machine/restore', { body: { _id: 1e12 } })).status).toBe(400);
    await remove('D-7');
    a.fleet.clock += 30 * DAY;
    expect((await restore(_id)).status).toBe(404);
    a.fleet.clock -= 30 * DAY;
    expect((await restore(_id)).status).toBe(200);
  });
});

describe('purging a deleted machine', () => {
  const purge = (days: number) => purgeDeleted(a.portal.pool, new Date(a.fleet.clock + days * DAY), 30);
  const later = () =>
    a.portal.pool.query(
      `update stream set purged_at = purged_at - interval '1 minute' where purged_at is not null`,
    );

  test('a purge deletes everything of a machine after the grace period, and nothing before (API-05)', async () => {
    const { id, logger } = await working('D-8');
    await a.create('D-9', { dbc_machine: 'D-8' });
    await computeUntilUpToDate(a.portal.pool, id);
    // Stops the portal's background work, which would change the rows that the test inserts for the machine.
    await a.portal.portal.dayComputation.close();
    for (const what of [
      'changed_history (stream_id, from_time) values ($1, now())',
      'presence (stream_id, from_time, to_time, project_id, by_hand, unseen_ms) values ($1, now(), now(), 1, false, 0)',
      `charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, soc_from, soc_to)
        values ($1, now(), now(), 0, 0, 0, '{}', '{}')`,
      `dm1_day values ($1, 20600, 0, 33, '[]', '{}')`,
      `fault_episode values ($1, now(), 0, 33, 100, 1, false, now())`,
    ])
      await a.portal.pool.query(`insert into ${what}`, [id]);
    await remove('D-8');
    const measured = [IS_TEST_OF_CLOSED_WEEKS ? 'reading_file' : 'reading', 'rollup', 'latest'];
    const counted = [
      ...['day_figures', 'presence', 'charging_session', 'day_cursor', 'changed_history'],
      ...['dm1_day', 'fault_episode'],
    ];
    const tables = async () => {
      const counts: Record<string, number> = {};
      for (const table of [...measured, ...counted, 'ownership', 'machine', 'writer', 'definition'])
        counts[table] = (
          await a.portal.pool.query(`select count(*)::int as n from ${table} where stream_id = $1`, [id])
        ).rows[0].n;
      return counts;
    };
    const before = await tables();
    for (const table of [...measured, ...counted]) expect([table, before[table]]).not.toEqual([table, 0]);
    await purge(29);
    await later();
    await purge(29);
    expect(await tables()).toEqual(before);
    await purge(31);
    expect((await restore(id)).status).toBe(404);
    await later();
    expect(await purge(31)).toBeGreaterThan(0);
    expect(Object.values(await tables()).filter((left) => left > 0)).toEqual([]);
    expect((await a.portal.pool.query('select from stream where id = $1', [id])).rowCount).toBe(0);
    expect(
      (await a.portal.pool.query('select from object where logger_serial = $1', [logger.loggerSerial]))
        .rowCount,
    ).toBe(0);
    expect((await a.details('D-9')).json).toMatchObject({ dbc_machine: '', version: 1 });
  });

  test('readings that a logger recorded for a purged machine are not stored for the logger’s next machine (INGEST-06)', async () => {
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
