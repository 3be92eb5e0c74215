/** Follows on which project a machine is, and from when to when, by its positions (docs/figures.md section 13). */
import { type Area, type Box, signedDistanceMetres } from './area.ts';
import { distanceMetres } from './distance.ts';
import type { Range } from './intervals.ts';
import type { Position } from './position.ts';
import type { Scatter } from './scatter.ts';

/** A machine has arrived or left only once it has been inside or outside for this time. */
export const DWELL_MS = 2 * 60_000;
/** A machine that is at most this far outside an area has not left it. */
export const AREA_MARGIN_METRES = 25;
/** A machine whose positions of an hour scatter more than this has moved in that hour. */
export const MAX_STANDSTILL_SCATTER_METRES = 250;

/** An area of a project, with the time of the project (half-open, ms). */
export type ProjectArea = Range & { readonly projectId: number; readonly area: Area };

/** State that the evaluation of positions keeps from one position to the next; times in ms. Plain JSON, because it is stored. */
export type PresenceState = {
  /** The machine's project; undefined: none. */
  readonly projectId?: number | undefined;
  /** Since when the machine has been outside its project's areas. */
  readonly outSince?: number | undefined;
  /** The project into whose area the machine came, and since when. */
  readonly next?: { readonly projectId: number; readonly since: number } | undefined;
  /** Only with `outSince` or `next`: where the machine stood in the hour before. */
  readonly stood?: Scatter | undefined;
};

/**
 * State of a machine by its positions: on which project it is, and independently of that on which terrein. Projects and terreinen
 * follow the same rules; in `terrein`, and in the `ProjectArea` of a terrein, `projectId` is the id of the terrein.
 */
export type PresenceStates = PresenceState & { readonly terrein?: PresenceState | undefined };

/** Returns whether an arrival or departure is pending: the machine has left or entered an area, but less than DWELL_MS ago. */
export const isPresenceChangePending = ({ outSince, next, terrein }: PresenceStates): boolean =>
  outSince !== undefined || next !== undefined || (terrein !== undefined && isPresenceChangePending(terrein));

/** The machine was on the project from `from` (ms) on; undefined: on none. */
export type PresenceChange = { readonly from: number; readonly projectId: number | undefined };

/**
 * Returns the state after a position, and the changes of presence that the position confirmed, in order of time.
 * @param places sorted by `sortBySmallestArea`
 * @param time of the position, ms; later than that of the position before
 * @param scatterOf returns the scatter of the positions of the hour before, with which the position is compared
 */
export function nextPresenceState(
  state: PresenceState,
  time: number,
  position: Position,
  places: readonly ProjectArea[],
  scatterOf: () => Scatter | undefined,
): { readonly state: PresenceState; readonly changes: readonly PresenceChange[] } {
  const { projectId } = state;
  const open = places.filter(({ from, to }) => from <= time && time < to);
  const here = projectAt(open, position);
  const isStill =
    here === projectId || (here === undefined && isNear(open, projectId, position, AREA_MARGIN_METRES));
  if (isStill) return { state: { projectId }, changes: [] };
  const hasBegun = state.outSince !== undefined || state.next !== undefined;
  const stood = hasBegun ? state.stood : scatterIfStanding(scatterOf());
  if (stood && isWander(stood, position, here, projectId, open)) return { state: { projectId }, changes: [] };

  const outSince = projectId === undefined ? undefined : (state.outSince ?? time);
  const next =
    here === undefined
      ? undefined
      : state.next?.projectId === here
        ? state.next
        : { projectId: here, since: time };
  if (next && time - next.since >= DWELL_MS) {
    const left: PresenceChange[] =
      outSince !== undefined && outSince < next.since ? [{ from: outSince, projectId: undefined }] : [];
    return {
      state: { projectId: next.projectId },
      changes: [...left, { from: next.since, projectId: next.projectId }],
    };
  }
  if (outSince !== undefined && time - outSince >= DWELL_MS)
    return { state: { next, ...(next && { stood }) }, changes: [{ from: outSince, projectId: undefined }] };
  return { state: { projectId, outSince, next, stood }, changes: [] };
}

const projectAt = (open: readonly ProjectArea[], position: Position): number | undefined =>
  open.find(({ area }) => signedDistanceMetres(area, position) <= 0)?.projectId;

const isNear = (
  open: readonly ProjectArea[],
  projectId: number | undefined,
  position: Position,
  metres: number,
): boolean =>
  open.some((place) => place.projectId === projectId && signedDistanceMetres(place.area, position) <= metres);

const scatterIfStanding = (scatter: Scatter | undefined): Scatter | undefined =>
  scatter && scatter.metres <= MAX_STANDSTILL_SCATTER_METRES ? scatter : undefined;

/**
 * Returns whether a position is noise: it lies in the circle in which the machine stood (`middle`, `metres`), and by that circle the
 * machine has not left its project `projectId`, or not entered the project `here` of the position.
 */
function isWander(
  { middle, metres }: Scatter,
  position: Position,
  here: number | undefined,
  projectId: number | undefined,
  open: readonly ProjectArea[],
): boolean {
  if (distanceMetres(middle, position) > metres) return false;
  return here === undefined
    ? isNear(open, projectId, middle, AREA_MARGIN_METRES + metres)
    : projectAt(open, middle) !== here;
}

/** Degrees. A larger box of the positions of 5 minutes contains a wrong position, because no machine moves this far in that time. */
const MAX_BOX_DEGREES = 1;
/** m. If the diagonal of a box is longer, the flat projections at its two ends differ too much, and `spreadOf` estimates more coarsely. */
const WIDE = 5_000;

/**
 * Returns an upper limit, m, of the difference between the distances of two positions in a box from an area's edge;
 * undefined: the box is too large. The distance d from a polygon is computed in a flat projection at the position
 * itself. If the position moves by s, d can therefore change by more than s: by up to s x (1 + d x tan(latitude) / R),
 * where R is the radius of the earth.
 */
function spreadOf({ south, west, north, east }: Box): number | undefined {
  if (north - south > MAX_BOX_DEGREES || east - west > MAX_BOX_DEGREES) return undefined;
  const span = distanceMetres({ lat: south, lon: west }, { lat: north, lon: east });
  return span > WIDE ? 2 * span + 1_000 : 1.01 * span + 1;
}

/**
 * m. An area farther than this from a position cannot decide which project the position is on: neither by AREA_MARGIN_METRES
 * nor by the circle in which the machine stood before.
 */
const COUNTS_METRES = AREA_MARGIN_METRES + 2 * MAX_STANDSTILL_SCATTER_METRES;

/** Returns the areas of `places` that may decide which project a position in the box is on. */
export function areasNear(places: readonly ProjectArea[], box: Box): readonly ProjectArea[] {
  const spread = spreadOf(box);
  if (spread === undefined) return places;
  const corner = { lat: box.south, lon: box.west };
  return places.filter(({ area }) => signedDistanceMetres(area, corner) - spread <= COUNTS_METRES);
}

/** The location of all positions of a box: in the area of one project, or in none and within AREA_MARGIN_METRES of the areas of `near`. */
export type BoxLocation = {
  readonly projectId: number | undefined;
  readonly near: readonly number[];
};

/**
 * Returns the location that all positions of a box share; undefined: their locations may differ.
 * @param time of all positions in the box, ms
 * @param places sorted by `sortBySmallestArea`
 */
export function boxLocationOf(
  { from, to }: Range,
  box: Box,
  places: readonly ProjectArea[],
): BoxLocation | undefined {
  const spread = spreadOf(box);
  if (spread === undefined) return undefined;
  const corner = { lat: box.south, lon: box.west };
  const near: number[] = [];
  for (const { projectId, area, from: begin, to: end } of places) {
    if (end <= from || begin >= to) continue;
    const metres = signedDistanceMetres(area, corner);
    if (begin > from || end < to) {
      if (metres - spread <= AREA_MARGIN_METRES) return undefined;
    } else if (metres - spread > 0) {
      if (metres + spread <= AREA_MARGIN_METRES) near.push(projectId);
    } else {
      // All further areas are larger, and the smallest area wins.
      return metres + spread <= 0 ? { projectId, near: [] } : undefined;
    }
  }
  return { projectId: undefined, near };
}

/** Returns whether no position at this location can change the state, so that the positions need not be read. */
export const keepsPresenceState = (
  { projectId, outSince, next }: PresenceState,
  where: BoxLocation | undefined,
): boolean =>
  where !== undefined &&
  outSince === undefined &&
  !next &&
  (where.projectId === projectId ||
    (where.projectId === undefined && projectId !== undefined && where.near.includes(projectId)));
