import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { sampleMf4 } from './decode/can-log/test/sample-mf4.ts';
import {
  channelGroupBlock,
  collectLinkedBlocks,
  dataGroupBlock,
  headerBlock,
  mf4File,
} from './decode/can-log/test/written-mf4.ts';
import { dataBlock } from './decode/can-log/test/written-mf4-data.ts';
import { frameChannels } from './decode/can-log/test/written-mf4-records.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { createSecondlyRxdLog } from './test/log-samples.ts';
import { CANDUMP_DEFINITION } from './test/logs.ts';
import { storedRows } from './test/stored-rows.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

/** Returns a time about ten minutes ago, at the beginning of a bucket. */
const start = (): number => bucketStart(fleet.clock - 600_000);

/** Returns a file that decompresses to 16 MiB. */
function packedBomb(): Buffer {
  const frames = channelGroupBlock(
    1,
    80,
    frameChannels('CAN_DataFrame', { byte: 16, bits: 512, dataType: 10 }),
  );
  const data = dataBlock('DT', Buffer.alloc(2 ** 24), 'zlib', 80);
  return mf4File([...collectLinkedBlocks(headerBlock([dataGroupBlock(0, [frames], data)]))]);
}

test.each<[string, string, () => Buffer, RegExp]>([
  [
    'whose configuration is longer than the file',
    'a.rxd',
    () => createSecondlyRxdLog(start(), 10).subarray(0, 60),
    /^0 metingen; Het \.rxd-bestand houdt op in zijn configuratie, vóór de eerste meting\.$/,
  ],
  [
    'whose packed block is a bomb',
    'a.mf4',
    packedBomb,
    /^0 metingen; Het logbestand heeft een ingepakt blok van meer dan 8 MiB; alleen het begin is gelezen\.$/,
  ],
  [
    'whose gzip is a bomb',
    'a.mf4.gz',
    () => gzipSync(Buffer.concat([sampleMf4([], { idBytes: 1, data: 'fixed' }), Buffer.alloc(2 ** 25)])),
    /^0 metingen; Het logbestand is uitgepakt meer dan 300 keer zo groot; alleen het begin is gelezen\.$/,
  ],
])(
  'a file %s is stored with the reason in quarantine, and the logger can upload its next file (43.14)',
  async (_, name, body, reason) => {
    const logger = await fleet.newLogger(CANDUMP_DEFINITION);
    await fleet.put(logger, name, body());
    expect(await fleet.outcomes(logger)).toEqual([expect.stringMatching(reason)]);
    await fleet.put(logger, 'good.rxd', createSecondlyRxdLog(start(), 10));
    expect(await fleet.readingsOf(logger.streamId)).toBe(10);
  },
);

test('an .rxd of a logger whose clock is in 1980 has the times of its GNSS, and the logger’s health reports the wrong clock (43.14)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  await fleet.put(logger, `WS_${logger.loggerSerial}_19800106_000000.rxd`, createSecondlyRxdLog(start(), 10));
  const times = (await storedRows(fleet.portal.pool, logger.streamId, ['time'])).map(({ time }) => time);
  expect([times[0], times.at(-1), times.length]).toEqual([new Date(start()), new Date(start() + 9000), 10]);
  expect((await fleet.health(logger.writerId)).lastError).toMatch(
    /^de klok van de logger loopt .* achter op GPS$/,
  );
});

/** Returns a file with a charge level each second and, if `withMotor`, a motor speed every other second. */
function drive(from: number, to: number, withMotor: boolean): Buffer {
  const file = new RxdFile({ name: 'WS', buses: [0], gnss: ['DATETIME'] });
  for (let n = from; n < to; n += 1) {
    const tick = (n - from) * 100_000;
    file.addGnss(tick, 'DATETIME', start() / 1000 + n);
    file.addFrame({ tick, bus: 0, id: 256, data: [200 - n, 0] });
    if (withMotor && n % 2 === 0) file.addFrame({ tick, bus: 0, id: 257, data: [0xe8, 3] });
  }
  return Buffer.from(file.toBytes());
}

test('two files of one period are merged: no time counts twice, and the figures equal those of one file (43.14)', async () => {
  const [one, two] = [await fleet.newLogger(CANDUMP_DEFINITION), await fleet.newLogger(CANDUMP_DEFINITION)];
  await fleet.put(one, 'whole.rxd', drive(0, 90, true));
  await fleet.put(two, 'a.rxd', drive(0, 60, false));
  await fleet.put(two, 'b.rxd', drive(30, 90, true));
  await fleet.put(two, 'c.rxd', drive(0, 40, true));
  const stored = async ({ streamId }: FleetLogger) => {
    const readings = await storedRows(fleet.portal.pool, streamId, ['time', 'soc1', 'motor_speed']);
    const { rows: buckets } = await fleet.portal.pool.query(
      `select to_jsonb(r) - 'stream_id' as bucket from rollup r where stream_id = $1 order by bucket`,
      [streamId],
    );
    return { readings, buckets };
  };
  const whole = await stored(one);
  expect(whole.readings).toHaveLength(90);
  expect(whole.buckets).toMatchObject([{ bucket: { count: 90 } }]);
  expect(await stored(two)).toEqual(whole);
  expect((await fleet.health(two.writerId)).counters).toMatchObject({
    readings: 90,
    duplicates: 40,
    merged: 30,
  });
});
