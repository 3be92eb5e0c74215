import { afterAll, beforeAll, expect, test } from 'vitest';
import { Administration } from '#server/machines/test/administration.ts';
import { removeOldDocuments } from '#server/telemetry/objects.store.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';

let a: Administration;
beforeAll(async () => {
  a = await Administration.open();
});
afterAll(() => a.close());

const health = async (serial: string): Promise<LoggerHealth> =>
  (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const unread = ({ events }: LoggerHealth): string[] =>
  events.filter(({ kind }) => kind === 'unread-file').map(({ detail }) => detail);

async function logger(serial: string): Promise<TestLogger> {
  await a.machine(serial);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  return a.loggerOf(serial);
}
/** As if the files whose names begin so came in at a time. */
const cameAt = ({ loggerSerial }: TestLogger, name: string, at: string) =>
  a.portal.pool.query(
    `update object set modified_at = $3 where logger_serial = $1 and key like '%/' || $2 || '%'`,
    [loggerSerial, name, at],
  );

test('55.50 a file of any name that is not read is an event and stands in the list of kept files, at once', async () => {
  const own = await logger('U-1');
  for (const name of ['last.json', 'noot'])
    expect([name, await a.fleet.putStatus(own, name, 'inhoud')]).toEqual([name, 200]);
  await a.fleet.put(own, 'Status.json', '{}');
  const shown = await health('U-1');
  const names = ['noot', 'last.json'];
  expect(unread(shown)).toEqual(names);
  expect(shown.undecoded).toEqual({
    count: 2,
    files: names.map((name) => ({ name, size: 6, at: expect.any(String) })),
  });
  expect(shown.events.map(({ kind }) => kind)).not.toContain('log-file');
  expect(await a.fleet.headStatus(own, 'last.json')).toBe(200);
});

test('55.50 names that differ by their digits only are one event per hour', async () => {
  const own = await logger('U-3');
  for (const name of ['a1.bin', 'a2.bin', 'a30.bin', 'b1.bin']) await a.fleet.put(own, name, 'x');
  await a.portal.pool.query(`update writer set created_at = '2026-06-01T09:00Z' where id = $1`, [
    own.writerId,
  ]);
  for (const [name, at] of [
    ['a1.bin', '2026-06-01T10:00:00Z'],
    ['b1.bin', '2026-06-01T10:30:00Z'],
    ['a2.bin', '2026-06-01T10:59:59Z'],
    ['a30.bin', '2026-06-01T11:00:00Z'],
  ] as const)
    await cameAt(own, name, at);
  expect(unread(await health('U-3'))).toEqual(['a30.bin', 'a2.bin', 'b1.bin']);
});

test('55.50 10,000 names that nobody knows leave the other events where they are, and 1,000 rows', async () => {
  const own = await logger('U-4');
  const before = (await health('U-4')).events;
  await a.portal.pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, outcome, body)
     select $1, 'WS_SN' || $1 || '/' || md5(n::text), 1, 'x', 'x', 'niet gedecodeerd', 'x' from generate_series(1, 10000) as n`,
    [own.loggerSerial],
  );
  const flooded = await health('U-4');
  expect(unread(flooded)).toHaveLength(10);
  expect(flooded.events.filter(({ kind }) => kind !== 'unread-file')).toEqual(before);
  expect(flooded.undecoded.count).toBe(10_000);
  expect(flooded.undecoded.files).toHaveLength(20);
  await removeOldDocuments(a.portal.pool);
  expect((await health('U-4')).undecoded.count).toBe(1_000);
});
