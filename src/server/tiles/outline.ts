import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { boxesOverlap, MAX_ZOOM, project, type WorldBox, worldSizePx } from './mercator.ts';

/** A ring or a line in Mercator units, with the box around it so that a tile can skip it at a glance. */
export type Shape = WorldBox & { readonly points: Float32Array };

/** Land (filled by the even-odd rule: a ring inside a ring is a lake) and the borders between countries. */
export type Outline = { readonly land: readonly Shape[]; readonly borders: readonly Shape[] };

/** The outline as fine as zooms up to `maxZoom` can show it. */
export type OutlineLevel = { readonly maxZoom: number; readonly outline: Outline };

type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
/** Numbers of arcs of the topology; ~n is arc n backwards. */
type ArcRing = readonly number[];

const THINNED_FOR_ZOOMS = [1, 3, 5];

/**
 * Reads and projects the outline of the world: Natural Earth 1:10m (public domain) as packed by world-atlas 2, a
 * TopoJSON file (https://github.com/topojson/topojson-specification). Its points lie on a lattice of 0.0036 by
 * 0.0017 degrees (some 250 m here), so beyond zoom 12 it looks angular. We read the arcs ourselves, since
 * topojson-client's way over GeoJSON takes more than twice the memory. Coarsest level first.
 */
export async function loadOutline(): Promise<OutlineLevel[]> {
  const file = fileURLToPath(import.meta.resolve('world-atlas/countries-10m.json'));
  const atlas = JSON.parse(await readFile(file, 'utf8')) as Atlas;
  const arcs = projectedArcs(atlas);
  const land = atlas.objects.land.geometries
    .flatMap(ringsOf)
    .flatMap((ring) => worldRing(joined(ring, arcs)));

  // A border is an arc that two countries share.
  const owner = new Map<number, unknown>();
  const shared = new Set<number>();
  for (const country of atlas.objects.countries.geometries) {
    for (const arc of ringsOf(country).flat().map(forwards)) {
      if (owner.has(arc) && owner.get(arc) !== country) shared.add(arc);
      owner.set(arc, country);
    }
  }
  const borders = [...shared].map((arc) => shape(arcs[arc]!));
  return [
    ...THINNED_FOR_ZOOMS.map((maxZoom) => ({
      maxZoom,
      outline: { land: thinned(land, maxZoom, 4), borders: thinned(borders, maxZoom, 2) },
    })),
    { maxZoom: MAX_ZOOM, outline: { land, borders } },
  ];
}

/** Those shapes whose box touches the given one. */
export function shapesIn(shapes: readonly Shape[], box: WorldBox): Shape[] {
  return shapes.filter((one) => boxesOverlap(one, box));
}

/** A line of degrees (longitude, latitude) as a shape; a ring is given without repeating its first point. */
export function shapeOfDegrees(line: readonly (readonly [longitude: number, latitude: number])[]): Shape {
  const points = line.map(([longitude, latitude]) => project(longitude, latitude));
  return shape(Float32Array.from(points.flatMap(({ x, y }) => [x, y])));
}

/** Every arc, undone of its delta and lattice coding (TopoJSON 2.1.2 and 2.1.3), in Mercator units. */
function projectedArcs({ arcs, transform }: Atlas): Float32Array[] {
  const { scale = [1, 1], translate = [0, 0] } = transform ?? {};
  return arcs.map((arc) => {
    const points = new Float32Array(arc.length * 2);
    let column = 0;
    let row = 0;
    arc.forEach(([right = 0, up = 0], at) => {
      column += right;
      row += up;
      const { x, y } = project(column * scale[0] + translate[0], row * scale[1] + translate[1]);
      points[at * 2] = x;
      points[at * 2 + 1] = y;
    });
    return points;
  });
}

function forwards(arc: number): number {
  return arc < 0 ? ~arc : arc;
}

function ringsOf(geometry: GeometryCollection['geometries'][number]): ArcRing[] {
  if (geometry.type === 'Polygon') return geometry.arcs;
  if (geometry.type === 'MultiPolygon') return geometry.arcs.flat();
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(ringsOf);
  return [];
}

/** The arcs of a ring one after the other; each begins where the last ended, and that point is taken once. */
function joined(ring: ArcRing, arcs: readonly Float32Array[]): Float32Array {
  const size = ring.reduce((sum, arc) => sum + arcs[forwards(arc)]!.length - 2, 0);
  const points = new Float32Array(size);
  let to = 0;
  for (const arc of ring) {
    const from = arcs[forwards(arc)]!;
    const count = from.length / 2;
    for (let at = 0; at < count - 1; at++) {
      const source = (arc < 0 ? count - 1 - at : at) * 2;
      points[to++] = from[source]!;
      points[to++] = from[source + 1]!;
    }
  }
  return points;
}

/**
 * A ring of the globe as rings of the flat map. One that crosses the 180th meridian jumps from edge to edge: it is
 * rolled out beyond the edge and drawn at both sides. One that goes round the south pole is closed below the map.
 */
function worldRing(points: Float32Array): Shape[] {
  const rolled = Array.from(points);
  let turn = 0;
  for (let at = 2; at < points.length; at += 2) {
    turn += turnOf(points[at]! - points[at - 2]!);
    rolled[at]! += turn;
  }
  const wound = turn + turnOf(points[0]! - points[points.length - 2]!);
  if (wound !== 0) rolled.push(rolled[0]! + wound, rolled[1]!, rolled[0]! + wound, 1.01, rolled[0]!, 1.01);
  const ring = shape(Float32Array.from(rolled));
  const copies = [-1, 0, 1].filter((by) => ring.minX + by < 1 && ring.maxX + by > 0);
  return copies.map((by) =>
    by === 0 ? ring : shape(ring.points.map((value, at) => (at % 2 === 0 ? value + by : value))),
  );
}

/** No step is longer than half the world: a longer one went round the other way. */
function turnOf(step: number): -1 | 0 | 1 {
  if (step > 0.5) return -1;
  return step < -0.5 ? 1 : 0;
}

/** Drops points nearer than a pixel to the last one kept, and shapes of which fewer than `least` points are left. */
function thinned(shapes: readonly Shape[], zoom: number, least: number): Shape[] {
  const step = 1 / worldSizePx(zoom);
  const kept: Shape[] = [];
  for (const { points } of shapes) {
    const few: number[] = [points[0]!, points[1]!];
    for (let at = 2; at < points.length; at += 2) {
      const isLast = at === points.length - 2;
      const dx = points[at]! - few[few.length - 2]!;
      const dy = points[at + 1]! - few[few.length - 1]!;
      if (isLast || Math.abs(dx) >= step || Math.abs(dy) >= step) {
        few.push(points[at]!, points[at + 1]!);
      }
    }
    if (few.length / 2 >= least) kept.push(shape(Float32Array.from(few)));
  }
  return kept;
}

/** Points in Mercator units with the box around them. */
export function shape(points: Float32Array): Shape {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let at = 0; at < points.length; at += 2) {
    box.minX = Math.min(box.minX, points[at]!);
    box.maxX = Math.max(box.maxX, points[at]!);
    box.minY = Math.min(box.minY, points[at + 1]!);
    box.maxY = Math.max(box.maxY, points[at + 1]!);
  }
  return { points, ...box };
}
