import { expect, test } from 'vitest';
import { demoLmbLoggers } from '#shared/demo/fleet.ts';
import { DEMO_MACHINE_STATUS_CODES } from '#shared/demo/rail-codes.ts';
import { demoLoggers } from './demo-loggers.ts';
import { distanceKm } from './path-geometry.ts';
import { AMERSFOORT_ZWOLLE } from './rail-line.ts';

const HOUR = 3_600_000;
const loggers = demoLoggers();
const vehicles = demoLmbLoggers.map(({ loggerid }) => loggers.get(loggerid)!.signalsAt);

test('from 08:00 to 20:00 both rail vehicles are driving, working, standing with the motor on, and off', () => {
  const from = Date.parse('2025-04-12T06:00:00Z');
  for (const at of vehicles) {
    const hours: Record<number, number> = {};
    for (let t = from; t < from + 12 * HOUR; t += 60_000) {
      const code = at(t).Machinestatus!;
      hours[code] = (hours[code] ?? 0) + 1 / 60;
    }
    expect(hours[DEMO_MACHINE_STATUS_CODES.werken]).toBeGreaterThan(1);
    expect(hours[DEMO_MACHINE_STATUS_CODES.rijden]).toBeGreaterThan(0.5);
    expect(hours[DEMO_MACHINE_STATUS_CODES.stationair]).toBeGreaterThan(0.2);
    expect(hours[DEMO_MACHINE_STATUS_CODES.uit]).toBeGreaterThan(0.5);
  }
});

test('at any time, one of the rail vehicles moves within the next six hours', () => {
  for (let t = Date.parse('2025-11-17T00:00:00Z'); t < Date.parse('2025-12-01T00:00:00Z'); t += HOUR) {
    const moves = Array.from({ length: 72 }, (_, i) => vehicles.some((at) => at(t + i * 300_000).Speed! > 0));
    expect(moves, new Date(t).toISOString()).toContain(true);
  }
});

test('the rail vehicles stay on the railway line, never jump, and move as fast as their signal Speed says', () => {
  const line = Array.from({ length: 2_000 }, (_, i) =>
    AMERSFOORT_ZWOLLE.at((i / 1_999) * AMERSFOORT_ZWOLLE.lengthKm),
  );
  for (const at of vehicles) {
    let before = at(0);
    for (
      let t = Date.parse('2025-11-18T00:00:00Z'), first = true;
      t < Date.parse('2025-11-20T00:00:00Z');
      t += 5_000
    ) {
      const now = at(t);
      const km = distanceKm(place(before), place(now));
      if (!first) {
        const kmh = (km * HOUR) / 5_000;
        const meant = (before.Speed! + now.Speed!) / 2;
        if (Math.abs(kmh - meant) > 1 + 0.1 * meant)
          expect.fail(`Speed ${meant}, track ${kmh} at ${new Date(t)}`);
      }
      if (t % 600_000 === 0)
        expect(Math.min(...line.map((point) => distanceKm(point, place(now))))).toBeLessThan(0.05);
      before = now;
      first = false;
    }
  }
});

test('the simulated railway line is as long as the real one: 66 km, within 3 km', () => {
  expect(Math.abs(AMERSFOORT_ZWOLLE.lengthKm - 66)).toBeLessThan(3);
});

function place({ LATITUDE, LONGITUDE }: Readonly<Record<string, number>>) {
  return { lat: LATITUDE!, lon: LONGITUDE! };
}
