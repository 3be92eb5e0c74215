import { afterAll, beforeAll, expect, test } from 'vitest';
import { IMPORT_DBC, ImportTestPortal } from './test/import-desk.ts';

let desk: ImportTestPortal;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
});
afterAll(() => desk.close());

test('an import of a GPX that was killed resumes, with the same resulting history (INGEST-05)', async () => {
  const points = Array.from({ length: 60_000 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 4, 1) + n * 1000).toISOString();
    return `<trkpt lat="${(50 + n / 1e5).toFixed(5)}" lon="5.1"><time>${time}</time></trkpt>`;
  });
  const gpx = await desk.file(
    'long.gpx',
    `<gpx version="1.1"><trk><trkseg>\n${points.join('\n')}</trkseg></trk></gpx>`,
  );
  const streamId = await desk.machine('IMP-8');
  const args = ['--machine', 'IMP-8', '--log', gpx];
  const { killedAt } = await desk.runAndKill(args, streamId);
  expect(killedAt).toBeLessThan(60_000);
  const { stdout } = await desk.run(...args);
  const [, fresh, known] = /^(\d+) new readings; (\d+) were there already/.exec(stdout) ?? [];
  expect(Number(fresh)).toBe(60_000 - killedAt);
  expect(Number(known)).toBeLessThan(killedAt);
  expect(await desk.storedIn(streamId)).toBe(60_000);
});

test('an import of a log that was killed resumes, with the same resulting history (INGEST-05)', async () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, n) => `(${(1_780_000_000 + n / 10).toFixed(6)}) can0 100#A0`,
  );
  const log = await desk.file('long.log', lines.join('\n'));
  const streamId = await desk.machine('IMP-4');
  const args = [
    '--machine',
    'IMP-4',
    '--log',
    log,
    '--dbc',
    `can0=${await desk.file('own.dbc', IMPORT_DBC)}`,
  ];
  args.push('--mapping', await desk.file('map.json', '{"PackSoc": "Soc1"}'));
  const { killedAt: before } = await desk.runAndKill(args, streamId);
  expect(before).toBeLessThan(20_000);
  const { stdout } = await desk.run(...args);
  // The second run skips what the killed run stored, except the batch whose progress was not saved.
  const [, fresh, known] = /^(\d+) new readings; (\d+) were there already/.exec(stdout) ?? [];
  // The killed process's last batch may have been committed after `before` was read.
  expect(Number(fresh)).toBeLessThanOrEqual(20_000 - before);
  expect(Number(known)).toBeLessThan(before);
  expect(await desk.storedIn(streamId)).toBe(20_000);
});
