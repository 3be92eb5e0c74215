import type { PathPoint } from '#shared/contract/history.ts';

/** Columns of a path's point, of the reading `r`. */
export const POINT_COLUMNS = `r.latitude, r.longitude, date_part('epoch', r.time) * 1000, r.speed,
  mean_soc_milli(r) / 1000::float8`;

/** A row of POINT_COLUMNS. Numbers as PostgreSQL writes them, which is how JSON does. */
export type PointRow = readonly [
  lat: string,
  lon: string,
  ms: string,
  speed: string | null,
  soc: string | null,
];

/** For pg: rows of text. Neither side makes numbers or dates of what becomes text again. */
export const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as const;

/** ms since 1970. */
export const timeOf = (row: PointRow): number => Math.round(Number(row[2]));

export function toPoint(row: PointRow): PathPoint {
  const [lat, lon, , speed, soc] = row;
  return {
    lat: Number(lat),
    lon: Number(lon),
    time: new Date(timeOf(row)).toISOString(),
    ...(speed !== null && { speed: Number(speed) }),
    ...(soc !== null && { soc: Number(soc) }),
  };
}
