/** From when to when a machine was on which project, by where it was (docs/figures.md section 13). */
import { type Area, type Box, metresOutside, squareMetres } from './area.ts';
import { distanceMetres } from './distance.ts';
import type { Range } from './intervals.ts';
import type { Position } from './position.ts';
import type { Scatter } from './scatter.ts';

/** ms; nobody comes or goes by less. */
export const DWELL_MS = 2 * 60_000;
/** m; who is not further out has not left. */
export const MARGIN_METRES = 25;
/** m; a machine whose scatter is larger moved in that hour. */
export const STANDS_METRES = 250;

/** An area of a project, with the time of the project (ms, half-open). */
export type Place = Range & { readonly projectId: number; readonly area: Area };

/** What has to be remembered between two positions; plain JSON. ms */
export type PresenceState = {
  /** Where it is; undefined: on none of the projects. */
  readonly projectId?: number | undefined;
  /** Since when it has been on another one, or out. */
  readonly outSince?: number | undefined;
  /** Since when it has been in the area of another one. */
  readonly next?: { readonly projectId: number; readonly since: number } | undefined;
  /** With one of these: where it stood in the hour before. */
  readonly stood?: Scatter | undefined;
};

/**
 * Where a machine is by its positions: on a project, and apart from that on a terrein. Projects and terreinen are followed by the
 * same rules; in `terrein` and in its places, `projectId` is the id of a terrein.
 */
export type PlaceState = PresenceState & { readonly terrein?: PresenceState | undefined };

/** Whether a machine may be on its way somewhere: it is out of a place, or in the next one, for less than 2 minutes. */
export const isUnderWay = ({ outSince, next, terrein }: PlaceState): boolean =>
  outSince !== undefined || next !== undefined || (terrein !== undefined && isUnderWay(terrein));

/** From `from` on it was there; undefined: on none. */
export type Turn = { readonly from: number; readonly projectId: number | undefined };

/**
 * Returns the places, the smaller area first, which wins where two overlap; of two of one size the older project.
 * @param places in the order in which their projects were made
 */
export const inOrderOfSize = (places: readonly Place[]): Place[] =>
  places
    .map((place) => ({ place, size: Math.round(squareMetres(place.area)) }))
    .sort((a, b) => a.size - b.size)
    .map(({ place }) => place);

/**
 * @param places inOrderOfSize
 * @param time of a position that is later than those before, ms
 * @param scatterOf returns the scatter that this position is compared with
 * @returns what happened by it: in order, and none before what was said already
 */
export function move(
  state: PresenceState,
  time: number,
  position: Position,
  places: readonly Place[],
  scatterOf: () => Scatter | undefined,
): { readonly state: PresenceState; readonly turns: readonly Turn[] } {
  const { projectId } = state;
  const open = places.filter(({ from, to }) => from <= time && time < to);
  const here = projectAt(open, position);
  const isStill =
    here === projectId || (here === undefined && isNear(open, projectId, position, MARGIN_METRES));
  if (isStill) return { state: { projectId }, turns: [] };
  const hasBegun = state.outSince !== undefined || state.next !== undefined;
  const stood = hasBegun ? state.stood : standing(scatterOf());
  if (stood && isWander(stood, position, here, projectId, open)) return { state: { projectId }, turns: [] };

  const outSince = projectId === undefined ? undefined : (state.outSince ?? time);
  const next =
    here === undefined
      ? undefined
      : state.next?.projectId === here
        ? state.next
        : { projectId: here, since: time };
  if (next && time - next.since >= DWELL_MS) {
    const left: Turn[] =
      outSince !== undefined && outSince < next.since ? [{ from: outSince, projectId: undefined }] : [];
    return {
      state: { projectId: next.projectId },
      turns: [...left, { from: next.since, projectId: next.projectId }],
    };
  }
  if (outSince !== undefined && time - outSince >= DWELL_MS)
    return { state: { next, ...(next && { stood }) }, turns: [{ from: outSince, projectId: undefined }] };
  return { state: { projectId, outSince, next, stood }, turns: [] };
}

const projectAt = (open: readonly Place[], position: Position): number | undefined =>
  open.find(({ area }) => metresOutside(area, position) <= 0)?.projectId;

const isNear = (
  open: readonly Place[],
  projectId: number | undefined,
  position: Position,
  metres: number,
): boolean =>
  open.some((place) => place.projectId === projectId && metresOutside(place.area, position) <= metres);

const standing = (scatter: Scatter | undefined): Scatter | undefined =>
  scatter && scatter.metres <= STANDS_METRES ? scatter : undefined;

/** Returns whether a position lies where the machine stood, and the middle of that does not say what the position does. */
function isWander(
  { middle, metres }: Scatter,
  position: Position,
  here: number | undefined,
  projectId: number | undefined,
  open: readonly Place[],
): boolean {
  if (distanceMetres(middle, position) > metres) return false;
  return here === undefined
    ? isNear(open, projectId, middle, MARGIN_METRES + metres)
    : projectAt(open, middle) !== here;
}

/** Degrees; in 5 minutes nobody comes so far, but a receiver that is wrong does. */
const LARGEST_BOX = 1;
/** m; beyond it the sphere is laid flat too differently at its two ends. */
const WIDE = 5_000;

/**
 * By how many metres at most the positions in a box differ in how far they are from an edge; undefined: there is no telling. A
 * polygon is laid flat anew at each position: where one is d from it, d x tan(latitude) / R of a move comes on top.
 */
function spreadOf({ south, west, north, east }: Box): number | undefined {
  if (north - south > LARGEST_BOX || east - west > LARGEST_BOX) return undefined;
  const span = distanceMetres({ lat: south, lon: west }, { lat: north, lon: east });
  return span > WIDE ? 2 * span + 1_000 : 1.01 * span + 1;
}

/** m; the farthest that an area can lie from a position that it decides, by the margin or by where the machine stood. */
const COUNTS_METRES = MARGIN_METRES + 2 * STANDS_METRES;

/** Those of the places that may count for a position in the box. */
export function placesNear(places: readonly Place[], box: Box): readonly Place[] {
  const spread = spreadOf(box);
  if (spread === undefined) return places;
  const corner = { lat: box.south, lon: box.west };
  return places.filter(({ area }) => metresOutside(area, corner) - spread <= COUNTS_METRES);
}

/** Where all positions of a box are: in the area of a project or of none, and then at most 25 m out of those of some. */
export type Whereabouts = {
  readonly projectId: number | undefined;
  readonly near: readonly number[];
};

/**
 * @param time of all positions in the box, ms
 * @param places inOrderOfSize
 * @returns undefined: there is no telling
 */
export function whereaboutsOf(
  { from, to }: Range,
  box: Box,
  places: readonly Place[],
): Whereabouts | undefined {
  const spread = spreadOf(box);
  if (spread === undefined) return undefined;
  const corner = { lat: box.south, lon: box.west };
  const near: number[] = [];
  for (const { projectId, area, from: begin, to: end } of places) {
    if (end <= from || begin >= to) continue;
    const metres = metresOutside(area, corner);
    if (begin > from || end < to) {
      if (metres - spread <= MARGIN_METRES) return undefined;
    } else if (metres - spread > 0) {
      if (metres + spread <= MARGIN_METRES) near.push(projectId);
    } else {
      // Whatever is larger does not count.
      return metres + spread <= 0 ? { projectId, near: [] } : undefined;
    }
  }
  return { projectId: undefined, near };
}

/** Whether no position there would change anything, so that none of them has to be looked at. */
export const staysThere = (
  { projectId, outSince, next }: PresenceState,
  where: Whereabouts | undefined,
): boolean =>
  where !== undefined &&
  outSince === undefined &&
  !next &&
  (where.projectId === projectId ||
    (where.projectId === undefined && projectId !== undefined && where.near.includes(projectId)));
