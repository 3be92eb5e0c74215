import { type Area, metresOutside } from './area.ts';
import { type Day, dayAround, daysOverlapping } from './days.ts';
import { type Place, positionsOf } from './path.ts';
import type { Assignment, Project } from './presence.ts';
import {
  Random,
  type RandomMachine,
  randomPositionNear,
  randomRangeBoundary,
  type Site,
} from './random-machine.ts';
import { ReadingStream } from './track.ts';

/**
 * Random projects around the sites of a machine, for its owner 0, and assignments of the machine by hand. No
 * position of the machine lies within 1 cm of an edge, or of the line 25 m outside it.
 */

/** First and last day, YYYY-MM-DD in Amsterdam, both included, as in `during`. */
export type RandomProject = Project & { readonly firstDay: string; readonly lastDay: string };

export type RandomProjects = {
  readonly projects: readonly RandomProject[];
  /** The assignments in order of time, not overlapping; some reach beyond the period of their project. */
  readonly assignments: readonly Assignment[];
};

const DAY = 86_400_000;

/** Metres: no position lies closer than CLEARANCE to an edge, or to the line STILL_THERE outside it. */
const CLEARANCE = 0.011;
const STILL_THERE = 25;

const isClear = (area: Area, positions: readonly Place[]): boolean =>
  positions.every((position) => {
    const metres = metresOutside(area, position);
    return Math.abs(metres) > CLEARANCE && Math.abs(metres - STILL_THERE) > CLEARANCE;
  });

/** Returns a polygon around the middle of a site. @param inner factor on the radius of every second corner */
function polygonRound({ lat, lon, radius }: Site, count: number, inner: number): Area {
  const corners = Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count;
    const metres = n % 2 === 0 ? radius : radius * inner;
    return {
      lat: lat + (metres * Math.sin(angle)) / 111_195,
      lon: lon + (metres * Math.cos(angle)) / 111_195 / Math.cos((lat * Math.PI) / 180),
    };
  });
  return { kind: 'polygon', corners };
}

/** Returns a circle or polygon of about the size of a site, enlarged until no position lies at its edge. */
function areaOf(random: Random, site: Site, positions: readonly Place[]): Area {
  const isCircle = random.chance(0.5);
  const corners = random.whole(3, 12);
  const inner = random.pick([1, 1, 0.6]);
  for (let { radius } = site; ; radius += 0.03) {
    const { lat, lon } = site;
    const area: Area = isCircle
      ? { kind: 'circle', centre: { lat, lon }, radius }
      : polygonRound({ lat, lon, radius }, corners, inner);
    if (isClear(area, positions)) return area;
    if (radius > site.radius + 100) throw new Error('Positions are everywhere at the edge of this area.');
  }
}

/** Returns a site, a part of a site, or a circle that overlaps a site. */
function siteOf(random: Random, sites: readonly Site[]): Site {
  const site = sites[random.whole(0, sites.length - 1)] ?? { lat: 52, lon: 5, radius: 100 };
  if (random.chance(0.5)) return site;
  const radius = site.radius * random.between(0.3, 1.2);
  return { ...randomPositionNear(random, site, random.between(0, site.radius)), radius };
}

function areasOf(
  random: Random,
  sites: readonly Site[],
  positions: readonly Place[],
  there: readonly Project[],
): readonly Area[] {
  const last = there.at(-1);
  // The project gets the areas of the project before it, so that two areas have the same size.
  if (last !== undefined && random.chance(0.2)) return last.areas;
  return Array.from({ length: random.pick([1, 1, 2]) }, () =>
    areaOf(random, siteOf(random, sites), positions),
  );
}

export function randomProjects({ seed, sites, stored }: RandomMachine): RandomProjects {
  const random = new Random(seed + 1_000_000);
  const positions = positionsOf(new ReadingStream(stored));
  const [begin = 0, end = 0] = [stored[0]?.time, stored.at(-1)?.time];

  const days = daysOverlapping({ from: begin, to: end + 1 });
  /** Returns, with this probability, a random day of the machine's history; else the day of `time`. */
  const dayOr = (probability: number, time: number): Day =>
    (random.chance(probability) ? days[random.whole(0, days.length - 1)] : undefined) ?? dayAround(time);

  const projects: RandomProject[] = [];
  const count = random.pick([2, 3, 4]);
  for (let id = 1; id <= count; id++) {
    const first = dayOr(0.6, begin - DAY);
    const until = dayOr(0.5, end + DAY);
    const last = until.from < first.from ? first : until;
    projects.push({
      id,
      areas: areasOf(random, sites, positions, projects),
      during: { from: first.from, to: last.to },
      firstDay: first.day,
      lastDay: last.day,
    });
  }

  const moments = Array.from({ length: random.pick([0, 2, 2, 4]) }, () =>
    randomRangeBoundary(random, stored),
  );
  const cuts = [...new Set(moments)].sort((a, b) => a - b);
  const assignments = cuts.flatMap((from, n): Assignment[] => {
    const to = cuts[n + 1];
    const project = projects[random.whole(0, projects.length - 1)]?.id;
    return n % 2 === 1 || to === undefined || project === undefined ? [] : [{ project, from, to }];
  });
  return { projects: random.shuffled(projects), assignments };
}
