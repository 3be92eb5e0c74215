import { POINT_PACKS, POINT_SOC } from './point-soc.ts';

/**
 * Points of a path on their way from the database into JSON. Converting numbers to text twice, and rows to objects,
 * would cost more than everything else for a long path: so the points of a page arrive as one value, six doubles each,
 * and become text once.
 */

/** lat, lon, ms since 1970, speed, soc, packs; NaN when the reading has no value. */
const DOUBLES = 6;
const BYTES = DOUBLES * 8;
const MINUTE_MS = 60_000;

/** Columns of the reading `r` that POINTS_AS_BYTES needs. */
export const BYTES_COLUMNS = `r.time, r.latitude, r.longitude, r.speed, ${POINT_SOC} as soc,
  ${POINT_PACKS}::float8 as packs, latitude is not null as located`;

/** A `select` item over ordered rows of BYTES_COLUMNS: the points with a position, concatenated; null for none. */
export const POINTS_AS_BYTES = `string_agg(float8send(latitude) || float8send(longitude) || float8send(date_part('epoch', time) * 1000)
  || float8send(coalesce(speed, 'NaN')) || float8send(coalesce(soc, 'NaN'))
  || float8send(packs), '') filter (where located)`;

/**
 * Returns the points as JSON without the brackets: `{"lat":…},{…}`.
 * @param packsAt returns the number of packs that a reading at a time (ms) must have for its state of charge to be
 * included
 */
export function jsonOfPoints(bytes: Uint8Array, packsAt: (time: number) => number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const clock = openClock();
  let json = '';
  for (let at = 0; at < bytes.byteLength; at += BYTES) {
    const speed = view.getFloat64(at + 24);
    const time = view.getFloat64(at + 16);
    const packs = view.getFloat64(at + 40);
    const soc = packs > 0 && packs === packsAt(time) ? view.getFloat64(at + 32) : Number.NaN;
    json += `${at > 0 ? ',' : ''}{"lat":${view.getFloat64(at)},"lon":${view.getFloat64(at + 8)},"time":"${clock(time)}"`;
    if (!Number.isNaN(speed)) json += `,"speed":${speed}`;
    json += Number.isNaN(soc) ? '}' : `,"soc":${soc}}`;
  }
  return json;
}

/** Returns a fast toISOString() for ordered instants: within one minute only the seconds are formatted again. */
function openClock(): (ms: number) => string {
  let minute = Number.NaN;
  let text = '';
  return (instant) => {
    const ms = Math.round(instant);
    const now = Math.floor(ms / MINUTE_MS);
    if (now !== minute) {
      minute = now;
      text = new Date(now * MINUTE_MS).toISOString().slice(0, 17); // 2026-11-21T08:00:
    }
    const rest = ms - now * MINUTE_MS;
    const seconds = Math.floor(rest / 1000);
    return `${text}${String(seconds).padStart(2, '0')}.${String(rest - seconds * 1000).padStart(3, '0')}Z`;
  };
}
