import { expect, test } from 'vitest';
import type { Definition } from '#shared/contract/definition.ts';

import {
  englishFindingText,
  type FormatFinding,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import { type LogFormat, parseLogStartMs } from './log-file-name.ts';
import { decodeRecordedLog } from './recorded-log.ts';
import { hasSharedData, sharedData } from './test/shared-data.ts';
import { collect, splitInChunks } from './test/small-log.ts';

const NAME = 'BM-0001_0001234_20261127_080000';
const NOW = Date.UTC(2026, 11, 1);
const definition: Definition = {
  buses: [
    {
      ...{ bus: 0, bitrate: 250_000, name: 'accu.dbc' },
      dbc: 'VERSION ""\nBO_ 513 Accu: 8 X\n SG_ Soc : 0|8@1+ (0.5,0) [0|100] "%" X\nBO_ 514 Motor: 8 X\n SG_ Rpm : 0|16@1+ (1,0) [0|0] "" X\n',
    },
  ],
  mapping: {
    signals: [
      { signal: 'Soc', to: 'Soc1' },
      { signal: 'Rpm', to: 'MotorSpeed' },
    ],
    keep: [],
  },
};

const decoded = async (bytes: Uint8Array, format: LogFormat, name = NAME, its = definition) => {
  const startMs = parseLogStartMs(name);
  const batches = await collect(
    decodeRecordedLog({
      ...{ chunks: () => splitInChunks(bytes, 10_000), format, definition: its, now: NOW },
      ...(startMs !== undefined && { startMs }),
    }),
  );
  return { readings: batches.flatMap(({ readings }) => readings), last: batches.at(-1) };
};

test.skipIf(!hasSharedData)(
  'one drive in .rxd, MF4, ASC, BLF and TRC gives the same readings (43.1)',
  async () => {
    const file = async (format: LogFormat) => decoded(sharedData(`rxd/${NAME}.${format}`), format);
    const { readings, last } = await file('mf4');
    expect(last?.stats).toMatchObject({ frames: 240, decodedFrames: 240, unknownIds: 0, badLines: 0 });
    expect(readings[0]?.signals).toEqual({ Soc1: 80, MotorSpeed: 900 });
    expect(readings).toHaveLength(120);
    // The times of these formats are precise to the microsecond, so a value at the border of two seconds may be in the reading of
    // either second. Only counts and values are compared, not times.
    for (const format of ['asc', 'blf', 'trc', 'rxd'] as const)
      expect([format, (await file(format)).last?.stats]).toEqual([
        format,
        expect.objectContaining({
          frames: 240,
          decodedFrames: 240,
          unknownIds: 0,
          badLines: 0,
          skippedValues: 0,
        }),
      ]);
    const values = async (format: LogFormat) =>
      (await file(format)).readings.flatMap(({ signals }) => signals.MotorSpeed ?? []);
    for (const format of ['asc', 'blf', 'rxd'] as const)
      expect(await values(format)).toEqual(await values('mf4'));
  },
);

test.skipIf(!hasSharedData)(
  'an .rxd gives the time and positions of its receiver, and reports how far its clock is off (43.1)',
  async () => {
    const { readings, last } = await decoded(sharedData(`rxd/${NAME}.rxd`), 'rxd');
    expect(readings.find(({ signals }) => signals.LATITUDE !== undefined)).toEqual({
      time: 1_795_000_000_000,
      signals: expect.objectContaining({ LATITUDE: 52.1, LONGITUDE: 5.1 }),
    });
    expect(englishFindingText(last?.clockError as FormatFinding)).toMatch(
      /^the logger's clock is \d+ s (behind|ahead of) GPS$/,
    );
    // The logger of this file has no GNSS receiver, so the file's name determines the time.
    const other = sharedData('rxd/BM-0001_0001234_20261127_100000.rxd');
    const named = await decoded(other, 'rxd', 'BM-0001_0001234_20261127_100000');
    expect(new Date(named.last?.span?.from ?? 0).toISOString()).toBe('2026-11-27T10:00:00.000Z');
  },
);

test.skipIf(!hasSharedData)(
  'the MF4 files of a CANedge are decoded with their J1939 and GNSS databases (43.1)',
  async () => {
    const gnss = sharedData('canedge/gnss.dbc').toString();
    const bus = { bus: 2, bitrate: 500_000, name: 'gnss.dbc', dbc: gnss };
    const { readings, last } = await decoded(
      sharedData('canedge/2F6913DB-00001089-00000001-63BEF5CD.MF4'),
      ...(['mf4', '2F6913DB-00001089-00000001-63BEF5CD.MF4'] as const),
      {
        buses: [bus],
        mapping: {
          signals: [
            { signal: 'Latitude', to: 'LATITUDE' },
            { signal: 'Longitude', to: 'LONGITUDE' },
          ],
          keep: [],
        },
      },
    );
    // Bus 1 has no DBC in this test, so its 1,011 frames have unknown identifiers. The DBC of bus 2 has gnss_pos under two identifiers.
    expect(last?.stats).toMatchObject({ frames: 4024, unknownIds: 1011, decodedFrames: 168 });
    expect(new Date(last?.span?.from ?? 0).toISOString()).toBe(new Date(1_673_458_929_103.95).toISOString());
    expect(readings.length).toBeGreaterThan(100);
  },
);

test.skipIf(!hasSharedData)(
  'reading resumes in the middle of a binary log and gives the remaining readings (43.1)',
  async () => {
    for (const format of ['rxd', 'mf4', 'blf', 'asc'] as const) {
      const bytes = sharedData(`rxd/${NAME}.${format}`);
      const whole = await decoded(bytes, format);
      const startMs = parseLogStartMs(NAME) as number;
      const log = { chunks: () => splitInChunks(bytes, 100), format, definition, now: NOW, startMs };
      // The offset at which reading resumes is a number of bytes, or of frames if the format cannot be read from any byte on.
      const middle = format === 'rxd' || format === 'asc' ? bytes.length / 2 : 120;
      const resume = { byteOffset: Math.floor(middle), line: 0, firstMs: whole.readings[0]?.time ?? 0 };
      const rest = (await collect(decodeRecordedLog({ ...log, resume }))).flatMap(({ readings }) => readings);
      expect([format, rest.length > 40 && rest.length < 90]).toEqual([format, true]);
      const before = new Map(whole.readings.map((reading) => [reading.time, reading.signals]));
      for (const { time, signals } of rest) expect(before.get(time)).toMatchObject(signals);
      expect(rest.at(-1)).toEqual(whole.readings.at(-1));
    }
  },
);
