import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import type { Column } from '#shared/domain/reports/column.ts';
import { valueColumns } from '#shared/domain/reports/metingen.ts';
import { POSITION_COLUMNS, type PositionRow } from '#shared/domain/reports/route.ts';
import { csvOf, formatDecimalComma } from './csv.ts';
import { gpxOf } from './gpx.ts';
import { jsonOf } from './json.ts';
import { valueRowsOf } from './stored-values.ts';
import { collectBytes, sampleReportOf } from './test/sample-report.ts';
import { unzip } from './test/zip.ts';
import { openTimeFormatter } from './wall-clock.ts';
import { xlsxOf } from './xlsx.ts';

type Row = { readonly name: string; readonly n: number | null };
const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: 'Naam', kind: 'text', value: ({ name }) => name },
  { key: 'n', title: 'Uren', kind: 'duration', isSummed: true, value: ({ n }) => n },
  { key: 'used', title: 'Verbruikt', kind: 'energy', isSummed: true, value: ({ n }) => n },
  { key: 'day', title: 'Dag', kind: 'day', value: () => '2026-10-25' },
  { key: 'at', title: 'Tijd', kind: 'moment', digits: 3, value: ({ n }) => n },
  { key: 'coverage', title: 'Dekking', kind: 'share', parts: ({ n }) => [n ?? 0, 7_200_000] },
];
const HOUR = 3_600_000;

function checkXml(xml: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

test.each<[string, string, string]>([
  ['=1+1', `"'=1+1"`, '=1+1'],
  [' @SUM(A1)', `"' @SUM(A1)"`, ' @SUM(A1)'],
  ['-12', `"'-12"`, '-12'],
  ['\tx', `"'\tx"`, '&#9;x'],
  ['a;b', '"a;b"', 'a;b'],
  ['a;=1+1', `"a;'=1+1"`, 'a;=1+1'],
  ['zeg "ja"', '"zeg ""ja"""', 'zeg &quot;ja&quot;'],
  ['twee\nregels', '"twee\nregels"', 'twee&#10;regels'],
  ['half \ud800', '"half \ufffd"', 'half \ufffd'],
  ['tik\u000bken\u0000', '"tik\u000bken\u0000"', 'tikken'],
  ['<b>&', '"<b>&"', '&lt;b&gt;&amp;'],
  ['_x000A_', '"_x000A_"', '_x005F_x000A_'],
  ['é 🚜', '"é 🚜"', 'é 🚜'],
  ["+Kraan (2), d'n #1/2", `"'+Kraan (2), d'n #1/2"`, '+Kraan (2), d&apos;n #1/2'],
])('the name %j is written as %j in CSV and %j in XLSX (14.4a, 14.4b)', async (name, csv, xlsx) => {
  const report = () => sampleReportOf(COLUMNS, [[{ name, n: 0 }]]);
  expect((await collectBytes(csvOf(report()))).toString()).toContain(`\r\n${csv};0:00:00;0;`);
  const sheet = unzip(await collectBytes(xlsxOf(report()))).get('xl/worksheets/sheet1.xml') ?? '';
  checkXml(sheet);
  expect(sheet).toContain(`<t xml:space="preserve">${xlsx}</t>`);
});

test('CSV and XLSX write names, headings and notes that look like formulas as text, and negative numbers as numbers (14.4a, 14.4b)', async () => {
  const columns: readonly Column<Row>[] = [
    { key: 'name', title: '=1+1', kind: 'text', value: ({ name }) => name },
    { key: 'n', title: '@x', kind: 'number', digits: 1, value: ({ n }) => n },
  ];
  const report = () => sampleReportOf(columns, [[{ name: '-1', n: -1.5 }]], ['=2+3']);
  const csv = (await collectBytes(csvOf(report()))).toString();
  expect(csv.split('\r\n').slice(0, 3)).toEqual([`\uFEFF"'=1+1";"'@x"`, `"'-1";-1,5`, '']);
  expect(csv).toContain(`\r\n"'=2+3"\r\n`);
  const files = unzip(await collectBytes(xlsxOf(report())));
  expect(files.get('xl/worksheets/sheet1.xml')).toContain('<v>-1.5</v>');
  for (const xml of files.values()) expect(xml).not.toMatch(/<f[ >]/);
});

test('csvOf returns the same CSV for data in columns as for data in rows (45.6)', async () => {
  const values = [0, -0, 12.5, -3.25, 1e-7, 1e21, 1234567.891, Number.NaN];
  const times = Float64Array.from(values, (_, n) => Date.UTC(2026, 9, 25, 0, 59, 58) + n * 700);
  const pages = [
    { times, values: [Float64Array.from(values), Float64Array.from(values).reverse()] },
    { times: times.map((time) => time + 7_200_000), values: [1, 2].map((one) => times.map(() => one)) },
    { times: new Float64Array(), values: [new Float64Array(), new Float64Array()] },
  ];
  const report = () =>
    sampleReportOf(valueColumns(['Speed', '=Olie'], {}), pages.map(valueRowsOf), ['Opmerking']);
  async function* portions() {
    yield* pages;
  }
  const ofRows = (await collectBytes(csvOf(report()))).toString();
  expect(ofRows.split('\r\n')[3]).toBe('2026-10-25 02:59:59,400;2026-10-25 00:59:59,400;12,5;1e+21');
  expect((await collectBytes(csvOf({ ...report(), columnPortions: portions() }))).toString()).toBe(ofRows);
});

test('formatDecimalComma writes a number as JavaScript does, but with a decimal comma (14.4a)', () => {
  const numbers = [
    0,
    -0,
    0.1,
    0.05,
    0.15,
    1.25,
    0.1 + 0.2,
    1e-7,
    1.5e-9,
    12,
    1e8 + 0.1,
    1e9 + 0.1,
    1e21,
    2 ** 53,
    1 / 3,
  ];
  const random = Array.from({ length: 10_000 }, (_, n) => Math.round(Math.sin(n) * 1e7) / 10 ** (n % 8));
  for (const value of [...numbers, ...random].flatMap((one) => [one, -one]))
    expect(formatDecimalComma(value)).toBe(String(value).replace('.', ','));
});

test('a workbook has real numbers, durations, dates and percentages, a fixed heading, totals below, and a sheet of notes (14.4b)', async () => {
  const rows = [
    { name: 'een', n: HOUR },
    { name: 'twee', n: null },
  ];
  const files = unzip(await collectBytes(xlsxOf(sampleReportOf(COLUMNS, [rows]))));
  for (const xml of files.values()) checkXml(xml);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  const values = [...sheet.matchAll(/<v>(.*?)<\/v>/g)].map(([, value]) => Number(value));
  // The first date is 1 January 1970, 02:00 in Amsterdam; the second is 25 October 2026.
  expect(values).toEqual(
    [1 / 24, 1, 0.001, 46_320, 25_569 + 2 / 24, 25_569 + 1 / 24, 0.5, 46_320, 0, 0.001, 0.25].map((n) =>
      expect.closeTo(n, 9),
    ),
  );
  const styles = files.get('xl/styles.xml') ?? '';
  for (const format of ['[h]:mm:ss', '0.0%', 'dd\\-mm\\-yyyy', '0.0'])
    expect(styles).toContain(`"${format}"`);
  expect(files.get('xl/workbook.xml')).toContain('<sheet name="Dagstaten" sheetId="1" r:id="rId1"/>');
  const notes = files.get('xl/worksheets/sheet2.xml') ?? '';
  for (const note of [
    'Graaf &amp; Zn.',
    'Een regel.',
    'Periode: 01-10-2026 tot en met 31-10-2026.',
    'Dekking van alles: 25,0 %. De cijfers zijn onvolledig.',
    'Gemaakt op 01-11-2026 om 13:00:00 door Jan, Graaf &amp; Zn., met Werkstroom 1.2.3.',
  ])
    expect(notes).toContain(note);
});

test('CSV and XLSX have hours with decimals beside each duration, and a row of totals (53.28)', async () => {
  const rows = [
    { name: 'een', n: HOUR },
    { name: 'twee', n: 1.25 * HOUR },
  ];
  const columns = COLUMNS.slice(0, 3);
  const csv = (await collectBytes(csvOf(sampleReportOf(columns, [rows])))).toString().split('\r\n');
  expect(csv.slice(0, 5)).toEqual([
    '\uFEFF"Naam";"Uren";"Uren (uur)";"Verbruikt (kWh)"',
    '"een";1:00:00;1;0,001',
    '"twee";1:15:00;1,25;0,00125',
    '',
    '"Totaal";2:15:00;2,25;0,00225',
  ]);
  expect(csv).toContain(
    '"Duren staan er twee keer: in uren, minuten en seconden, en in uren met decimalen."',
  );
  const sheet =
    unzip(await collectBytes(xlsxOf(sampleReportOf(columns, [rows])))).get('xl/worksheets/sheet1.xml') ?? '';
  const values = [...sheet.matchAll(/<v>(.*?)<\/v>/g)].map(([, value]) => Number(value));
  expect(values).toEqual(
    [1 / 24, 1, 0.001, 1.25 / 24, 1.25, 0.00125, 2.25 / 24, 2.25, 0.00225].map((n) => expect.closeTo(n, 9)),
  );
  expect(sheet).toContain('Uren (uur)');
});

test('rows that do not fit on a sheet continue on the next one, and the totals are of all rows (14.4c)', async () => {
  const portions = [3, 4, 1].map((count) => Array.from({ length: count }, () => ({ name: 'x', n: HOUR })));
  for (const [most, sheets] of [
    [10, 1],
    [9, 2],
    [5, 3],
    [4, 4],
  ] as const) {
    const files = unzip(await collectBytes(xlsxOf(sampleReportOf(COLUMNS, portions), most)));
    const all = Array.from({ length: sheets }, (_, n) => files.get(`xl/worksheets/sheet${n + 1}.xml`) ?? '');
    const rows = all.map((xml) => xml.split('<row>').length - 1);
    expect([most, rows.reduce((a, b) => a + b, 0)]).toEqual([most, 8 + sheets + 1]);
    expect(Math.max(...rows)).toBeLessThanOrEqual(most);
    expect(all.map((xml) => xml.includes('Totaal'))).toEqual(all.map((_, n) => n === sheets - 1));
    expect(all.at(-1)).toContain(`<v>${8 / 24}</v>`);
    expect(files.get('xl/workbook.xml')).toContain(`name="Toelichting" sheetId="${sheets + 1}"`);
  }
});

test('JSON has rows, totals and notes, also for a report without rows (14.4d)', async () => {
  const read = async (rows: readonly Row[]) =>
    JSON.parse((await collectBytes(jsonOf(sampleReportOf(COLUMNS, [rows])))).toString());
  expect(await read([{ name: '"', n: HOUR }])).toMatchObject({
    report: 'dagstaten',
    rows: [['"', 3600, 0.001, '2026-10-25', '1970-01-01T01:00:00.000Z', 50]],
    totals: [null, 3600, 0.001, null, null, 50],
  });
  expect((await read([])).rows).toEqual([]);
});

test('GPX has a track per machine, and a segment after each gap of more than 5 minutes (14.4d)', async () => {
  const machine = (serial: string) => ({
    organization: 'x',
    serial,
    alias: '<Rups>',
    brand: '',
    model: '',
    registrationNumber: '',
    sebCategory: null,
    powerKw: null,
    capacityKwh: null,
  });
  const [first, second] = [machine('A-1'), machine('A-2')];
  const at = (one: typeof first, time: number): PositionRow => ({
    machine: one,
    time,
    latitude: 52.000001,
    longitude: 5,
    speed: null,
    unused: null,
  });
  const report = sampleReportOf(POSITION_COLUMNS, [
    [at(first, 0), at(first, 300_000)],
    [at(first, 600_001), at(second, 600_002)],
  ]);
  const gpx = (await collectBytes(gpxOf(report))).toString();
  checkXml(gpx);
  expect(gpx.match(/<trk>|<trkseg>|<trkpt/g)).toEqual([
    '<trk>',
    '<trkseg>',
    '<trkpt',
    '<trkpt',
    '<trkseg>',
    '<trkpt',
    '<trk>',
    '<trkseg>',
    '<trkpt',
  ]);
  expect(gpx).toContain('<name>&lt;Rups&gt; (A-1)</name>');
  expect(gpx).toContain('<trkpt lat="52.000001" lon="5"><time>1970-01-01T00:05:00.000Z</time></trkpt>');
  checkXml((await collectBytes(gpxOf(sampleReportOf(POSITION_COLUMNS, [])))).toString());
});

test('openTimeFormatter gives the right wall clock time just before and after summer time begins and ends (14.4a)', () => {
  const clock = openTimeFormatter(true);
  expect(
    [
      '2026-03-29T00:59:59.999Z',
      '2026-03-29T01:00:00.000Z',
      '2026-10-25T00:59:59.999Z',
      '2026-10-25T01:00:00.050Z',
    ].map((iso) => clock(Date.parse(iso))),
  ).toEqual([
    '2026-03-29 01:59:59,999',
    '2026-03-29 03:00:00,000',
    '2026-10-25 02:59:59,999',
    '2026-10-25 02:00:00,050',
  ]);
});

test('xlsxOf stops reading rows when its consumer stops reading the workbook (14.4b)', async () => {
  let isLeft = false;
  const endless = (function* () {
    try {
      for (;;)
        yield Array.from({ length: 500 }, () => ({ name: Math.random().toString(), n: Math.random() }));
    } finally {
      isLeft = true;
    }
  })();
  let bytes = 0;
  for await (const chunk of xlsxOf(sampleReportOf(COLUMNS, endless))) {
    bytes += chunk.length;
    if (bytes > 100_000) break;
  }
  await expect.poll(() => isLeft).toBe(true);
});

/** Instants every ten minutes from 01:00 to 03:50 in Amsterdam, on the day that the clock goes back at 03:00. */
const NIGHT = Array.from({ length: 24 }, (_, n) => Date.UTC(2026, 9, 24, 23, 10 * n));

test('CSV and XLSX name the zone of each time, and tell apart the rows of the hour that occurs twice when the clock goes back (52.10)', async () => {
  const columns: readonly Column<Row>[] = [
    { key: 'time', title: 'Tijd', kind: 'moment', digits: 3, value: ({ n }) => n },
    { key: 'n', title: 'Snelheid', kind: 'number', value: () => 1 },
  ];
  const report = () => sampleReportOf(columns, [NIGHT.map((n) => ({ name: '', n }))]);
  const [head, ...lines] = (await collectBytes(csvOf(report()))).toString().split('\r\n');
  expect(head).toBe('\uFEFF"Tijd (Amsterdam)";"Tijd (UTC)";"Snelheid"');
  const rows = lines.slice(0, NIGHT.length).map((line) => line.split(';'));
  expect(rows[0]).toEqual(['2026-10-25 01:00:00,000', '2026-10-24 23:00:00,000', '1']);
  expect(rows.at(-1)).toEqual(['2026-10-25 03:50:00,000', '2026-10-25 02:50:00,000', '1']);
  expect(new Set(rows.map(([local]) => local)).size).toBe(18);
  expect(rows.map(([, utc]) => Date.parse(`${utc?.replace(' ', 'T').replace(',', '.')}Z`))).toEqual(NIGHT);
  expect(lines.join('\n')).toContain('(UTC) verspringt nooit');

  const sheet = unzip(await collectBytes(xlsxOf(report()))).get('xl/worksheets/sheet1.xml') ?? '';
  const values = [...sheet.matchAll(/<v>(.*?)<\/v>/g)].map(([, value]) => Number(value));
  const utc = values.filter((_, n) => n % 3 === 1).map((days) => Math.round((days - 25_569) * 86_400_000));
  expect(utc).toEqual(NIGHT);
  expect(sheet).toContain('Tijd (UTC)');
});
