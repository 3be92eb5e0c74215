import { describe, expect, test } from 'vitest';
import type { LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { decodeLog, type LogOptions, readAllBatches } from '#server/telemetry/decode/test/small-log.ts';
import type { Reading } from '#shared/domain/signal.ts';

const HEADER = 'time;lat;lon;Speed;Machinestatus;Spoor;Spoorstand';
const T = Date.parse('2025-04-12T06:00:00Z'); // 08:00 in Amsterdam
const ONE = {
  time: T,
  signals: { LATITUDE: 52.1, LONGITUDE: 5.25, Speed: 12.5, Machinestatus: 2, Spoor: 1, Spoorstand: 0 },
};

async function decode(
  text: string | Buffer,
  options: LogOptions = {},
): Promise<{ readings: Reading[]; stats: LogBatch['stats'] }> {
  const { readings, last } = await readAllBatches(decodeLog(text, { format: 'csv', ...options }));
  return { readings, stats: last.stats };
}
const times = async (rows: readonly string[], options: LogOptions = {}) =>
  (
    await decode(`${HEADER}\n${rows.map((time) => `${time};52;5;1;0;0;0`).join('\n')}\n`, options)
  ).readings.map(({ time }) => new Date(time).toISOString().replace('.000Z', 'Z'));

describe('spellings of an LMB CSV (INGEST-05, LOG-06)', () => {
  test.each([
    ['Dutch Excel', `${HEADER}\r\n12-4-2025 08:00:00;52,1;5,25;12,5;2;1;0\r\n`],
    ['with a byte order mark', `\uFEFF${HEADER}\r\n12-04-2025 8:00:00;52,1;5,25;12,5;2;1;0\r\n`],
    ['slashes', `${HEADER}\n12/4/2025 08:00:00;52,1;5,25;12,5;2;1;0`],
    ['points for decimals', `${HEADER}\n12-4-2025 08:00:00;52.1;5.25;12.5;2;1;0`],
    [
      'commas, and quoted decimal commas',
      `${HEADER.replaceAll(';', ',')}\n12-4-2025 08:00:00,"52,1","5,25","12,5",2,1,0`,
    ],
    ['tabs', `${HEADER.replaceAll(';', '\t')}\n12-4-2025 08:00:00\t52,1\t5,25\t12,5\t2\t1\t0`],
    ['ISO without a zone', `${HEADER}\n2025-04-12 08:00:00;52,1;5,25;12,5;2;1;0`],
    ['ISO with a zone', `${HEADER}\n2025-04-12T08:00:00+02:00;52,1;5,25;12,5;2;1;0`],
    ['an epoch', `${HEADER}\n${T / 1000};52,1;5,25;12,5;2;1;0`],
    ['no seconds', `${HEADER}\n12-4-2025 08:00;52,1;5,25;12,5;2;1;0`],
    [
      'capitals and another order',
      'SPEED;TIME;LON;LAT;SPOORSTAND;SPOOR;MACHINESTATUS\n12,5;12-4-2025 08:00:00;5,25;52,1;0;1;2',
    ],
    ['an empty last column, as Excel leaves it', `${HEADER};\n12-4-2025 08:00:00;52,1;5,25;12,5;2;1;0;`],
  ])('an LMB CSV is read with %s', async (_, text) => {
    for (const chunkBytes of [1, 7, 1 << 20])
      expect((await decode(text, { chunkBytes })).readings).toEqual([ONE]);
  });

  test('additional columns of an LMB CSV keep their names, empty cells are ignored, and cells with words are skipped and counted', async () => {
    const { readings, stats } = await decode(
      `${HEADER};Olie;Opmerking\n12-4-2025 08:00:00;;;0;7;;;80,5;rust\n`,
    );
    expect(readings).toEqual([{ time: T, signals: { Speed: 0, Machinestatus: 7, Olie: 80.5 } }]);
    expect(stats).toMatchObject({ skippedValues: 1, localTimes: 1 });
  });
});

describe('times without a zone in an LMB CSV (INGEST-05)', () => {
  test('times without a zone in an LMB CSV are Amsterdam time in winter and in summer; an hour that summer time skips is invalid', async () => {
    const rows = ['12-1-2025 08:00:00', '30-3-2025 01:59:59', '30-3-2025 02:30:00', '30-3-2025 03:00:00'];
    expect(await times(rows)).toEqual([
      '2025-01-12T07:00:00Z',
      '2025-03-30T00:59:59Z',
      '2025-03-30T01:00:00Z',
    ]);
  });

  const TWICE = [
    '01:59:00',
    '02:00:00',
    '02:30:00',
    '02:59:00',
    '02:00:00',
    '02:30:00',
    '02:59:00',
    '03:00:00',
  ].map((clock) => `26-10-2025 ${clock}`);
  const INSTANTS = ['23:59', '00:00', '00:30', '00:59', '01:00', '01:30', '01:59', '02:00'].map(
    (clock) => `2025-10-2${clock === '23:59' ? 5 : 6}T${clock}:00Z`,
  );
  test('times without a zone in the hour that occurs twice are distinguished by the order of the rows', async () => {
    expect(await times(TWICE)).toEqual(INSTANTS);
    expect(await times(TWICE.slice(2, 4))).toEqual(INSTANTS.slice(2, 4));
  });

  test('times without a zone in the hour that occurs twice are distinguished also when an import resumes within that hour', async () => {
    const text = `${HEADER}\n${TWICE.map((time) => `${time};52;5;1;0;0;0`).join('\n')}\n`;
    const second = text.indexOf('02:30:00', text.indexOf('02:59:00')) - '26-10-2025 '.length;
    const resume = { byteOffset: second, line: 6 };
    const { readings } = await decode(text, { resume });
    expect(readings.map(({ time }) => time)).toEqual(INSTANTS.slice(5).map((time) => Date.parse(time)));
  });

  test('the rows of one second of an LMB CSV make one reading, as in any log', async () => {
    const { readings } = await decode(
      `${HEADER}\n12-4-2025 08:00:00,1;52;5;1;0;0;0\n12-4-2025 08:00:00,9;52;5;3;0;0;0\n`,
    );
    expect(readings).toEqual([{ time: T, signals: expect.objectContaining({ Speed: 3 }) }]);
  });
});

test('bad rows of an LMB CSV are skipped and counted, and the line number of the first one is reported (INGEST-03)', async () => {
  const rows = [
    '12-4-2025 08:00:00;52,1;5,25;12,5;2;1;0',
    '12-4-2025 08:00:01,52.1,5.25,12.5,2,1,0', // another separator
    '31-2-2025 08:00:00;52;5;1;0;0;0',
    'gisteren;52;5;1;0;0;0',
    '12-4-2025 08:00:02;52;5;1;0;0', // a cell too few
    '12-4-2025 08:00:03;x;1.234,5;1;0;0;0', // two cells that are no number
    '12-4-2014 08:00:00;52;5;1;0;0;0', // before 2015
    '12-4-2027 08:00:00;52;5;1;0;0;0', // in the future
  ];
  const { readings, stats } = await decode(`${HEADER}\n${rows.join('\n')}\n`);
  expect(readings).toEqual([
    ONE,
    { time: T + 3000, signals: { Speed: 1, Machinestatus: 0, Spoor: 0, Spoorstand: 0 } },
  ]);
  expect(stats).toMatchObject({
    frames: 4,
    badLines: 4,
    firstBad: { line: 3 },
    skippedValues: 2,
    refusedTimes: 2,
  });
});

test.each([
  [
    'a column that lacks',
    'time;lat;lon;Speed;Machinestatus;Spoor\n',
    'header',
    'kolom Spoorstand ontbreekt. De eerste regel heeft: time, lat',
  ],
  ['a Dutch time', `${HEADER.replace('time', 'tijd')}\n`, 'header', 'kolom time ontbreekt'],
  [
    'a typing error',
    `${HEADER.replace('Spoorstand', 'Spoorstnd')}\n`,
    'header',
    'kolom Spoorstand ontbreekt',
  ],
  ['a column twice', `${HEADER};speed\n`, 'header', 'kolom speed staat er twee keer'],
  [
    'a column twice, once by our own name',
    `${HEADER};LATITUDE\n`,
    'header',
    'kolom LATITUDE staat er twee keer',
  ],
  [
    'rows with another separator',
    `${HEADER}\n12-4-2025 08:00:00,52.1,5.25,12.5,2,1,0\n`,
    'header',
    "regel 2: het scheidingsteken is ',', in de eerste regel is het ';'",
  ],
  [
    'minutes with more than one row: Excel hid the seconds',
    `${HEADER}\n12-4-2025 08:00;52;5;1;0;0;0\n12-4-2025 08:00;52;5;2;0;0;0\n`,
    'coarse times',
    "regel 3: de tijden hebben geen seconden ('12-4-2025 08:00')",
  ],
])('an LMB CSV is rejected with an explanation: %s (INGEST-05, API-03)', async (_, text, kind, message) => {
  await expect(decode(text)).rejects.toMatchObject({
    name: 'LogError',
    kind,
    message: expect.stringContaining(message),
  });
});

test('a column named like a member of Object.prototype keeps its name (INGEST-05)', async () => {
  const { readings } = await decode(
    `${HEADER};constructor;toString\n2025-04-12T06:00:00Z;52;5;1;0;0;0;7;8\n`,
  );
  expect(Object.entries(readings[0]?.signals ?? {}).slice(-2)).toEqual([
    ['constructor', 7],
    ['toString', 8],
  ]);
});

test('a wide CSV of another machine is not read as an LMB CSV (INGEST-05)', async () => {
  const { readings } = await decode('time,Speed,Machinestatus,Oil\n2025-04-12T06:00:00Z,1,2,3\n');
  expect(readings).toEqual([{ time: T, signals: { Speed: 1, Machinestatus: 2, Oil: 3 } }]);
  await expect(decode('time,Speed,Machinestatus\n2025-04-12 08:00:00,1,2\n')).rejects.toMatchObject({
    kind: 'no zone',
  });
});
