import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';
import {
  encodeFile,
  findFiles,
  insertFile,
  readWholeFile,
} from '#server/telemetry/readings/reading-files.store.ts';
import { duckRows } from '#server/telemetry/readings/test/duckdb.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ClosedWeek } from '#shared/contract/closed-weeks.ts';

/** A Monday; its week ended long ago. */
const MONDAY = Date.UTC(2026, 5, 8);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const PARQUET = 'application/vnd.apache.parquet';

let portal: TestPortal;
let owner: number;
let buyer: number;
const cookies = { beheerder: '', technicus: '', admin: '' };
beforeAll(async () => {
  portal = await testPortal();
  owner = await portal.organization('graaf');
  buyer = await portal.organization('hijs');
  const admin = await portal.organization('admin');
  await portal.user('b@graaf.example', owner, 'beheerder');
  await portal.user('t@admin.example', admin, 'technicus');
  await portal.user('a@admin.example', admin);
  cookies.beheerder = await portal.login('b@graaf.example');
  cookies.technicus = await portal.login('t@admin.example');
  cookies.admin = await portal.login('a@admin.example');
});
afterAll(() => portal.close());

const list = async (serial: string): Promise<ClosedWeek[]> => {
  const answer = await portal.get(`/api/machine/closed-week/${serial}`, cookies.admin);
  expect(answer.statusCode).toBe(200);
  return answer.json().weeks;
};
const download = (serial: string, query = '', cookie = cookies.admin, monday = '2026-06-08') =>
  portal.get(`/api/machine/closed-week/${serial}/${monday}${query}`, cookie);

const reading = (n: number, signals: Record<string, number> = {}) => ({
  time: MONDAY + n * MINUTE_MS,
  signals: {
    MotorSpeed: n,
    ...(n % 2 === 0 && { Oliedruk: n / 8 }),
    ...(n === 7 && { Soc1: 50, soc1: 49 }),
    ...signals,
  },
});
const readings = (from: number, to: number, signals?: Record<string, number>) =>
  Array.from({ length: to - from }, (_, n) => reading(from + n, signals));

async function closedMachine(serial: string, stored = readings(0, 100)): Promise<number> {
  const streamId = await portal.machine(owner, { serial });
  await storeTestReadings(portal.pool, streamId, stored);
  await closeAll();
  return streamId;
}
async function closeAll(): Promise<void> {
  for await (const _ of closeWeeks(portal.pool, MONDAY + 7 * DAY_MS));
}
const filesOf = (streamId: number) => findFiles(portal.pool, [{ streamId, ...EVER }], []);

/** Returns time, MotorSpeed and Oliedruk of each row of the CSV of Metingen; null for no value. */
async function csvRows(serial: string, at: number): Promise<(number | null)[][]> {
  const query = new URLSearchParams({
    from: '2026-06-08',
    to: '2026-06-14',
    machines: JSON.stringify([serial]),
    signals: '["MotorSpeed","Oliedruk"]',
    format: 'csv',
  });
  const csv = (await portal.get(`/api/report/metingen/file?${query}`, cookies.admin)).body;
  return csv
    .slice(0, csv.indexOf('\r\n\r\n'))
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(';'))
    .map(([, utc = '', ...cells]) => [
      Date.parse(`${utc.replace(' ', 'T').replace(',', '.')}Z`),
      ...cells.map((cell) => (cell === '' ? null : Number(cell.replace(',', '.')))),
    ])
    .filter(([time]) => Number(time) >= at);
}

/** Returns time, MotorSpeed and Oliedruk of each row of a Parquet file; null for no value. */
async function parquetRows(bytes: Buffer): Promise<(number | null)[][]> {
  const { types, times, columns } = (await duckRows?.(bytes)) ?? { types: [], times: [], columns: [] };
  const at = ['MotorSpeed', 'Oliedruk'].map((name) => types.indexOf(`${name} DOUBLE`) - 1);
  return times.map((time, n) => [time, ...at.map((column) => columns[column]?.[n] ?? null)]);
}
/** Columns of the files. DuckDB ignores case in names, and renames the second of two columns whose names then are equal. */
const KNOWN = ['time', 'MotorSpeed', 'Soc1'];
const OWN = ['Oliedruk', 'Soc1 (sent)', 'soc1_1'];
const namesOf = async (bytes: Buffer) =>
  (await duckRows?.(bytes))?.types.map((type) => type.replace(/ (?:DOUBLE|TIMESTAMP.*)$/, ''));

test('a closed week that is stored as one file is downloaded unchanged, with its length and a row in the log of its owner (45.6)', async () => {
  const streamId = await closedMachine('EEN-1');
  const [stored] = await filesOf(streamId);
  const file = await readWholeFile(portal.pool, streamId, stored?.from as number);
  const { rows } = await portal.pool.query<{ content: Buffer }>(
    'select content from reading_file where stream_id = $1',
    [streamId],
  );
  const content = rows[0]?.content as Buffer;
  expect(file?.readings).toBe(100);
  expect(await list('EEN-1')).toEqual([
    {
      monday: '2026-06-08',
      organization: 'graaf',
      organizationName: 'graaf BV',
      readings: 100,
      bytes: content.length,
    },
  ]);
  const answer = await download('EEN-1');
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-length']]).toEqual([
    200,
    PARQUET,
    String(content.length),
  ]);
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="metingen-EEN-1-2026-06-08.parquet"',
  );
  expect(answer.rawPayload.equals(content)).toBe(true);
  const { rows: logged } = await portal.pool.query(
    `select action, subject, organization_id as "organizationId", data from audit where action = 'closed-week.download'`,
  );
  expect(logged).toEqual([
    {
      action: 'closed-week.download',
      subject: 'EEN-1',
      organizationId: owner,
      data: { from: '2026-06-08', to: '2026-06-14' },
    },
  ]);
});

test.skipIf(!duckRows)('a closed week has the same rows as the CSV report Metingen (45.6)', async () => {
  expect(await parquetRows((await download('EEN-1')).rawPayload)).toEqual(await csvRows('EEN-1', 0));
});

test.skipIf(!duckRows)(
  'a week with late readings, or with several files, is downloaded as one file with all readings, and the same rows as the CSV (45.6)',
  async () => {
    const several = await closedMachine('MEER-1');
    const late = await closedMachine('LAAT-1');
    await storeReadings(
      portal.pool,
      [reading(7, { Oliedruk: 5 }), reading(150, { Koppel: 3 })].map((one) => ({ streamId: late, ...one })),
    );
    const times = Float64Array.from({ length: 60_000 }, (_, n) => MONDAY + DAY_MS + n * 1_000);
    for (const [n, part] of [times.subarray(0, 30_000), times.subarray(30_000)].entries())
      await insertFile(
        portal.pool,
        several,
        encodeFile({ times: part, columns: new Map([['MotorSpeed', part.map((_, at) => at + n)]]) }),
      );
    expect(await filesOf(several)).toHaveLength(3);
    for (const [serial, rows, names] of [
      ['LAAT-1', 101, [...KNOWN, 'Koppel', ...OWN]],
      ['MEER-1', 60_100, [...KNOWN, ...OWN]],
    ] as const) {
      const answer = await download(serial);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, PARQUET]);
      const found = await parquetRows(answer.rawPayload);
      expect([serial, found.length]).toEqual([serial, rows]);
      expect(found).toEqual(await csvRows(serial, 0));
      expect(await namesOf(answer.rawPayload)).toEqual(names);
    }
    expect((await parquetRows((await download('LAAT-1')).rawPayload))[7]?.[2]).toBe(5);
  },
);

test.skipIf(!duckRows)(
  "a week in which the machine was sold has a file per owner, without the other owner's readings and signals (45.6)",
  async () => {
    const streamId = await closedMachine('VERKOCHT-1', [
      ...readings(0, 40, { Vorig: 1 }),
      ...readings(40, 100, { Nieuw: 2 }),
    ]);
    const sold = new Date(MONDAY + 40 * MINUTE_MS);
    await portal.pool.query('update ownership set valid_to = $2 where stream_id = $1', [streamId, sold]);
    await portal.pool.query(
      'insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)',
      [streamId, buyer, sold],
    );
    expect((await list('VERKOCHT-1')).map((week) => [week.organization, week.readings, week.bytes])).toEqual([
      ['graaf', 40, null],
      ['hijs', 60, null],
    ]);
    const sellers = await download('VERKOCHT-1', '?organization=graaf');
    const buyers = await download('VERKOCHT-1', '?organization=hijs');
    expect(sellers.headers['content-disposition']).toContain('metingen-VERKOCHT-1-graaf-2026-06-08.parquet');
    const all = await csvRows('VERKOCHT-1', 0);
    expect(await parquetRows(sellers.rawPayload)).toEqual(all.slice(0, 40));
    expect(await parquetRows(buyers.rawPayload)).toEqual(all.slice(40));
    expect(await namesOf(sellers.rawPayload)).toEqual([
      ...KNOWN,
      'Oliedruk',
      'Soc1 (sent)',
      'Vorig',
      'soc1_1',
    ]);
    expect(await namesOf(buyers.rawPayload)).toEqual(['time', 'MotorSpeed', 'Nieuw', 'Oliedruk']);
    const unnamed = await download('VERKOCHT-1');
    expect([unnamed.statusCode, unnamed.json().message]).toEqual([
      400,
      'Deze week had meer dan één eigenaar. Kies van wie de metingen zijn.',
    ]);
    expect((await download('VERKOCHT-1', '?organization=admin')).statusCode).toBe(404);
  },
);

test('the file of a week whose readings are all from before a sale belongs to the former owner (45.6)', async () => {
  const streamId = await closedMachine('LATER-1');
  const sold = new Date(MONDAY + 6 * DAY_MS);
  await portal.pool.query('update ownership set valid_to = $2 where stream_id = $1', [streamId, sold]);
  await portal.pool.query(
    'insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)',
    [streamId, buyer, sold],
  );
  expect((await list('LATER-1')).map((week) => [week.organization, week.readings])).toEqual([['graaf', 100]]);
  expect((await download('LATER-1', '?organization=graaf')).headers['content-length']).toBeDefined();
  expect((await download('LATER-1', '?organization=hijs')).statusCode).toBe(404);
});

test.each([
  ['a week without files', '2026-06-15', 404],
  ['a day that is no Monday', '2026-06-09', 404],
  ['a text that is no day', 'gisteren', 400],
])('%s cannot be downloaded (45.6)', async (_what, monday, status) => {
  expect((await download('EEN-1', '', cookies.admin, monday)).statusCode).toBe(status);
});

test("closed weeks are for administrators only: the owner's beheerder and a technicus get 403, and nothing is logged (45.6)", async () => {
  for (const cookie of [cookies.beheerder, cookies.technicus]) {
    expect((await download('EEN-1', '', cookie)).statusCode).toBe(403);
    expect((await portal.get('/api/machine/closed-week/EEN-1', cookie)).statusCode).toBe(403);
  }
  expect((await download('EEN-1', '', '')).statusCode).toBe(401);
  expect((await download('NERGENS')).statusCode).toBe(404);
});
