import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '#shared/domain/definition.ts';
import type { LiveResponse } from '#shared/domain/live.ts';
import { type TestPortal, testPortal } from './test/portal.ts';
import { urlOf } from './test/postgres.ts';

let portal: TestPortal;
let folder: string;
let organization: number;
let cookie: string;
let clock = Date.now();

beforeAll(async () => {
  portal = await testPortal({}, () => clock);
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-import-'));
  organization = await portal.organization('klant');
  await portal.user('a@klant.nl', organization);
  cookie = await portal.login('a@klant.nl');
});
afterAll(async () => {
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});

type Said = { code: number; stdout: string; stderr: string };

/** `npm run import -- …`, beside a running portal. */
const runImport = (...args: string[]): Promise<Said> =>
  new Promise((done) => {
    const DATABASE_URL = urlOf(portal.connection);
    const env = { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, DATABASE_URL };
    execFile(process.execPath, ['werkstroom.js', 'import', ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

/** Ends the run hard when a few batches (of some 500 readings) are in: of all but the last, progress was noted. */
async function runAndKill(args: readonly string[], streamId: number) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DATA_DIR: folder,
    DATABASE_URL: urlOf(portal.connection),
  };
  const child = execFile(process.execPath, ['werkstroom.js', 'import', ...args], { env });
  const stored = async () =>
    (await portal.pool.query('select count(*)::int as n from reading where stream_id = $1', [streamId]))
      .rows[0].n;
  await expect.poll(stored, { timeout: 30_000, interval: 20 }).toBeGreaterThan(1500);
  child.kill('SIGKILL');
  await new Promise((gone) => child.once('exit', gone));
  return { stored, killedAt: (await stored()) as number };
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const rowsOf = async (streamId: number) =>
  (
    await portal.pool.query(
      'select time, soc1, motor_speed as "motorSpeed", speed, rest from reading where stream_id = $1 order by time',
      [streamId],
    )
  ).rows;

async function live(serial: string): Promise<LiveResponse[string] | undefined> {
  clock += 1_100;
  return ((await portal.get('/api/live', cookie)).json() as LiveResponse)[serial];
}

const DBC = `VERSION ""
BU_: ECU
BO_ 256 Battery: 8 ECU
 SG_ PackSoc : 0|8@1+ (0.5,0) [0|100] "%" ECU
BO_ 257 Motor: 8 ECU
 SG_ Rpm : 0|16@1+ (1,0) [0|8000] "rpm" ECU
`;
const LOG = `(5.000000) can0 100#A000000000000000
(5.200000) can1 100#0000000000000000
(7.000000) can0 101#E803000000000000
(7.400000) can0 100#A200000000000000
(7.500000) can0 1`;

describe('npm run import', () => {
  test('INGEST-04 INGEST-05 brings a candump log into the history, and a second run stores nothing new', async () => {
    const streamId = await portal.machine(organization, { serial: 'IMP-1' });
    const args = [
      ...['--machine', 'IMP-1', '--log', await file('drive.log', LOG)],
      ...['--dbc', `can0=${await file('own.dbc', DBC)}`],
      ...['--mapping', await file('map.json', '{"PackSoc": "Soc1", "Rpm": "MotorSpeed"}')],
      ...['--start', '2026-06-01T12:00:00+02:00'],
    ];
    const first = await runImport(...args);
    expect(first).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^2 new readings; 0 were there already; 4 frames .* 1 of them .*; 1 unreadable lines, the first is line 5\.\n$/,
      ),
      stderr: expect.any(String),
    });
    const rows = [
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motorSpeed: null, speed: null, rest: null },
      { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motorSpeed: 1000, speed: null, rest: null },
    ];
    expect(await rowsOf(streamId)).toEqual(rows);
    expect((await runImport(...args)).stdout).toMatch(/^0 new readings; 2 were there already;/);
    expect(await rowsOf(streamId)).toEqual(rows);
    expect((await live('IMP-1'))?.liveData).toMatchObject({ Soc1: 81, MotorSpeed: 1000 });
  });

  test("INGEST-05 without --dbc the machine's own definition is used; gzip is read", async () => {
    const definition: Definition = {
      buses: [{ bus: 0, bitrate: 250_000, name: 'own.dbc', dbc: DBC }],
      mapping: { signals: [{ signal: 'PackSoc', to: 'Soc1' }], keep: [{ bus: 0, message: 'Motor' }] },
    };
    const streamId = await portal.machine(organization, { serial: 'IMP-2' });
    await portal.logger(streamId, '6000001', definition);
    const log = await file('WS_6000001_20260601_100000.log.gz', gzipSync(LOG));
    expect((await runImport('--machine', 'IMP-2', '--log', log)).code).toBe(0);
    expect(await rowsOf(streamId)).toMatchObject([{ soc1: 80 }, { soc1: 81, rest: { Rpm: 1000 } }]);
  });

  test('INGEST-05 wide CSV needs no definition', async () => {
    const streamId = await portal.machine(organization, { serial: 'IMP-3' });
    const csv = await file('export.csv', 'time,Soc1,Speed,Oil\n2026-06-01T10:00:00Z,50,3.5,80\n');
    expect((await runImport('--machine', 'IMP-3', '--log', csv)).code).toBe(0);
    expect(await rowsOf(streamId)).toEqual([
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 50, motorSpeed: null, speed: 3.5, rest: { Oil: 80 } },
    ]);
  });

  const GVRET = `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8
5000000,00000100,false,Rx,0,8,A0,00,00,00,00,00,00,00,
5200000,00000100,false,Rx,1,8,00,00,00,00,00,00,00,00,
7000000,00000101,false,Rx,0,8,E8,03,00,00,00,00,00,00,
7400000,00000100,false,Rx,0,8,A2,00,00,00,00,00,00,00,
7500000,0000`;

  test('INGEST-05 GVRET CSV, known by its first row, is read like the candump of the same log', async () => {
    const streamId = await portal.machine(organization, { serial: 'IMP-6' });
    const args = [
      ...['--machine', 'IMP-6', '--log', await file('savvycan.csv.gz', gzipSync(GVRET))],
      ...['--dbc', `can0=${await file('own.dbc', DBC)}`],
      ...['--mapping', await file('map.json', '{"PackSoc": "Soc1", "Rpm": "MotorSpeed"}')],
      ...['--start', '2026-06-01T12:00:00+02:00'],
    ];
    expect((await runImport(...args)).stdout).toMatch(
      /^2 new readings; 0 were there already; 4 frames .* 1 of them .*; 1 unreadable lines, the first is line 6\.\n$/,
    );
    const rows = await rowsOf(streamId);
    expect(rows).toMatchObject([
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motorSpeed: null },
      { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motorSpeed: 1000 },
    ]);
    expect((await runImport(...args)).stdout).toMatch(/^0 new readings; 2 were there already;/);
    expect(await rowsOf(streamId)).toEqual(rows);
  });

  test('INGEST-05 GPX needs no definition, and a second run stores nothing new', async () => {
    const streamId = await portal.machine(organization, { serial: 'IMP-7' });
    const at = (second: number) => `<time>2026-06-01T10:00:0${second}Z</time>`;
    const gpx = await file(
      'ride.gpx',
      `<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>
<trkpt lat="52.1" lon="5.1">${at(0)}<ele>4</ele><extensions><gpxtpx:speed>2</gpxtpx:speed></extensions></trkpt>
<trkpt lat="52.2" lon="5.2"></trkpt>
<trkpt lat="52.2" lon="5.2">${at(5)}</trkpt>
</trkseg></trk></gpx>`,
    );
    expect((await runImport('--machine', 'IMP-7', '--log', gpx)).stdout).toMatch(
      /^2 new readings; 0 were there already; 2 frames .*; 1 points without a usable time or position, the first is line 3\.\n$/,
    );
    const rows = await rowsOf(streamId);
    expect(rows).toMatchObject([
      { time: new Date('2026-06-01T10:00:00Z'), speed: expect.closeTo(7.2, 4), rest: { ELEVATION: 4 } },
      { time: new Date('2026-06-01T10:00:05Z'), speed: null, rest: null },
    ]);
    expect((await live('IMP-7'))?.liveData).toMatchObject({ LATITUDE: 52.2, LONGITUDE: 5.2 });
    expect((await runImport('--machine', 'IMP-7', '--log', gpx)).stdout).toMatch(
      /^0 new readings; 2 were there/,
    );
    expect(await rowsOf(streamId)).toEqual(rows);
  });

  test('INGEST-05 a GPX whose import was killed goes on where it was, to the same history', async () => {
    const points = Array.from({ length: 60_000 }, (_, n) => {
      const time = new Date(Date.UTC(2026, 4, 1) + n * 1000).toISOString();
      return `<trkpt lat="${(50 + n / 1e5).toFixed(5)}" lon="5.1"><time>${time}</time></trkpt>`;
    });
    const gpx = await file(
      'long.gpx',
      `<gpx version="1.1"><trk><trkseg>\n${points.join('\n')}</trkseg></trk></gpx>`,
    );
    const streamId = await portal.machine(organization, { serial: 'IMP-8' });
    const args = ['--machine', 'IMP-8', '--log', gpx];
    const { stored, killedAt } = await runAndKill(args, streamId);
    expect(killedAt).toBeLessThan(60_000);
    const { stdout } = await runImport(...args);
    const [, fresh, known] = /^(\d+) new readings; (\d+) were there already/.exec(stdout) ?? [];
    expect(Number(fresh)).toBe(60_000 - killedAt);
    expect(Number(known)).toBeLessThan(killedAt);
    expect(await stored()).toBe(60_000);
  });

  test('INGEST-05 a run that was killed goes on where it was, to the same history', async () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, n) => `(${(1_780_000_000 + n / 10).toFixed(6)}) can0 100#A0`,
    );
    const log = await file('long.log', lines.join('\n'));
    const streamId = await portal.machine(organization, { serial: 'IMP-4' });
    const args = ['--machine', 'IMP-4', '--log', log, '--dbc', `can0=${await file('own.dbc', DBC)}`];
    args.push('--mapping', await file('map.json', '{"PackSoc": "Soc1"}'));
    const { stored, killedAt: before } = await runAndKill(args, streamId);
    expect(before).toBeLessThan(20_000);
    const { stdout } = await runImport(...args);
    // What came before is skipped, but for the batch whose progress was not noted any more.
    const [, fresh, known] = /^(\d+) new readings; (\d+) were there already/.exec(stdout) ?? [];
    // The killed process's last batch may have been committed after `before` was read.
    expect(Number(fresh)).toBeLessThanOrEqual(20_000 - before);
    expect(Number(known)).toBeLessThan(before);
    expect(await stored()).toBe(20_000);
  });

  test.each([
    ['no arguments', () => [], /--machine and --log are needed\n\nnpm run import -- --machine SERIAL/],
    [
      'an unknown machine',
      () => ['--machine', 'NONE', '--log', 'drive.log'],
      /^There is no machine or LMB logger NONE\./,
    ],
    [
      'a log that is not there',
      () => ['--machine', 'IMP-1', '--log', 'gone.log'],
      /gone\.log cannot be read: ENOENT/,
    ],
    ['a file of another kind', () => ['--machine', 'IMP-1', '--log', 'own.dbc'], /name it \.log/],
    ['no definition', () => ['--machine', 'IMP-5', '--log', 'drive.log'], /IMP-5 has no data definition/],
    [
      'a start without a zone',
      () => ['--machine', 'IMP-1', '--log', 'drive.log', '--start', '2026-06-01T10:00'],
      /date, time and zone/,
    ],
    [
      'a broken DBC',
      () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=broken.dbc'],
      /regel 3/i,
    ],
    [
      'a mapping that is no JSON',
      () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=own.dbc', '--mapping', 'own.dbc'],
      /is no JSON/,
    ],
    [
      'a mapping to nothing',
      () => [
        '--machine',
        'IMP-1',
        '--log',
        'drive.log',
        '--dbc',
        'can0=own.dbc',
        '--mapping',
        'nothing.json',
        '--start',
        '2026-06-01T10:00:00Z',
      ],
      /Nothing/,
    ],
    [
      'a clock that counts from power-on',
      () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=own.dbc', '--mapping', 'map.json'],
      /begintijd/,
    ],
    ['a GPX without times', () => ['--machine', 'IMP-1', '--log', 'planned.gpx'], /^GPX zonder tijden/],
    ['a GPX with a DOCTYPE', () => ['--machine', 'IMP-1', '--log', 'doctype.gpx'], /DOCTYPE/],
    ['a GVRET CSV without a definition', () => ['--machine', 'IMP-5', '--log', 'gvret.csv'], /datadefinitie/],
    ['a CSV without a zone', () => ['--machine', 'IMP-1', '--log', 'zone.csv'], /zone/],
  ])('API-03 %s is refused in a sentence, and nothing is stored', async (_, args, sentence) => {
    await file('broken.dbc', 'VERSION ""\nBU_: ECU\nBO_ 256 Battery 8 ECU\n');
    await file('nothing.json', '{"Nothing": "Soc1"}');
    await file('planned.gpx', '<gpx><rte><rtept lat="52" lon="5"/></rte></gpx>');
    await file('doctype.gpx', '<!DOCTYPE gpx [<!ENTITY a "b">]><gpx/>');
    await file('gvret.csv', GVRET);
    await file('zone.csv', 'time,Soc1\n2026-06-01T10:00:00,50\n');
    if ((await portal.pool.query(`select 1 from stream where serial = 'IMP-5'`)).rowCount === 0) {
      await portal.machine(organization, { serial: 'IMP-5' });
    }
    const count = async () => (await portal.pool.query('select count(*)::int as n from reading')).rows[0].n;
    const before = await count();
    const absolute = args().map((part) =>
      part.replace(/(^|=)([\w-]+\.(log|dbc|json|csv|gpx))$/, `$1${folder}/$2`),
    );
    const { code, stderr } = await runImport(...absolute);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await count()).toBe(before);
  });
});

const KONA = '../shared/data/kona';
const hasKona = existsSync(KONA);

test.skipIf(!hasKona)(
  `INGEST-04 INGEST-05 the recorded drive of a real car shows the last value of each mapped signal${hasKona ? '' : ': skipped, ../shared/data is not here'}`,
  async () => {
    const streamId = await portal.machine(organization, { serial: 'KONA', alias: 'Kona' });
    const args = [
      ...[
        '--machine',
        'KONA',
        '--log',
        `${KONA}/230112-7-2019.candump.log`,
        '--dbc',
        `can0=${KONA}/pcan.dbc`,
      ],
      ...['--mapping', await file('kona.json', '{"SocDisp": "Soc1", "Speed_signed": "MotorSpeed"}')],
      ...['--start', '2026-11-20T10:00:00Z'],
    ];
    const { stdout } = await runImport(...args);
    // can0 has one identifier that the DBC lacks; can1 has no DBC at all.
    expect(stdout).toMatch(/^11 new readings; 0 were there already; 39546 frames/);
    const rows = await rowsOf(streamId);
    const speed = lastMotorSpeed(readFileSync(`${KONA}/230112-7-2019.candump.log`, 'latin1'));
    expect(rows.findLast(({ soc1 }) => soc1 !== null)?.soc1).toBe(36.5);
    expect(rows.findLast(({ motorSpeed }) => motorSpeed !== null)?.motorSpeed).toBe(speed);
    expect((await live('KONA'))?.liveData).toMatchObject({ Soc1: 36.5, MotorSpeed: speed });
    // Frames of can1 decode into nothing: no other signal came in.
    expect(rows.every(({ rest }) => rest === null)).toBe(true);
    expect((await runImport(...args)).stdout).toMatch(/^0 new readings; 11 were there already;/);
    expect(await rowsOf(streamId)).toEqual(rows);
  },
);

/** Speed_signed of the last frame in time of 0x291 on can0, read the slow way: 16 bits from bit 16, Intel, signed. */
function lastMotorSpeed(log: string): number {
  const frames = log.split('\n').flatMap((line) => {
    const [, time, data] = /^\((\d+\.\d+)\) can0 291#([0-9A-F]+)$/.exec(line) ?? [];
    return time && data ? [{ time: Number(time), data: Buffer.from(data, 'hex') }] : [];
  });
  const last = frames.reduce((newest, frame) => (frame.time >= newest.time ? frame : newest));
  return last.data.readInt16LE(2);
}
