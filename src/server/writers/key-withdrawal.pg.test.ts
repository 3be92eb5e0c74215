import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const newKey = (serial: string, withdraw?: unknown) =>
  a.call('POST /api/machine/writer/key', { body: { serial, withdraw } });
const snapshot = () => JSON.stringify({ GMT_UNIX: Math.floor(a.fleet.clock / 1000), Soc1: 50 });

test('a key that is withdrawn at once is rejected before the new key is first used, otherwise it works until then (12.B6, INGEST-01)', async () => {
  const old = await a.fleet.newLogger();
  const { serialNumber } = old;
  expect((await newKey(serialNumber)).message).toBe(
    'De logger heeft een nieuwe sleutel. Maak en laad een nieuw configuratiebestand.',
  );
  const unused = await a.loggerOf(serialNumber);
  await a.portal.untilNotified();
  expect(await a.fleet.putStatus(old, 'snapshot.json', snapshot())).toBe(200);
  expect((await newKey(serialNumber, true)).message).toBe(
    'De logger heeft een nieuwe sleutel. De oude sleutel wordt geweigerd. Maak en laad een nieuw configuratiebestand.',
  );
  const present = await a.loggerOf(serialNumber);
  await a.portal.untilNotified();
  for (const [key, status] of [
    [old, 403],
    [unused, 403],
    [present, 200],
  ] as const)
    expect(await a.fleet.putStatus(key, 'snapshot.json', snapshot())).toBe(status);
  const { rows } = await a.portal.pool.query(
    `select data -> 'withdrawn' as withdrawn from audit where action = 'writer.key' and subject = $1 order by id`,
    [serialNumber],
  );
  expect(rows).toEqual([{ withdrawn: false }, { withdrawn: true }]);
});

test('a log file that is waiting while its key is withdrawn gets 403, and nothing is stored (12.B6, INGEST-01)', async () => {
  const logger = await a.fleet.newLogger();
  const { logs } = a.portal.portal.telemetry;
  let end = () => {};
  const turn = logs.run(logger.loggerSerial, () => new Promise<void>((resolve) => (end = resolve)));
  const asked = vi.spyOn(logs, 'run');
  const upload = a.fleet.put(logger, 'a.csv', 'time;Soc1\n2026-06-01T10:00:00Z;80\n').catch((error) => error);
  // Waits until the server has received the whole body.
  await expect.poll(() => asked.mock.calls.length, { timeout: 10_000 }).toBe(1);
  await newKey(logger.serialNumber, true);
  await a.portal.untilNotified();
  end();
  await turn;
  expect((await upload).name).toBe('InvalidAccessKeyId');
  expect(await a.fleet.readingsOf(logger.streamId)).toBe(0);
});

test('a request for a new key whose `withdraw` is no boolean is refused and withdraws nothing (12.B6, API-03)', async () => {
  const logger = await a.fleet.newLogger();
  expect((await newKey(logger.serialNumber, 'ja')).status).toBe(400);
  await a.portal.untilNotified();
  expect(await a.fleet.putStatus(logger, 'snapshot.json', snapshot())).toBe(200);
});
