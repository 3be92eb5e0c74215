import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/machines/machines.store.ts';
import { type TestLogger, type TestPortal, testPortal } from '#server/test/portal.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Definition } from '#shared/domain/definition.ts';
import type { LiveResponse } from '#shared/domain/live.ts';

let portal: TestPortal;
let organization: number;
let cookie: string;
let clock = Date.now();
let serial = 5_000_000;

beforeAll(async () => {
  portal = await testPortal({}, () => clock);
  organization = await portal.organization('klant');
  await portal.user('a@klant.nl', organization);
  cookie = await portal.login('a@klant.nl');
});
afterAll(() => portal.close());

async function newLogger(definition?: Definition, at?: Date): Promise<TestLogger & { serialNumber: string }> {
  serial += 1;
  const serialNumber = `M-${serial}`;
  const streamId = await portal.machine(organization, {
    serial: serialNumber,
    batteries: [{ capacity: 64 }],
  });
  return { ...(await portal.logger(streamId, String(serial), definition, at)), serialNumber };
}

const clientOf = ({ accessKey, secret }: { accessKey: string; secret: string }): S3Client =>
  new S3Client({
    endpoint: portal.address,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: accessKey, secretAccessKey: secret },
  });

const put = (
  logger: TestLogger,
  name: string,
  body: string | Buffer,
  folder = `WS_SN${logger.loggerSerial}`,
) =>
  clientOf(logger).send(new PutObjectCommand({ Bucket: 'telemetry', Key: `${folder}/${name}`, Body: body }));

const snapshot = (logger: TestLogger, signals: Record<string, unknown>) =>
  put(logger, 'J1939Snapshot.json', JSON.stringify(signals));

async function live(serialNumber: string): Promise<LiveResponse[string] | undefined> {
  clock += 1_100;
  const answer = (await portal.get('/api/live', cookie)).json() as LiveResponse;
  return answer[serialNumber];
}

async function health(writerId: number) {
  await portal.portal.counters.flush();
  const { rows } = await portal.pool.query('select * from writer_health where writer_id = $1', [writerId]);
  return rows[0] as {
    counters: Record<string, number>;
    last_error: string | null;
    last_seen_at: Date;
    status: unknown;
  };
}

async function quarantined(logger: TestLogger): Promise<string[]> {
  const { rows } = await portal.pool.query(
    'select reason from quarantine where logger_serial = $1 order by id',
    [logger.loggerSerial],
  );
  return rows.map(({ reason }) => reason);
}

const readingsOf = async (streamId: number): Promise<number> =>
  (await portal.pool.query('select count(*)::int as n from reading where stream_id = $1', [streamId])).rows[0]
    .n;

describe('a snapshot', () => {
  test('INGEST-01 LIVE-03 that a logger uploads is on the map of its organization', async () => {
    const logger = await newLogger();
    const now = Math.floor(clock / 1000);
    const answer = await snapshot(logger, {
      RTC_UNIX: now - 3,
      GMT_UNIX: now,
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      Soc1: 87.5,
    });
    expect(answer.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await live(logger.serialNumber))?.liveData).toEqual({
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      GMT_UNIX: now,
      POSITION_UNIX: now,
      Soc1: 87.5,
    });
    expect(await health(logger.writerId)).toMatchObject({
      counters: { uploads: 1, readings: 1 },
      last_error: null,
      last_seen_at: expect.any(Date),
    });
  });

  test('INGEST-03 delivered twice is stored once and counted', async () => {
    const logger = await newLogger();
    const now = Math.floor(clock / 1000);
    await snapshot(logger, { GMT_UNIX: now, Soc1: 50 });
    await snapshot(logger, { GMT_UNIX: now, Soc1: 50 });
    await snapshot(logger, { GMT_UNIX: now - 60, Soc1: 51 });
    expect(await readingsOf(logger.streamId)).toBe(2);
    expect((await health(logger.writerId)).counters).toEqual({ uploads: 3, readings: 2, duplicates: 1 });
    expect((await live(logger.serialNumber))?.liveData).toMatchObject({ GMT_UNIX: now, Soc1: 50 });
  });

  test('INGEST-03 keeps what is a finite number and counts the rest', async () => {
    const logger = await newLogger();
    const body = `{"GMT_UNIX":${Math.floor(clock / 1000)},"Soc1":44,"Naam":"x","Leeg":null,"Te":1e999,"Lijst":[1]}`;
    await put(logger, 'snapshot.json', body);
    expect((await live(logger.serialNumber))?.liveData).toMatchObject({ Soc1: 44 });
    expect((await health(logger.writerId)).counters).toEqual({ uploads: 1, readings: 1, skippedSignals: 4 });
  });

  test.each([
    ['no JSON', () => '{"GMT_UNIX":'],
    ['no time', () => '{"Soc1":1}'],
    ['1970', () => '{"GMT_UNIX":12,"Soc1":1}'],
    ['2099', () => '{"GMT_UNIX":4070908800,"Soc1":1}'],
    ['11 minutes ahead', () => `{"GMT_UNIX":${Math.floor(clock / 1000) + 660},"Soc1":1}`],
    ['a list', () => '[]'],
    ['NaN', () => '{"GMT_UNIX":NaN}'],
    ['nothing in it', () => '    '],
  ])('INGEST-03 with %s goes into quarantine, is counted, and is acknowledged', async (_, body) => {
    const logger = await newLogger();
    await put(logger, 'snapshot.json', body());
    expect(await quarantined(logger)).toHaveLength(1);
    expect(await readingsOf(logger.streamId)).toBe(0);
    const { counters, last_error } = await health(logger.writerId);
    expect(counters).toEqual({ uploads: 1, quarantined: 1 });
    expect(last_error).toBe((await quarantined(logger))[0]);
  });

  test('INGEST-03 quarantine keeps the newest 100 of a logger', async () => {
    const logger = await newLogger();
    for (let n = 0; n < 105; n++) await put(logger, 'snapshot.json', `{"n":${n}}`);
    const { rows } = await portal.pool.query(
      `select convert_from(body, 'utf8') as body from quarantine where logger_serial = $1 order by id`,
      [logger.loggerSerial],
    );
    expect(rows.map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, n) => `{"n":${n + 5}}`));
  });

  test('INGEST-03 with 400 signals is stored, of 2 MiB is refused', async () => {
    const logger = await newLogger();
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`Signal${n}`, n]));
    await snapshot(logger, { GMT_UNIX: Math.floor(clock / 1000), ...many });
    const { rows } = await portal.pool.query('select rest from reading where stream_id = $1', [
      logger.streamId,
    ]);
    expect(rows[0]?.rest).toEqual(many);
    await expect(put(logger, 'snapshot.json', `{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`)).rejects.toThrow(
      expect.objectContaining({ name: 'EntityTooLarge' }),
    );
    await expect.poll(async () => (await health(logger.writerId)).counters.refused).toBe(1);
  });
});

describe('keys', () => {
  test("INGEST-01 another logger's folder is refused and counted", async () => {
    const logger = await newLogger();
    const other = await newLogger();
    await expect(put(logger, 'snapshot.json', '{}', `WS_SN${other.loggerSerial}`)).rejects.toThrow(
      expect.objectContaining({ name: 'AccessDenied' }),
    );
    await expect.poll(async () => (await health(logger.writerId)).counters.refused).toBe(1);
    expect((await health(other.writerId)).counters).toEqual({});
  });

  test('INGEST-01 a wrong secret is 403, counted for the logger it pretends to be', async () => {
    const logger = await newLogger();
    await expect(snapshot({ ...logger, secret: 'wrong' }, {})).rejects.toThrow(
      expect.objectContaining({ name: 'SignatureDoesNotMatch' }),
    );
    await expect.poll(async () => (await health(logger.writerId)).counters.refused).toBe(1);
  });

  test("INGEST-03 a refused upload with a NUL in its key stops nobody else's counters", async () => {
    const hostile = await newLogger();
    const other = await newLogger();
    portal.portal.counters.add(
      hostile.writerId,
      { refused: 1 },
      { at: clock, error: 'InvalidArgument: a\u0000b\ud800' },
    );
    portal.portal.counters.addUnknownKey('KEY\u0000');
    await snapshot(other, { GMT_UNIX: Math.floor(clock / 1000), Soc1: 1 });
    expect((await health(hostile.writerId)).last_error).toBe('InvalidArgument: a\uFFFDb\uFFFD');
    expect((await health(other.writerId)).counters).toEqual({ uploads: 1, readings: 1 });
  });

  test('INGEST-01 an unknown key is 403 and listed', async () => {
    const logger = await newLogger();
    for (let n = 0; n < 2; n++) {
      await expect(snapshot({ ...logger, accessKey: 'WSUNKNOWN' }, {})).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidAccessKeyId' }),
      );
    }
    const count = async () => {
      await portal.portal.counters.flush();
      const { rows } = await portal.pool.query(
        `select count::int from unknown_key where access_key = 'WSUNKNOWN'`,
      );
      return rows[0]?.count;
    };
    await expect.poll(count).toBe(2);
  });

  test('INGEST-03 a clock that is more than 15 minutes off is refused', async () => {
    const logger = await newLogger();
    const client = clientOf(logger);
    client.config.systemClockOffset = -16 * 60_000;
    await expect(
      client.send(
        new PutObjectCommand({ Bucket: 'telemetry', Key: `A_SN${logger.loggerSerial}/x.json`, Body: '{}' }),
      ),
    ).rejects.toThrow(expect.objectContaining({ name: 'RequestTimeTooSkewed' }));
  });

  test('INGEST-01 a key that was withdrawn no longer opens the door', async () => {
    const logger = await newLogger();
    await snapshot(logger, { GMT_UNIX: Math.floor(clock / 1000) });
    await portal.pool.query('update writer_key set retired_at = now() where access_key = $1', [
      logger.accessKey,
    ]);
    await expect
      .poll(
        () =>
          snapshot(logger, {}).then(
            () => 'open',
            (error: Error) => error.name,
          ),
        { timeout: 6_000 },
      )
      .toBe('InvalidAccessKeyId');
  });
});

describe('a logger that moves', () => {
  test('INGEST-06 its readings go to the binding that was valid at their time, and no other', async () => {
    const logger = await newLogger();
    const movedAt = new Date(Math.floor(clock / 1000) * 1000 - 600_000);
    const second = await portal.machine(organization, { serial: `${logger.serialNumber}-B` });
    const writer = await createWriter(portal.pool, {
      streamId: second,
      loggerSerial: logger.loggerSerial,
      at: movedAt,
    });
    // The key moves along only by being given anew; here the logger still buffers what it recorded before.
    await portal.pool.query('update writer_key set writer_id = $1, retired_at = null where access_key = $2', [
      writer,
      logger.accessKey,
    ]);
    const at = movedAt.getTime() / 1000;
    await snapshot(logger, { GMT_UNIX: at - 1, Soc1: 10 });
    await snapshot(logger, { GMT_UNIX: at, Soc1: 20 });
    expect((await live(logger.serialNumber))?.liveData).toMatchObject({ GMT_UNIX: at - 1, Soc1: 10 });
    expect((await live(`${logger.serialNumber}-B`))?.liveData).toMatchObject({ GMT_UNIX: at, Soc1: 20 });
  });

  test('INGEST-03 INGEST-06 a reading from a time at which it was bound to nothing is kept apart', async () => {
    const logger = await newLogger();
    const now = Math.floor(clock / 1000);
    await portal.pool.query('update writer set valid_from = $2 where id = $1', [
      logger.writerId,
      new Date((now - 3600) * 1000),
    ]);
    await snapshot(logger, { GMT_UNIX: now - 7200, Soc1: 1 });
    expect(await quarantined(logger)).toEqual(['De logger was op dat moment aan geen machine gekoppeld.']);
    expect(await readingsOf(logger.streamId)).toBe(0);
  });

  test("INGEST-06 a late reading of the former owner's time stays the former owner's", async () => {
    const logger = await newLogger();
    const buyer = await portal.organization(`koper-${serial}`);
    await portal.user(`koper-${serial}@klant.nl`, buyer);
    const buyerCookie = await portal.login(`koper-${serial}@klant.nl`);
    const now = Math.floor(clock / 1000);
    await moveStream(portal.pool, logger.streamId, buyer, new Date((now - 60) * 1000));
    await snapshot(logger, { GMT_UNIX: now - 120, LATITUDE: 52, LONGITUDE: 5, Soc1: 10 });
    clock += 1_100;
    const seen = async () =>
      (await portal.get('/api/live', buyerCookie)).json()[logger.serialNumber]?.liveData;
    await expect.poll(seen, { timeout: 6_000 }).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
  });
});

test('INGEST-01 Status.json tells the health of the writer', async () => {
  const logger = await newLogger();
  const guid = '3F1C2A7E-6B0D-4E0C-9D55-0F7A2B1C9E10';
  await put(
    logger,
    'Status.json',
    JSON.stringify({ serial_number: logger.loggerSerial, fw_ver: '4.2', config_GUID: guid }),
  );
  expect((await health(logger.writerId)).status).toMatchObject({
    firmware: '4.2',
    configGuid: guid.toLowerCase(),
  });
  await put(logger, 'Status.json', 'rubbish');
  expect(await quarantined(logger)).toEqual(['Status.json is onleesbaar.']);
  await put(logger, 'Status.json', '{"fw_ver":"a\\u0000b"}');
});

test('INGEST-01 HEAD, GET and LIST show a logger its own uploads', async () => {
  const logger = await newLogger();
  const other = await newLogger();
  await put(logger, 'a/one.json', '{"a":1}');
  await put(other, 'two.json', '{}');
  const client = clientOf(logger);
  const Key = `WS_SN${logger.loggerSerial}/a/one.json`;
  const head = await client.send(new HeadObjectCommand({ Bucket: 'telemetry', Key }));
  expect(head.ContentLength).toBe(7);
  const content = await client.send(new GetObjectCommand({ Bucket: 'telemetry', Key }));
  expect(await content.Body?.transformToString()).toBe('{"a":1}');
  const list = await client.send(new ListObjectsV2Command({ Bucket: 'telemetry' }));
  expect(list.Contents?.map((object) => object.Key)).toEqual([Key]);
});

const DBC = `VERSION ""
BU_: ECU
BO_ 256 Battery: 8 ECU
 SG_ PackSoc : 0|8@1+ (0.5,0) [0|100] "%" ECU
 SG_ PackVoltage : 15|16@0- (0.1,0) [0|0] "V" ECU
BO_ 257 Motor: 8 ECU
 SG_ Rpm : 0|16@1+ (1,0) [0|8000] "rpm" ECU
`;
const definition: Definition = {
  buses: [{ bus: 0, bitrate: 250_000, name: 'own.dbc', dbc: DBC }],
  mapping: {
    signals: [
      { bus: 0, message: 'Battery', signal: 'PackSoc', to: 'Soc1' },
      { signal: 'Rpm', to: 'MotorSpeed' },
    ],
    keep: [],
  },
};
// 80 %, then 81 % and 1000 rpm two seconds later; the clock counts from power-on. Bus 1 has no definition.
const CANDUMP = `(5.000000) can0 100#A000000000000000
(5.200000) can1 100#0000000000000000
(7.000000) can0 101#E803000000000000
(7.400000) can0 100#A200000000000000
(7.500000) can0 1`;

describe('a log file', () => {
  test.each([
    ['', (text: string) => Buffer.from(text)],
    ['.gz', (text: string) => gzipSync(text)],
  ])(
    'INGEST-04 named .log%s is decoded by the definition of the writer, one reading per second',
    async (ending, encode) => {
      const logger = await newLogger(definition);
      await put(logger, `1/WS_${logger.loggerSerial}_20260601_100000.log${ending}`, encode(CANDUMP));
      const { rows } = await portal.pool.query(
        'select time, soc1, motor_speed, rest from reading where stream_id = $1 order by time',
        [logger.streamId],
      );
      expect(rows).toEqual([
        { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motor_speed: null, rest: null },
        { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motor_speed: 1000, rest: null },
      ]);
      expect((await health(logger.writerId)).counters).toEqual({
        uploads: 1,
        readings: 2,
        frames: 4,
        unknownFrames: 1,
        badLines: 1,
      });
      expect((await live(logger.serialNumber))?.liveData).toMatchObject({ Soc1: 81, MotorSpeed: 1000 });
    },
  );

  test('INGEST-03 uploaded again it stores nothing new, and is kept whole', async () => {
    const logger = await newLogger(definition);
    const name = `1/WS_${logger.loggerSerial}_20260601_100000.log`;
    await put(logger, name, CANDUMP);
    await put(logger, name, CANDUMP);
    expect(await readingsOf(logger.streamId)).toBe(2);
    expect((await health(logger.writerId)).counters).toMatchObject({
      uploads: 2,
      readings: 2,
      duplicates: 2,
    });
    const kept = await clientOf(logger).send(
      new GetObjectCommand({ Bucket: 'telemetry', Key: `WS_SN${logger.loggerSerial}/${name}` }),
    );
    expect(await kept.Body?.transformToString()).toBe(CANDUMP);
  });

  test.each([
    ['without a start', 'drive.log', definition, /begintijd/],
    ['without a definition', 'WS_20260601_100000.log', undefined, /datadefinitie/],
    [
      'of a broken DBC',
      'WS_20260601_100000.log',
      { ...definition, buses: [{ ...definition.buses[0], dbc: 'BO_ x' }] },
      /regel 1/,
    ],
    ['truncated in gzip', 'WS_20260601_100000.log.gz', definition, /afgekapt/],
    ['that is no GPX', 'ride.gpx', undefined, /^GPX, regel 5: geen goede XML/],
  ] as [string, string, Definition | undefined, RegExp][])(
    'INGEST-03 %s is kept, noted in quarantine with the reason, and acknowledged',
    async (_, name, own, reason) => {
      const logger = await newLogger(own);
      const body = name.endsWith('.gz') ? gzipSync(CANDUMP.repeat(50)).subarray(0, 60) : CANDUMP;
      await put(logger, name, body);
      expect((await quarantined(logger)).join()).toMatch(reason);
      expect((await health(logger.writerId)).counters).toMatchObject({ uploads: 1, quarantined: 1 });
    },
  );

  test('INGEST-05 wide CSV is read by the names of its columns', async () => {
    const logger = await newLogger();
    await put(
      logger,
      'export.csv',
      'time;Soc1;Speed\n2026-06-01T10:00:00Z;80,5;12\n2026-06-01T10:00:10Z;x;13\n',
    );
    const { rows } = await portal.pool.query(
      'select soc1, speed from reading where stream_id = $1 order by time',
      [logger.streamId],
    );
    expect(rows).toEqual([
      { soc1: 80.5, speed: 12 },
      { soc1: null, speed: 13 },
    ]);
  });

  test('INGEST-05 GVRET CSV is known by its first row and decoded like candump', async () => {
    const logger = await newLogger(definition);
    const rows = `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8
5000000,00000100,false,Rx,0,8,A0,00,00,00,00,00,00,00,
7000000,00000101,false,Rx,0,8,E8,03,00,00,00,00,00,00,
7100000,nonsense
`;
    const name = `1/WS_${logger.loggerSerial}_20260601_100000.csv`;
    await put(logger, name, rows);
    await put(logger, name, rows);
    const { rows: stored } = await portal.pool.query(
      'select time, soc1, motor_speed from reading where stream_id = $1 order by time',
      [logger.streamId],
    );
    expect(stored).toEqual([
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motor_speed: null },
      { time: new Date('2026-06-01T10:00:02Z'), soc1: null, motor_speed: 1000 },
    ]);
    expect((await health(logger.writerId)).counters).toMatchObject({
      readings: 2,
      duplicates: 2,
      badLines: 2,
    });
  });

  test('INGEST-05 GPX, compressed, puts the machine on the map', async () => {
    const logger = await newLogger();
    const now = Math.floor(clock / 1000);
    const time = new Date(now * 1000).toISOString();
    const gpx = `<gpx version="1.0"><trk><trkseg><trkpt lat="52.1" lon="5.1"><time>${time}</time><speed>5</speed></trkpt>
<trkpt lat="95" lon="5.1"><time>${time}</time></trkpt></trkseg></trk></gpx>`;
    await put(logger, 'ride.gpx.gz', gzipSync(gpx));
    expect((await live(logger.serialNumber))?.liveData).toMatchObject({
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      POSITION_UNIX: now,
      Speed: 18,
    });
    expect((await health(logger.writerId)).counters).toEqual({
      uploads: 1,
      readings: 1,
      frames: 1,
      badLines: 1,
    });
  });

  test('INGEST-03 .rxd is stored whole and not decoded', async () => {
    const logger = await newLogger();
    await put(logger, `WS_${logger.loggerSerial}_20260601_100000.rxd`, Buffer.from([1, 2, 3]));
    const { rows } = await portal.pool.query('select outcome, size from object where logger_serial = $1', [
      logger.loggerSerial,
    ]);
    expect(rows).toEqual([{ outcome: 'niet gedecodeerd', size: '3' }]);
  });
});

// The recorded drive of a real car; its mapping is in the issue: SocDisp 36.5 %.
const KONA = '../shared/data/kona';
const hasKona = existsSync(KONA);
const hasRclone = (() => {
  try {
    execFileSync('rclone', ['version'], { env: { PATH: process.env.PATH }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const skipped = [
  ...(hasKona ? [] : ['../shared/data is not here']),
  ...(hasRclone ? [] : ['rclone is not installed']),
];

test.skipIf(skipped.length > 0)(
  `INGEST-04 INGEST-05 the recorded drive, uploaded by rclone as a logger names it${skipped.map((why) => `: skipped, ${why}`)}`,
  async () => {
    const logger = await newLogger({
      buses: [
        { bus: 0, bitrate: 500_000, name: 'pcan.dbc', dbc: readFileSync(`${KONA}/pcan.dbc`, 'latin1') },
      ],
      mapping: {
        signals: [
          { signal: 'SocDisp', to: 'Soc1' },
          { signal: 'Speed_signed', to: 'MotorSpeed' },
        ],
        keep: [],
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'werkstroom-rclone-'));
    const file = join(folder, `KONA_${logger.loggerSerial}_20260112_100000.log`);
    await writeFile(file, readFileSync(`${KONA}/230112-7-2019.candump.log`));
    const remote = `:s3,provider=Other,endpoint="${portal.address}",access_key_id=${logger.accessKey},secret_access_key=${logger.secret}:telemetry/KONA_SN${logger.loggerSerial}/1`;
    const copy = () =>
      promisify(execFile)('rclone', ['copy', '--config', '/dev/null', '--ignore-times', file, remote], {
        env: { PATH: process.env.PATH, HOME: folder },
      });
    await copy();
    const first = await readingsOf(logger.streamId);
    expect(first).toBeGreaterThanOrEqual(10);
    expect((await live(logger.serialNumber))?.liveData).toMatchObject({
      Soc1: 36.5,
      MotorSpeed: expect.any(Number),
    });
    await copy();
    expect(await readingsOf(logger.streamId)).toBe(first);
    expect((await health(logger.writerId)).counters).toMatchObject({ readings: first, duplicates: first });
    await rm(folder, { recursive: true });
  },
);
