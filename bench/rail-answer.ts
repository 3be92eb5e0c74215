import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MACHINE_STATUS_LEGEND, RAIL_GEAR_LEGEND, TRACK_LEGEND } from '#shared/domain/rail-legend.ts';

/** Points of all charts together. */
export const POINTS = 100_000;
/** Of the track, as many as the server gives. */
const POSITIONS = 2_000;
const FROM = Date.parse('2025-04-12T06:00:00Z');
const LENGTH_MS = 12 * 3_600_000;

/** More than the server ever answers: 70,000 speeds and 30,000 stretches of codes, over the default day. */
export function railAnswer(): LmbData {
  const at = (share: number) => new Date(FROM + share * LENGTH_MS).toISOString();
  const series = (count: number, codeOf: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => ({
      _time: at(n / count),
      _value: codeOf(n),
      _start: at(n / count),
      _stop: at((n + 1) / count),
    }));
  const colors = [MACHINE_STATUS_LEGEND, TRACK_LEGEND, RAIL_GEAR_LEGEND].map((legend) =>
    legend.map((line) => ({ ...line })),
  );
  const [ofStatus = [], ofTrack = [], ofGear = []] = colors;
  const spoor = series(POINTS / 10, (n) => n % 2);
  const spoorstand = series(POINTS / 10, (n) => n % 3);
  const track = Array.from({ length: POSITIONS }, (_, n) => ({
    lat: 52.15 + n * 1e-4,
    lon: 5.38 + 0.02 * Math.sin(n / 60),
    time: at(n / POSITIONS),
  }));
  return {
    spoor,
    spoorstand,
    legendas: { machinestatus: ofStatus, spoordata: [...ofTrack, ...ofGear] },
    speed: [
      { name: 'speed', data: series(0.7 * POINTS, (n) => 20 + 12 * Math.sin(n / 700) + (n % 5)), colors: [] },
    ],
    machinestatus: [{ name: 'machinestatus', data: series(POINTS / 10, (n) => n % 5), colors: ofStatus }],
    spoordata: [
      { name: 'spoor', data: spoor, colors: ofTrack },
      { name: 'spoorstand', data: spoorstand, colors: ofGear },
    ],
    location: track,
    position: track.at(-1) ?? null,
    totals: { codes: [], noDataMs: 0 },
    lastDay: '2025-04-12',
  };
}
