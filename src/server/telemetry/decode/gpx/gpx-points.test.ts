import { expect, test } from 'vitest';
import { type GpxPoint, GpxPoints } from './gpx-points.ts';

test('the place at which reading can resume is before a partially read point (INGEST-05)', () => {
  const accepted: GpxPoint[] = [];
  const points = new GpxPoints((point) => accepted.push(point));
  const push = (text: string) => points.push(Buffer.from(text));
  push('<gpx><trk><trkseg>\n<trkpt lat="1" lon="2"><time>2026');
  const { at, line } = points.place;
  push('-02-01T08:00:00Z</time></trkpt>');
  expect(accepted).toEqual([
    expect.objectContaining({ lat: '1', lon: '2', time: '2026-02-01T08:00:00Z', at, line }),
  ]);
  expect(points.place.at).toBeGreaterThan(at);
});
