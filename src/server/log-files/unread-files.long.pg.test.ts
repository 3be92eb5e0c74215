import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { removeOldDocuments } from '#server/telemetry/objects.store.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { LogFiles } from '#shared/contract/log-files.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const health = async (serial: string): Promise<LoggerHealth> =>
  (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const stored = async (serial: string): Promise<LogFiles> =>
  (await a.call(`GET /api/machine/log-file/${serial}`)).json;
const unread = ({ events }: LoggerHealth): string[] =>
  events.filter(({ kind }) => kind === 'unread-file').map(({ detail }) => detail);

async function logger(serial: string): Promise<TestLogger> {
  await a.machine(serial);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  return a.loggerOf(serial);
}
/** Sets the time of receipt of the files whose names begin with `name`. */
const setReceivedAt = ({ loggerSerial }: TestLogger, name: string, at: string) =>
  a.portal.pool.query(
    `update object set modified_at = $3 where logger_serial = $1 and key like '%/' || $2 || '%'`,
    [loggerSerial, name, at],
  );

test('a file that the portal cannot decode is in the table of log files at once, and also raises an event of the logger if its format is unknown (55.50, 43.5)', async () => {
  const own = await logger('U-1');
  for (const name of ['last.json', '1/data.mf4', 'drive.blf', 'drive.asc.gz', 'drive.trc', 'x.rxe', 'noot'])
    expect([name, await a.fleet.putStatus(own, name, 'inhoud')]).toEqual([name, 200]);
  await a.fleet.put(own, 'Status.json', '{}');
  const shown = await health('U-1');
  const names = ['noot', 'x.rxe', 'drive.trc', 'drive.asc.gz', 'drive.blf', 'data.mf4', 'last.json'];
  expect(unread(shown)).toEqual(['noot', 'last.json']);
  const { count, files } = await stored('U-1');
  expect([count, files.map(({ name }) => name)]).toEqual([7, names]);
  expect(files[0]).toMatchObject({ size: 6, summary: null, result: 'niet gedecodeerd', canDecode: false });
  expect(files[1]).toMatchObject({
    summary: null,
    result: expect.stringMatching(/versleuteld/),
    canDecode: false,
  });
  const document = await a.portal.get(`/api/machine/log-file/U-1/${files[0]?.id}`, a.admin);
  expect([document.body, document.headers['content-disposition']]).toEqual([
    'inhoud',
    'attachment; filename="noot.bin"',
  ]);
  expect(await a.fleet.headStatus(own, 'last.json')).toBe(200);
});

test('a recorded log that cannot be decoded is stored completely, also if it is larger than the limit for documents (55.50)', async () => {
  const own = await logger('U-2');
  const size = 2 * 1024 * 1024;
  expect(await a.fleet.putStatus(own, 'data.mf4', Buffer.alloc(size))).toBe(200);
  expect((await stored('U-2')).files).toMatchObject([{ name: 'data.mf4', size }]);
  expect((await a.fleet.content(own, 'data.mf4'))?.length).toBe(size);
});

test('files that cannot be decoded and whose names differ only in their digits are one event per hour (55.50)', async () => {
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
    await setReceivedAt(own, name, at);
  expect(unread(await health('U-3'))).toEqual(['a30.bin', 'a2.bin', 'b1.bin']);
});

test('10,000 files that cannot be decoded do not hide the other events of their logger, and the portal keeps 1,000 of these files (55.50)', async () => {
  const own = await logger('U-4');
  const before = (await health('U-4')).events;
  await a.portal.pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, outcome, body)
     select $1, 'WS_SN' || $1 || '/' || md5(n::text), 1, 'x', 'x', '[{"kind": "not-decoded"}]', 'x' from generate_series(1, 10000) as n`,
    [own.loggerSerial],
  );
  const flooded = await health('U-4');
  expect(unread(flooded)).toHaveLength(10);
  expect(flooded.events.filter(({ kind }) => kind !== 'unread-file')).toEqual(before);
  const { count, files } = await stored('U-4');
  expect([count, files.length]).toEqual([10_000, 20]);
  await removeOldDocuments(a.portal.pool);
  expect((await stored('U-4')).count).toBe(1_000);
});
