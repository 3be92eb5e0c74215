import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { collect, decodeLog, type LogOptions } from '#server/telemetry/decode/test/small-log.ts';
import type { Reading } from '#shared/domain/signal.ts';
import {
  gpx,
  POINT_READING,
  POINT_TIME_MS,
  point,
  readGpx,
  TIME_ELEMENT,
  track,
} from './test/written-gpx.ts';

describe('the points of a GPX (INGEST-05)', () => {
  test.each<[string, string, Reading['signals']]>([
    ['with a time only', point(TIME_ELEMENT), POINT_READING],
    ['with an elevation', point(`<ele> 12.5 </ele>${TIME_ELEMENT}`), { ...POINT_READING, ELEVATION: 12.5 }],
    ['below the sea', point(`<ele>-3</ele>${TIME_ELEMENT}`), { ...POINT_READING, ELEVATION: -3 }],
    [
      'of GPX 1.0, with its own speed',
      point(`${TIME_ELEMENT}<speed>2.5</speed>`),
      { ...POINT_READING, Speed: 9 },
    ],
    [
      'with a speed among the extensions',
      point(
        `${TIME_ELEMENT}<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>90</gpxtpx:hr><gpxtpx:speed>5</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>`,
      ),
      { ...POINT_READING, Speed: 18 },
    ],
    ['standing still', point(`${TIME_ELEMENT}<speed>0</speed>`), { ...POINT_READING, Speed: 0 }],
    [
      'with another time and elevation among the extensions',
      point(
        `<extensions><x:time>2020-01-01T00:00:00Z</x:time><x:ele>9</x:ele></extensions>${TIME_ELEMENT}<ele>1</ele>`,
      ),
      { ...POINT_READING, ELEVATION: 1 },
    ],
    [
      'in CDATA and with character references',
      point(`<time><![CDATA[2026-02-01T08:00:00]]>&#90;</time>`),
      POINT_READING,
    ],
    ['with a zone', point('<time>2026-02-01T09:00:00.000+01:00</time>'), POINT_READING],
    ['without a zone, which is UTC', point('<time>2026-02-01T08:00:00</time>'), POINT_READING],
    ['without a zone, with a fraction', point('<time> 2026-02-01 08:00:00.5 </time>'), POINT_READING],
    ['with a fraction of a second', point('<time>2026-02-01T08:00:00.999Z</time>'), POINT_READING],
    ['west and south', point(TIME_ELEMENT, '-.5', '-1e1'), { LATITUDE: -0.5, LONGITUDE: -10 }],
    [
      'with apostrophes and attributes of others',
      `<trkpt x:id="1" lon='5.1' lat='52.1'>${TIME_ELEMENT}</trkpt>`,
      POINT_READING,
    ],
    [
      'with a name',
      point(`<name>&lt;a&amp;b&gt; caf\u00e9 \u{1f69c}</name>${TIME_ELEMENT}<!-- <ele>5</ele> -->`),
      POINT_READING,
    ],
  ])('the points of a GPX give readings: %s', async (_, points, signals) => {
    const { readings, last } = await readGpx(track(points));
    expect(readings).toEqual([{ time: POINT_TIME_MS, signals }]);
    expect(last.stats).toMatchObject({ frames: 1, decodedFrames: 1, badLines: 0, skippedValues: 0 });
  });

  test('points are read from all tracks, segments and routes, but not from waypoints', async () => {
    const at = (second: number) => `<time>2026-02-01T08:00:0${second}Z</time>`;
    const text = gpx(
      `<wpt lat="1" lon="1">${at(9)}</wpt><rte><rtept lat="50" lon="5">${at(0)}</rtept></rte>
       <trk><trkseg>${point(at(1))}</trkseg><trkseg>${point(at(2))}</trkseg></trk><trk><trkseg>${point(at(3))}</trkseg></trk>`,
    );
    const { readings } = await readGpx(text);
    expect(readings.map(({ time }) => time - POINT_TIME_MS)).toEqual([0, 1000, 2000, 3000]);
    expect(readings.map(({ signals }) => signals.NEW_SEGMENT)).toEqual([undefined, 1, 1, 1]);
  });

  test("a new segment begins at the segment's first readable point (52.3)", async () => {
    const at = (second: number) => point(`<time>2026-02-01T08:00:0${second}Z</time>`);
    const bare = '<trkpt lat="1" lon="1"/>';
    const text = gpx(
      `<trk><trkseg>${bare}${at(0)}${at(1)}</trkseg><trkseg></trkseg><trkseg>${bare}${at(2)}${at(3)}</trkseg></trk>`,
    );
    const { readings } = await readGpx(text);
    expect(readings.map(({ signals }) => signals.NEW_SEGMENT)).toEqual([undefined, undefined, 1, undefined]);
  });

  test('points of the same second make one reading with the last value of each signal', async () => {
    const { readings } = await readGpx(
      track(point(`${TIME_ELEMENT}<ele>1</ele>`) + point(TIME_ELEMENT, '52.2', '5.2')),
    );
    expect(readings).toEqual([
      { time: POINT_TIME_MS, signals: { LATITUDE: 52.2, LONGITUDE: 5.2, ELEVATION: 1 } },
    ]);
  });

  test('points are read from tags with an undeclared namespace prefix, in UTF-16 and with a byte order mark', async () => {
    const prefixed = track(point(TIME_ELEMENT)).replaceAll(/<(\/?)(trk|gpx)/g, '<$1g:$2');
    for (const text of [prefixed, `\uFEFF${prefixed}`, Buffer.from(`\uFEFF${prefixed}`, 'utf16le')])
      expect((await readGpx(text)).readings).toEqual([{ time: POINT_TIME_MS, signals: POINT_READING }]);
  });
});

test('a start time that is given for a GPX moves all its times (INGEST-05)', async () => {
  const points = point(TIME_ELEMENT) + point('<time>2026-02-01T08:01:00Z</time>');
  const { readings } = await readGpx(track(points), { startMs: POINT_TIME_MS - 1e9, shift: 'always' });
  expect(readings.map(({ time }) => time)).toEqual([POINT_TIME_MS - 1e9, POINT_TIME_MS - 1e9 + 60_000]);
});

/** Returns a GPX of two points a second in two overlapping tracks, with damage and non-ASCII letters. */
function ride(points: number): string {
  const one = (i: number) => {
    const time = new Date(POINT_TIME_MS + i * 500).toISOString();
    const content = `<ele>${i % 50}</ele><time>${time}</time><name>\u{1f69c}é</name>\r\n`;
    return point(i % 97 === 0 ? '' : content, `${50 + i / 1e4}`);
  };
  const trackFrom = (from: number) =>
    `<trk><trkseg>${Array.from({ length: points }, (_, i) => one(from + i)).join('')}</trkseg></trk>`;
  return gpx(`${trackFrom(0)}\n${trackFrom(Math.floor(points / 2))}`);
}

describe('a GPX that is read in chunks (INGEST-05)', () => {
  test.each([1, 13, 1000, 1 << 24])(
    'a GPX gives the same readings in chunks of %i bytes, compressed or not',
    async (chunkBytes) => {
      const short = ride(400);
      const whole = await readGpx(short);
      expect(whole.readings.length).toBe(400);
      expect(whole.last.stats.badLines).toBe(9);
      for (const bytes of [Buffer.from(short), gzipSync(short)]) {
        const { readings, last } = await readGpx(bytes, { chunkBytes });
        expect(readings).toEqual(whole.readings);
        expect(last).toMatchObject({ stats: whole.last.stats, resume: whole.last.resume });
      }
    },
  );

  /** Merges readings like the store: existing values stay, new signals are added. */
  function stored(readings: readonly Reading[]): Map<number, Reading['signals']> {
    const byTime = new Map<number, Reading['signals']>();
    for (const { time, signals } of readings) byTime.set(time, { ...signals, ...byTime.get(time) });
    return byTime;
  }

  test.each<[string, LogOptions]>([
    ['as it is', {}],
    ['that is moved', { startMs: POINT_TIME_MS - 1e9, shift: 'always' }],
  ])('a GPX can be resumed after any batch without splitting a second: %s', async (_, options) => {
    const long = ride(9000);
    const batches = await collect(decodeLog(long, { ...options, format: 'gpx' }));
    expect(batches.length).toBeGreaterThan(2);
    const expected = batches.flatMap(({ readings }) => readings);
    for (const [index, { resume }] of batches.entries()) {
      const before = batches.slice(0, index + 1).flatMap(({ readings }) => readings);
      const kept = JSON.parse(JSON.stringify(resume));
      const after = await readGpx(long, { ...options, resume: kept, chunkBytes: 777 });
      expect(stored([...before, ...after.readings])).toEqual(stored(expected));
      expect(after.readings.length).toBeLessThanOrEqual(expected.length - before.length + 1);
    }
  });
});

test.skipIf(!hasSharedData)(
  `the ride of gpx.studio in ../shared/data is read${hasSharedData ? '' : ': skipped, it is not here'} (INGEST-05)`,
  async () => {
    const file = sharedData('gpx/gpxstudio_with_time.gpx');
    const { readings, last } = await readGpx(file);
    const times = [...file.toString().matchAll(/<time>(.*?)<\/time>/g)].map(([, time]) =>
      Date.parse(time ?? ''),
    );
    expect(times.length).toBeGreaterThan(50);
    expect(last.stats).toMatchObject({ frames: times.length, decodedFrames: times.length, badLines: 0 });
    expect(readings.map(({ time }) => time)).toEqual([...new Set(times.map((time) => time - (time % 1000)))]);
    expect(readings[0]).toEqual({
      time: Date.UTC(2023, 11, 31, 23, 0, 0),
      signals: { LATITUDE: 50.790867, LONGITUDE: 4.404968, ELEVATION: 109 },
    });
    expect((await readGpx(gzipSync(file))).readings).toEqual(readings);
  },
);
