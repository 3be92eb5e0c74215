import { describe, expect, test } from 'vitest';
import type { LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { decodeLog, LOG_NOW_MS } from '#server/telemetry/decode/test/small-log.ts';
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

describe('invalid parts of a GPX (INGEST-03)', () => {
  test.each<[string, string, Partial<LogBatch['stats']>]>([
    [
      'a point without a time',
      point('<ele>1</ele>'),
      { badLines: 1, firstBad: expect.objectContaining({ line: 4 }) },
    ],
    ['a point without anything', '<trkpt/>', { badLines: 1 }],
    ['an empty time', point('<time/>'), { badLines: 1 }],
    ['a time that is no date', point('<time>2026-02-30T08:00:00Z</time>'), { badLines: 1 }],
    ['a number for a time', point('<time>1769932800</time>'), { badLines: 1 }],
    ['a time with half a zone', point('<time>2026-02-01T08:00:00+1</time>'), { badLines: 1 }],
    ['a latitude that is none', point(TIME_ELEMENT, '90.1'), { badLines: 1 }],
    ['a longitude that is none', point(TIME_ELEMENT, '1', '-180.1'), { badLines: 1 }],
    ['a position that is no number', point(TIME_ELEMENT, 'NaN'), { badLines: 1 }],
    ['a receiver without a fix', point(TIME_ELEMENT, '0', '0'), { badLines: 1 }],
    ['no position', `<trkpt lat="52">${TIME_ELEMENT}</trkpt>`, { badLines: 1 }],
    ['a time before 2015', point('<time>1999-08-22T00:00:00Z</time>'), { refusedTimes: 1, frames: 2 }],
    [
      'a time ahead of now',
      point(`<time>${new Date(LOG_NOW_MS + 3_600_000).toISOString()}</time>`),
      { refusedTimes: 1 },
    ],
  ])('invalid parts of a GPX are left out and counted: %s', async (_, bad, stats) => {
    const { readings, last } = await readGpx(track(point(TIME_ELEMENT) + bad));
    expect(readings).toEqual([{ time: POINT_TIME_MS, signals: POINT_READING }]);
    expect(last.stats).toMatchObject({ decodedFrames: 1, ...stats });
  });

  test('a speed or elevation in a GPX that is no number or negative is left out', async () => {
    const values = ['<speed>-1</speed>', '<speed>fast</speed>', '<ele>1e999</ele>', '<ele>0x10</ele>'];
    const { readings, last } = await readGpx(
      track(values.map((value) => point(TIME_ELEMENT + value)).join('')),
    );
    expect(readings).toEqual([{ time: POINT_TIME_MS, signals: POINT_READING }]);
    expect(last.stats.skippedValues).toBe(4);
  });

  test('a GPX whose first point has a time before 2015 is not moved to the given start time, and only that point is left out', async () => {
    const { readings, last } = await readGpx(
      track(point('<time>1970-01-01T00:00:00Z</time>') + point(TIME_ELEMENT)),
      {
        startMs: POINT_TIME_MS - 1e9,
      },
    );
    expect(readings).toEqual([{ time: POINT_TIME_MS, signals: POINT_READING }]);
    expect(last.stats.refusedTimes).toBe(1);
  });
});

const withTimes = track(point(TIME_ELEMENT));
const LAUGHS = `<!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${withTimes.replace('Tuin', '&b;')}`;
describe('a GPX that cannot be read (INGEST-03)', () => {
  test.each<[string, string, string, RegExp, number]>([
    // Columns: description, text, kind of error, message, readings before the error.
    ['without times', track(point('') + point('<ele>1</ele>')), 'no times', /^GPX zonder tijden/, 0],
    ['without points', gpx(''), 'no times', /^GPX zonder track/, 0],
    [
      'with waypoints only (52.3)',
      gpx(`<wpt lat="1" lon="1">${TIME_ELEMENT}</wpt>`),
      'no times',
      /alleen waypoints/,
      0,
    ],
    [
      'with a route only (52.3)',
      gpx('<rte><rtept lat="1" lon="1"/></rte>'),
      'no times',
      /alleen een route/,
      0,
    ],
    ['that is HTML', '<html><body>login</body></html>', 'header', /webpagina/, 0],
    ['that is CSV', 'time,lat,lon\n1,2,3\n', 'corrupt', /CSV-bestand/, 0],
    ['that is no XML', 'lat lon\n1 2\n', 'corrupt', /geen goede XML/, 0],
    ['that is empty', '', 'header', /leeg/, 0],
    ['that breaks off', withTimes.slice(0, -20), 'truncated', /afgekapt/, 1],
    ['that is damaged', withTimes.replace('</trkseg>', '</trkzeg>'), 'corrupt', /regel 4/, 1],
    ['with entities of its own', LAUGHS, 'header', /DOCTYPE/, 0],
    [
      'with a file to fetch',
      `<!DOCTYPE gpx SYSTEM "file:///etc/passwd">${withTimes}`,
      'header',
      /DOCTYPE/,
      0,
    ],
    ['with an unknown entity', withTimes.replace('Tuin', '&tuin;'), 'corrupt', /geen goede XML/, 0],
    ['nested too deep', gpx('<a>'.repeat(200)), 'corrupt', /100 tags/, 0],
    ['without an end to its text', gpx(`<name>${'a'.repeat(3e6)}`), 'corrupt', /1 MiB/, 0],
    ['without an end to a tag', `<gpx a="${'a'.repeat(3e6)}`, 'corrupt', /1 MiB/, 0],
    ['without an end to a comment', gpx(`<!--${'a'.repeat(3e6)}`), 'corrupt', /1 MiB/, 0],
  ])('a GPX is rejected: %s', async (_, text, kind, message, before) => {
    const readings: Reading[] = [];
    const reading = async () => {
      for await (const batch of decodeLog(text.replace(/^<\?xml.*\n(?=<!DOC)/, ''), { format: 'gpx' }))
        readings.push(...batch.readings);
    };
    await expect(reading()).rejects.toMatchObject({
      name: 'LogError',
      kind,
      message: expect.stringMatching(message),
    });
    expect(readings.length).toBe(before);
  });

  test('a GPX without times is rejected, and its points are counted as bad', async () => {
    const batches: LogBatch[] = [];
    const reading = async () => {
      for await (const batch of decodeLog(track(point('') + point('')), { format: 'gpx' }))
        batches.push(batch);
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'no times' });
    expect(batches.at(-1)?.stats).toMatchObject({ frames: 0, badLines: 2, firstBad: { line: 3 } });
  });
});
