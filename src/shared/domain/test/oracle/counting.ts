import type { Reading } from '#shared/domain/signal.ts';

/** Finds the positions that count, as docs/figures.md section 1.7 defines. */

const FIVE_MINUTES = 300_000;
const TWO_MINUTES = 120_000;
const EARTH_RADIUS = 6_371_000;

export type PositionFix = { readonly time: number; readonly lat: number; readonly lon: number };

/** Returns the great-circle distance, m. */
export function metresBetween(
  a: { readonly lat: number; readonly lon: number },
  b: { readonly lat: number; readonly lon: number },
): number {
  const [lat1, lat2] = [(a.lat * Math.PI) / 180, (b.lat * Math.PI) / 180];
  const sineLat = Math.sin((lat2 - lat1) / 2);
  const sineLon = Math.sin(((b.lon - a.lon) * Math.PI) / 180 / 2);
  return (
    2 *
    EARTH_RADIUS *
    Math.asin(Math.min(1, Math.sqrt(sineLat ** 2 + Math.cos(lat1) * Math.cos(lat2) * sineLon ** 2)))
  );
}

/** Returns whether two successive positions are linked or a jump of more than 60 m/s lies between them; 'none': more than 5 min apart. */
export function positionRelation(
  a: PositionFix | undefined,
  b: PositionFix | undefined,
): 'none' | 'link' | 'jump' {
  if (a === undefined || b === undefined || b.time - a.time > FIVE_MINUTES) return 'none';
  return metresBetween(a, b) > (60 * Math.max(1000, b.time - a.time)) / 1000 ? 'jump' : 'link';
}

export type UnusedPositionReason = 'unusedNoFix' | 'unusedNullIsland' | 'unusedJumps';

function reasonByItself({ signals }: Reading): UnusedPositionReason | undefined {
  const { QUALITY, NUMBER_SATELLITES = 4, HORIZONTAL_ACCURACY = 0 } = signals;
  if (QUALITY === 0 || NUMBER_SATELLITES < 4 || HORIZONTAL_ACCURACY > 100) return 'unusedNoFix';
  const { LATITUDE = 0, LONGITUDE = 0 } = signals;
  const metres = metresBetween({ lat: LATITUDE, lon: LONGITUDE }, { lat: 0, lon: 0 });
  return metres > 1000 ? undefined : 'unusedNullIsland';
}

/** Returns the times of the positions of a whole stream that do not count, with the reason. */
export function unusedPositionReasons(
  readings: readonly Reading[],
): ReadonlyMap<number, UnusedPositionReason> {
  const all = readings
    .filter(({ signals }) => signals.LATITUDE !== undefined && signals.LONGITUDE !== undefined)
    .toSorted((a, b) => a.time - b.time);
  const fixes = all
    .filter((reading) => reasonByItself(reading) === undefined)
    .map(
      ({ time, signals }): PositionFix => ({ time, lat: signals.LATITUDE ?? 0, lon: signals.LONGITUDE ?? 0 }),
    );
  const company = fixes.filter((fix, n) => {
    const before = [fixes[n - 1], fixes[n - 2]].map((other) => positionRelation(other, fix));
    const after = [fixes[n + 1], fixes[n + 2]].map((other) => positionRelation(fix, other));
    const around = [...before, ...after];
    return around.includes('link') || !around.includes('jump');
  });
  const counting = new Set<number>();
  for (let from = 0; from < company.length; ) {
    let to = from + 1;
    while (positionRelation(company[to - 1], company[to]) === 'link') to += 1;
    const group = company.slice(from, to);
    const lasts = (group.at(-1)?.time ?? 0) - (group[0]?.time ?? 0);
    const isPlace = group.length > 3 && lasts >= TWO_MINUTES;
    const jumps = [
      positionRelation(company[from - 1], company[from]),
      positionRelation(company[to - 1], company[to]),
    ];
    if (isPlace || !jumps.includes('jump')) for (const { time } of group) counting.add(time);
    from = to;
  }
  return new Map(
    all
      .filter(({ time }) => !counting.has(time))
      .map((reading) => [reading.time, reasonByItself(reading) ?? 'unusedJumps']),
  );
}

/** Returns whether a name is that of a charge level: soc* of a pack, 1 to 8. */
const isLevel = (name: string): boolean => /^soc(?:[^\d.]*|[^\d.]*0*[1-8](?:[^\d.][^.]*)?)$/i.test(name);

/** Returns the times at which a charge level of 0 does not count, by signal name (docs/figures.md section 1.8). */
export function falseZeros(readings: readonly Reading[]): ReadonlyMap<string, ReadonlySet<number>> {
  const sorted = readings.toSorted((a, b) => a.time - b.time);
  const names = new Set(sorted.flatMap(({ signals }) => Object.keys(signals).filter(isLevel)));
  const most = (ms: number): number => 5 + ms / 6000;
  return new Map(
    [...names].map((name) => {
      const values = sorted.flatMap(({ time, signals }) => {
        const value = signals[name];
        return value === undefined ? [] : [{ time, value }];
      });
      const times = values
        .filter(({ time, value }) => {
          if (value !== 0) return false;
          const others = values.filter(
            (other) => other.value !== 0 && Math.abs(other.time - time) <= FIVE_MINUTES,
          );
          const before = others.findLast((other) => other.time < time);
          const after = others.find((other) => other.time > time);
          const decides = before ?? after;
          return decides !== undefined && decides.value > most(Math.abs(decides.time - time));
        })
        .map(({ time }) => time);
      return [name, new Set(times)];
    }),
  );
}

/** Returns the readings of a whole stream without the positions and charge levels that do not count. */
export function withoutUnusedValues(readings: readonly Reading[]): Reading[] {
  const unused = unusedPositionReasons(readings);
  const zeros = falseZeros(readings);
  return readings.map((reading) => {
    const isOut = (name: string): boolean =>
      (unused.has(reading.time) && (name === 'LATITUDE' || name === 'LONGITUDE')) ||
      zeros.get(name)?.has(reading.time) === true;
    const names = Object.keys(reading.signals);
    if (!names.some(isOut)) return reading;
    const signals = Object.fromEntries(Object.entries(reading.signals).filter(([name]) => !isOut(name)));
    return { ...reading, signals };
  });
}
