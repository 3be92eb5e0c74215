import type { LatLon } from './work-sites.ts';

const EARTH_RADIUS_KM = 6371; // MAP-08
const RADIANS = Math.PI / 180;
const STEPS_PER_LEG = 24;

/** A smooth line through given points, with its length. */
export type TravelPath = {
  readonly lengthKm: number;
  /** Returns the point at a distance from the start; distances outside the path return its ends. */
  readonly at: (km: number) => LatLon;
};

/** Returns the great-circle distance in km. */
export function distanceKm(a: LatLon, b: LatLon): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat * sinLat + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon * sinLon;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(h));
}

function spline(p0: number, p1: number, p2: number, p3: number, t: number): number {
  return (
    0.5 *
    (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t + (3 * p1 - p0 - 3 * p2 + p3) * t ** 3)
  );
}

/** Returns a Catmull-Rom curve through two or more points. */
export function travelPath(points: readonly LatLon[]): TravelPath {
  const line: LatLon[] = [];
  for (let leg = 0; leg + 1 < points.length; leg++) {
    const p1 = points[leg]!;
    const p2 = points[leg + 1]!;
    const p0 = points[leg - 1] ?? p1;
    const p3 = points[leg + 2] ?? p2;
    for (let step = 0; step < STEPS_PER_LEG; step++) {
      const t = step / STEPS_PER_LEG;
      line.push({
        lat: spline(p0.lat, p1.lat, p2.lat, p3.lat, t),
        lon: spline(p0.lon, p1.lon, p2.lon, p3.lon, t),
      });
    }
  }
  line.push(points.at(-1)!);

  const kmAt: number[] = [0];
  for (let i = 1; i < line.length; i++) kmAt.push(kmAt[i - 1]! + distanceKm(line[i - 1]!, line[i]!));
  const lengthKm = kmAt.at(-1)!;

  const at = (km: number): LatLon => {
    if (km <= 0) return line[0]!;
    if (km >= lengthKm) return line.at(-1)!;
    let low = 0;
    let high = line.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (kmAt[middle]! <= km) low = middle;
      else high = middle;
    }
    const f = (km - kmAt[low]!) / (kmAt[high]! - kmAt[low]!);
    const a = line[low]!;
    const b = line[high]!;
    return { lat: a.lat + (b.lat - a.lat) * f, lon: a.lon + (b.lon - a.lon) * f };
  };
  return { lengthKm, at };
}

/**
 * Returns how much of a drive is done (0 to 1) at a share of its duration (0 to 1), with gentle starts and stops and varying traffic.
 * `rate`: the derivative, the speed relative to the drive's average.
 */
export function driveProgress(
  x: number,
  trafficPhase: number,
): { readonly done: number; readonly rate: number } {
  if (x <= 0) return { done: 0, rate: 0 };
  if (x >= 1) return { done: 1, rate: 0 };
  // The speed over time is a trapezium with a ramp of 6 % of the time at both ends.
  const ramp = 0.06;
  const top = 1 / (1 - ramp);
  const speed = top * Math.min(1, x / ramp, (1 - x) / ramp);
  const done =
    x < ramp
      ? (top * x * x) / (2 * ramp)
      : x > 1 - ramp
        ? 1 - (top * (1 - x) ** 2) / (2 * ramp)
        : top * (x - ramp / 2);
  let warped = done;
  let slope = 1;
  for (const [waves, size] of TRAFFIC) {
    const angle = 2 * Math.PI * waves * done;
    warped += (size * (Math.sin(angle + trafficPhase) - Math.sin(trafficPhase))) / (2 * Math.PI * waves);
    slope += size * Math.cos(angle + trafficPhase);
  }
  return { done: warped, rate: speed * slope };
}

/**
 * Traffic varies the speed in waves: the number of waves over a drive, and their amplitude relative to the speed. The amplitudes sum
 * to less than 1, so that no machine drives backwards.
 */
const TRAFFIC: readonly (readonly [waves: number, size: number])[] = [
  [3, 0.12],
  [7, 0.1],
  [17, 0.08],
];
