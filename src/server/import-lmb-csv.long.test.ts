import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { createStream } from './streams/streams.store.ts';
import { ImportTestPortal } from './test/import-desk.ts';

let desk: ImportTestPortal;
let streamId: number;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
  const { organization: organizationId, portal } = desk;
  streamId = await createStream(portal.pool, 'logger', { serial: '7300001', alias: 'Krol', organizationId });
});
afterAll(() => desk.close());

const HEADER = 'time;lat;lon;Speed;Machinestatus;Spoor;Spoorstand';

test('a CSV of Dutch Excel is imported once into the history of an LMB logger (INGEST-05, LOG-03)', async () => {
  const rows = [
    '12-4-2025 08:00:00;52,1;5,25;12,5;2;1;0',
    '12-4-2025 08:00:01;52,1001;5,2501;13;7;1;2',
    'totaal;;;;;;',
  ];
  const file = await desk.file('werkdag.csv', `${HEADER}\r\n${rows.join('\r\n')}\r\n`);
  const args = ['--machine', '7300001', '--log', file];
  const { code, stdout } = await desk.run(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^2 new readings; 0 were there already; .*; 2 times without a zone were read as Europe\/Amsterdam; 1 line was not read: line 4 is "totaal;;;;;;"; expected is a row of 7 columns.*\n$/,
  );
  const columns = ['time', 'latitude', 'longitude', 'speed', 'machinestatus', 'spoor', 'spoorstand'];
  expect(await storedRows(desk.portal.pool, streamId, columns)).toEqual([
    {
      time: new Date('2025-04-12T06:00:00Z'),
      latitude: 52.1,
      longitude: 5.25,
      speed: 12.5,
      machinestatus: 2,
      spoor: 1,
      spoorstand: 0,
    },
    {
      time: new Date('2025-04-12T06:00:01Z'),
      latitude: 52.1001,
      longitude: 5.2501,
      speed: 13,
      machinestatus: 7,
      spoor: 1,
      spoorstand: 2,
    },
  ]);
  expect((await desk.run(...args)).stdout).toMatch(/^0 new readings; 2 were there already;/);
});

test('an import of a CSV without a required column fails with a message, and stores nothing (API-03)', async () => {
  const before = await desk.storedIn(streamId);
  const file = await desk.file(
    'fout.csv',
    `${HEADER.replace('lat', 'breedte')}\n12-4-2025 09:00:00;52;5;1;2;1;0\n`,
  );
  const { code, stderr } = await desk.run('--machine', '7300001', '--log', file);
  expect([code, stderr.includes('column lat is missing')]).toEqual([1, true]);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(await desk.storedIn(streamId)).toBe(before);
});
