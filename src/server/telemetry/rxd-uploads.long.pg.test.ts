import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpDatabase } from '#server/backup/dump.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { hasSharedData, sharedData } from './decode/test/shared-data.ts';
import { importLog, type LogImport } from './log-import.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { storedRows } from './test/stored-rows.ts';
import { findTablesContaining } from './test/tables-with.ts';

/** Keys in the configuration of the test files. */
const SECRETS = ['WS33XAOAJR5RQ2M5WBMQ', 'ci-lCGJb9U8yv4V1BVb4nfkbW4lthvID1BrKOjEX'];
const FILE = 'BM-0001_0001234_20261127_080000.rxd';
/** Returns the name of the file when another logger sends it. */
const nameFor = ({ loggerSerial }: FleetLogger): string => FILE.replace('0001234', loggerSerial);
const definition: Definition = {
  buses: [
    {
      ...{ bus: 0, bitrate: 250_000, name: 'accu.dbc' },
      dbc: 'VERSION ""\nBO_ 513 Accu: 8 X\n SG_ Soc : 0|8@1+ (0.5,0) [0|100] "%" X\n',
    },
  ],
  mapping: { signals: [{ signal: 'Soc', to: 'Soc1' }], keep: [] },
};

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

/** Returns those of the texts that a backup of the database contains, as text or as hexadecimal digits. */
async function inBackup(texts: readonly string[]): Promise<string[]> {
  const clients = [new pg.Client(fleet.portal.connection), new pg.Client(fleet.portal.connection)];
  for (const client of clients) await client.connect();
  const found = new Set<string>();
  for await (const frame of dumpDatabase(clients[0] as pg.Client, clients[1] as pg.Client, () => {}))
    for (const text of texts)
      if (frame.includes(text) || frame.includes(Buffer.from(text).toString('hex'))) found.add(text);
  for (const client of clients) await client.end();
  return [...found];
}

test.skipIf(!hasSharedData)(
  'an uploaded .rxd gives readings, and the logger’s health shows its clock (43.1)',
  async () => {
    const logger = await fleet.newLogger(definition);
    await fleet.put(logger, `1/${nameFor(logger)}`, sharedData(`rxd/${FILE}`));
    const rows = await storedRows(fleet.portal.pool, logger.streamId, ['soc1', 'latitude']);
    expect(rows.filter(({ soc1 }) => soc1 !== null)).toHaveLength(120);
    expect(rows.filter(({ latitude }) => latitude !== null)).toHaveLength(12);
    const { counters, lastError } = await fleet.health(logger.writerId);
    expect(counters).toMatchObject({ uploads: 1, frames: 240, unknownFrames: 120 });
    expect(lastError).toMatch(/^de klok van de logger loopt \d+ s (achter|voor) op GPS$/);
    expect(await fleet.quarantined(logger)).toEqual([]);
  },
);

test.skipIf(!hasSharedData)(
  'the secrets of an .rxd are in no table and no backup, whole or in parts, but its frames are (43.4)',
  async () => {
    const logger = await fleet.newLogger(definition);
    const file = sharedData(`rxd/${FILE}`);
    // Checks that the search finds the secrets in a table that contains them.
    expect(SECRETS.every((secret) => file.includes(secret))).toBe(true);
    await fleet.portal.pool.query('create table seen as select $1::bytea as bytes', [file]);
    expect(await findTablesContaining(fleet.portal.pool, SECRETS)).toEqual(['public.seen']);
    expect(await inBackup(SECRETS)).toEqual(SECRETS);
    await fleet.portal.pool.query('drop table seen');
    const name = nameFor(logger);
    await fleet.put(logger, `1/${name}`, file);
    const parts = {
      Bucket: 'telemetry',
      Key: `WS_SN${logger.loggerSerial}/2/${name}`,
      Body: Buffer.concat([file, Buffer.alloc(6 * 2 ** 20)]),
    };
    await new Upload({
      client: fleet.clientOf(logger) as S3Client,
      params: parts,
      partSize: 5 * 2 ** 20,
    }).done();
    expect(await findTablesContaining(fleet.portal.pool, SECRETS)).toEqual([]);
    expect(await inBackup(SECRETS)).toEqual([]);
    for (const folder of ['1', '2']) {
      const [outcome] = await fleet.outcomes(logger, `/${folder}/${name}`);
      expect(outcome).toMatch(/^1[12]\d metingen/);
    }
  },
);

test('a compressed .rxd is refused, because its secrets could not be blanked, and an .rxe is stored with the reason (43.4)', async () => {
  const logger = await fleet.newLogger(definition);
  expect(await fleet.putStatus(logger, '1/x.rxd.gz', 'x')).toBe(400);
  expect(await fleet.headStatus(logger, '1/x.rxd.gz')).toBe(404);
  await fleet.put(logger, '1/x.rxe', 'x');
  expect(await fleet.quarantined(logger)).toEqual([
    expect.stringMatching(/^Dit \.rxe-bestand heeft de logger versleuteld/),
  ]);
});

test.skipIf(!hasSharedData).each([
  ['rxd', () => sharedData('rxd/BM-0001_0001234_20261127_110000.rxd'), /; \d+ damaged sectors\.$/],
  [
    'blf',
    () => {
      const file = Buffer.from(sharedData(`rxd/${FILE.replace('.rxd', '.blf')}`));
      // Gives the first container (LOBJ) of the BLF file a compression method that does not exist.
      file.writeUInt16LE(9, file.indexOf('LOBJ') + 16);
      return file;
    },
    /; 1 damaged objects/,
  ],
] as const)(
  'the import of a damaged .%s reports how much of it was left out (43.1)',
  async (format, read, words) => {
    const logger = await fleet.newLogger(definition);
    const content = read();
    const log: LogImport = {
      ...{ streamId: logger.streamId, chunks: () => Readable.from([content]), format, definition },
      ...{ startMs: Date.UTC(2026, 10, 27, 8), shift: 'if-before-2015', fingerprint: `damaged ${format}` },
    };
    const { summary } = await importLog(
      fleet.portal.pool,
      log,
      content.length,
      () => {},
      () => fleet.clock,
    );
    expect(summary).toMatch(words);
  },
);
