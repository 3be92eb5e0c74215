import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import type { Column } from '#shared/domain/reports/column.ts';
import { sampleReportOf } from './test/sample-report.ts';
import { storeMachine } from './test/second-computation.ts';
import { MAX_ROW_COUNT, xlsxOf } from './xlsx.ts';

const run = promisify(execFile);
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const hasOffice = has('soffice');
const hasBabel = has('gpsbabel');
const skipped = (program: string, isThere: boolean): string =>
  isThere ? '' : ` (skipped: ${program} is not installed)`;

let portal: TestPortal;
let folder: string;
let cookie: string;
let asked: Record<string, string>;
beforeAll(async () => {
  portal = await testPortal();
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-reports-'));
  const owner = await portal.organization('graaf');
  await portal.user('g@graaf.example', owner);
  cookie = await portal.login('g@graaf.example');
  const { from, to } = await storeMachine(portal.pool, 8, owner, await portal.organization('hijs'));
  const streamId = await portal.machine(owner, { serial: 'ROUTE-1', alias: '=<Rups> & "Krol"' });
  const start = Date.parse(`${from}T12:00Z`);
  await storeTestReadings(
    portal.pool,
    streamId,
    Array.from({ length: 400 }, (_, n) => ({
      time: start + n * 10_000 + (n >= 200 ? 600_000 : 0),
      signals: {
        LATITUDE: 52 + n / 10_000,
        LONGITUDE: 5 + n / 20_000,
        MotorSpeed: 900,
        BatteryCurrent: 100,
        BatteryVoltage: 400,
      },
    })),
  );
  await computeUntilUpToDate(portal.pool);
  asked = { from, to };
}, 120_000);
afterAll(async () => {
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, query: Record<string, string>) =>
  portal.get(`/api/report/${path}?${new URLSearchParams(query)}`, cookie);

/** Returns the value of a cell in LibreOffice: a number (a duration in seconds), otherwise its text. */
function cellOf(attributes: string, text: string): string | number {
  const [, number] = /office:value="([^"]*)"/.exec(attributes) ?? [];
  if (number !== undefined) return Number(number);
  const [, hours, minutes, seconds] = /office:time-value="PT(\d+)H(\d+)M([\d.]+)S"/.exec(attributes) ?? [];
  return hours === undefined ? text : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Returns the sheets of a workbook as LibreOffice reads them: lists of rows. */
async function opened(name: string, xlsx: Buffer): Promise<(string | number)[][][]> {
  const place = await mkdtemp(join(folder, 'office-'));
  await writeFile(join(place, `${name}.xlsx`), xlsx);
  await run(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', 'fods', `${name}.xlsx`],
    { cwd: place },
  );
  const flat = await readFile(join(place, `${name}.fods`), 'utf8');
  return [...flat.matchAll(/<table:table .*?<\/table:table>/gs)].map(([sheet]) =>
    [...sheet.matchAll(/<table:table-row [^>]*[^/]>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
        ([, attributes = '', content = '']) => {
          const times = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1);
          return Array.from({ length: times }, () => cellOf(attributes, content.replace(/<[^>]*>/g, '')));
        },
      ),
    ),
  );
}

const officeTest = test.skipIf(!hasOffice);
officeTest.each(['inzet', 'dagstaten', 'laadbeurten', 'draaiuren', 'route', 'metingen'] as const)(
  `LibreOffice opens %s, and reads our rows and totals${skipped('LibreOffice', hasOffice)} (14.4i)`,
  async (kind) => {
    const query = {
      ...asked,
      ...((kind === 'route' || kind === 'metingen') && { machines: '["ROUTE-1"]' }),
      ...(kind === 'metingen' && { signals: '["MotorSpeed","LATITUDE"]' }),
    };
    const json = (await get(`${kind}/file`, { ...query, format: 'json' })).json() as ReportAnswer;
    const sheets = await opened(kind, (await get(`${kind}/file`, { ...query, format: 'xlsx' })).rawPayload);
    const [rows = [], notes = []] = sheets;
    expect(sheets).toHaveLength(2);
    expect(notes.flat().join()).toContain('met Werkstroom');
    const filled = rows.filter((row) => row.some((cell) => cell !== ''));
    expect(filled).toHaveLength(json.rows.length + (json.totals ? 2 : 1));
    expect(json.rows.length).toBeGreaterThan(0);
    // Each time has a column for Amsterdam and one for UTC; each duration has one as a time and one in hours.
    const columns = json.columns.flatMap(({ key, kind }, n) => {
      const all = kind === 'duration' ? [kind, 'hours'] : kind === 'moment' ? [kind, kind] : [kind];
      return all.map((of) => ({ key, of, n }));
    });
    const read = filled.at(-1) ?? [];
    columns.forEach(({ key, of, n }, at) => {
      const total = json.totals?.[n] ?? null;
      if (typeof total !== 'number') return;
      // LibreOffice gives a share of 100 % as 1; it gives durations in hours or seconds.
      const shown = of === 'share' ? total / 100 : of === 'hours' ? total / 3600 : total;
      expect([key, read[at]]).toEqual([key, expect.closeTo(shown, of === 'hours' ? 3 : 5)]);
    });
  },
  120_000,
);

const babelTest = test.skipIf(!hasBabel);
babelTest(`gpsbabel reads the route${skipped('gpsbabel', hasBabel)} (14.4i)`, async () => {
  const query = { ...asked, machines: '["ROUTE-1"]' };
  const gpx = await get('route/file', { ...query, format: 'gpx' });
  const file = join(folder, 'route.gpx');
  await writeFile(file, gpx.rawPayload);
  const { stdout } = await run('gpsbabel', ['-t', '-i', 'gpx', '-f', file, '-o', 'unicsv', '-F', '-']);
  const points: Record<string, string>[] = parse(stdout, { columns: true });
  const json = (await get('route/file', { ...query, format: 'json' })).json() as ReportAnswer;
  const at = (key: string): number => json.columns.findIndex((column) => column.key === key);
  const ours = json.rows.map((row) => [row[at('latitude')], row[at('longitude')]].map(Number));
  expect(points.map(({ Latitude, Longitude }) => [Number(Latitude), Number(Longitude)])).toEqual(
    ours.map((point) => point.map((degrees) => expect.closeTo(degrees, 6))),
  );
});

test('a workbook puts 1,048,577 rows on two sheets (14.4c)', async () => {
  const columns: readonly Column<{ n: number }>[] = [
    { key: 'n', title: 'Nummer', kind: 'number', isSummed: true, value: ({ n }) => n },
  ];
  const portions = (function* () {
    for (let from = 0; from < MAX_ROW_COUNT + 1; from += 10_000)
      yield Array.from({ length: Math.min(10_000, MAX_ROW_COUNT + 1 - from) }, () => ({ n: 1 }));
  })();
  const sheets = new Set<string>();
  for await (const chunk of xlsxOf(sampleReportOf(columns, portions)))
    for (const [name] of chunk.toString('latin1').matchAll(/xl\/worksheets\/sheet\d/g)) sheets.add(name);
  expect([...sheets]).toEqual(['xl/worksheets/sheet1', 'xl/worksheets/sheet2', 'xl/worksheets/sheet3']);
}, 120_000);
