import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '#shared/contract/definition.ts';
import { TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from './test/logs.ts';
import { storedRows } from './test/stored-rows.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

describe('a log file', () => {
  test.each([
    ['', (text: string) => Buffer.from(text)],
    ['.gz', (text: string) => gzipSync(text)],
  ])(
    'a log file named .log%s is decoded by the definition of the writer, one reading per second (INGEST-04)',
    async (ending, encode) => {
      const logger = await fleet.newLogger(CANDUMP_DEFINITION);
      await fleet.put(
        logger,
        `1/WS_${logger.loggerSerial}_20260601_100000.log${ending}`,
        encode(CANDUMP_LOG),
      );
      const columns = ['time', 'soc1', 'motor_speed', 'rest'];
      expect(await storedRows(fleet.portal.pool, logger.streamId, columns)).toEqual([
        { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motor_speed: null, rest: null },
        { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motor_speed: 1000, rest: null },
      ]);
      expect((await fleet.health(logger.writerId)).counters).toEqual({
        uploads: 1,
        readings: 2,
        frames: 4,
        unknownFrames: 1,
        badLines: 1,
      });
      expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({ Soc1: 81, MotorSpeed: 1000 });
    },
  );

  test('a log file that is uploaded again adds no readings, and is stored completely (INGEST-03)', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    const name = `1/WS_${logger.loggerSerial}_20260601_100000.log`;
    await fleet.put(logger, name, CANDUMP_LOG);
    await fleet.put(logger, name, CANDUMP_LOG);
    expect(await fleet.readingsOf(logger.streamId)).toBe(2);
    expect((await fleet.health(logger.writerId)).counters).toMatchObject({
      uploads: 2,
      readings: 2,
      duplicates: 2,
    });
    expect(await fleet.content(logger, name)).toBe(CANDUMP_LOG);
  });

  test.each([
    ['without a start', 'drive.log', CANDUMP_DEFINITION, /begintijd/],
    ['without a definition', 'WS_20260601_100000.log', undefined, /datadefinitie/],
    [
      'of a broken DBC',
      'WS_20260601_100000.log',
      { ...CANDUMP_DEFINITION, buses: [{ ...CANDUMP_DEFINITION.buses[0], dbc: 'BO_ x' }] },
      /regel 1/,
    ],
    ['truncated in gzip', 'WS_20260601_100000.log.gz', CANDUMP_DEFINITION, /afgekapt/],
    [
      'that is no GPX',
      'ride.gpx',
      undefined,
      /niet te lezen als wat de naam zegt: dit is een log van candump/,
    ],
  ] as [string, string, Definition | undefined, RegExp][])(
    'an unreadable log file, %s, is kept, quarantined with the reason, and acknowledged (INGEST-03)',
    async (_, name, own, reason) => {
      const logger = await fleet.newLogger(own);
      const body = name.endsWith('.gz') ? gzipSync(CANDUMP_LOG.repeat(50)).subarray(0, 60) : CANDUMP_LOG;
      await fleet.put(logger, name, body);
      expect((await fleet.quarantined(logger)).join()).toMatch(reason);
      expect((await fleet.health(logger.writerId)).counters).toMatchObject({ uploads: 1, quarantined: 1 });
    },
  );

  test('a log file in wide CSV is read by the names of its columns (INGEST-05)', async () => {
    const logger = await fleet.newLogger();
    await fleet.put(
      logger,
      'export.csv',
      'time;Soc1;Speed\n2026-06-01T10:00:00Z;80,5;12\n2026-06-01T10:00:10Z;x;13\n',
    );
    expect(await storedRows(fleet.portal.pool, logger.streamId, ['soc1', 'speed'])).toEqual([
      { soc1: 80.5, speed: 12 },
      { soc1: null, speed: 13 },
    ]);
  });

  test('a log file in GVRET CSV is recognized by its first row and decoded like candump (INGEST-05)', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    const rows = `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8
5000000,00000100,false,Rx,0,8,A0,00,00,00,00,00,00,00,
7000000,00000101,false,Rx,0,8,E8,03,00,00,00,00,00,00,
7100000,nonsense
`;
    const name = `1/WS_${logger.loggerSerial}_20260601_100000.csv`;
    await fleet.put(logger, name, rows);
    await fleet.put(logger, name, rows);
    const columns = ['time', 'soc1', 'motor_speed'];
    expect(await storedRows(fleet.portal.pool, logger.streamId, columns)).toEqual([
      { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motor_speed: null },
      { time: new Date('2026-06-01T10:00:02Z'), soc1: null, motor_speed: 1000 },
    ]);
    expect((await fleet.health(logger.writerId)).counters).toMatchObject({
      readings: 2,
      duplicates: 2,
      badLines: 2,
    });
  });

  test('a log file in compressed GPX puts the machine on the map (INGEST-05)', async () => {
    const logger = await fleet.newLogger();
    const now = Math.floor(fleet.clock / 1000);
    const time = new Date(now * 1000).toISOString();
    const gpx = `<gpx version="1.0"><trk><trkseg><trkpt lat="52.1" lon="5.1"><time>${time}</time><speed>5</speed></trkpt>
<trkpt lat="95" lon="5.1"><time>${time}</time></trkpt></trkseg></trk></gpx>`;
    await fleet.put(logger, 'ride.gpx.gz', gzipSync(gpx));
    expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({
      LATITUDE: 52.1,
      LONGITUDE: 5.1,
      POSITION_UNIX: now,
      Speed: 18,
    });
    expect((await fleet.health(logger.writerId)).counters).toEqual({
      uploads: 1,
      readings: 1,
      frames: 1,
      badLines: 1,
    });
  });

  test('a log file that is no .rxd despite its name is reported, and possible secrets in it are not stored (INGEST-03)', async () => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    const name = `WS_${logger.loggerSerial}_20260601_100000.rxd`;
    await fleet.put(logger, name, 'geheim geheim');
    expect(await fleet.outcomes(logger)).toEqual([
      expect.stringMatching(/^0 metingen; Dit is geen \.rxd-bestand/),
    ]);
    expect(await fleet.content(logger, name)).toBe(`gehe${'\u0000'.repeat(9)}`);
  });
});
