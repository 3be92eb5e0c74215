import type { Area } from '#shared/domain/area.ts';
import type { Area as TheirArea } from '#shared/domain/test/oracle/area.ts';
import { dayFigures, daysOverlapping } from '#shared/domain/test/oracle/days.ts';
import { computePresences, timeWithoutPositionMs } from '#shared/domain/test/oracle/presence.ts';
import type { RandomMachine } from '#shared/domain/test/oracle/random-machine.ts';
import type { RandomProjects } from '#shared/domain/test/oracle/random-projects.ts';
import { chargingSessions } from '#shared/domain/test/oracle/sessions.ts';
import {
  isInRange,
  type OwnedReadingStream,
  overlapOf,
  ownedStreams,
} from '#shared/domain/test/oracle/track.ts';

/** Returns an area of the oracle in the portal's form. */
export const toPortalArea = (area: TheirArea): Area =>
  area.kind === 'circle' ? { centre: area.centre, radiusMetres: area.radius } : { corners: area.corners };

const ENDS = {
  full: 'vol',
  'no data': 'geen gegevens',
  unplugged: 'losgekoppeld',
  stopped: 'gestopt',
} as const;
const packsOf = (percents: ReadonlyMap<number, number>) =>
  Array.from({ length: 8 }, (_, pack) => percents.get(pack + 1) ?? null);

/** Returns the days, presences and sessions of the oracle, in the form of the tables. */
export function computeWithOracle(
  { stored, ownRanges }: RandomMachine,
  { projects, assignments }: RandomProjects,
) {
  const span = { from: stored[0]?.time ?? 0, to: (stored.at(-1)?.time ?? 0) + 1 };
  const days = daysOverlapping(span);
  const owned = ownedStreams(stored, ownRanges);
  const cut = computePresences(stored, projects, assignments, ownRanges).flatMap((one) =>
    days.flatMap((day) => {
      const inDay = overlapOf(one, day);
      const part = inDay && overlapOf(inDay, span);
      if (!part) return [];
      const { stream } = owned.find(({ ownRange }) => isInRange(ownRange, part.from)) as OwnedReadingStream;
      return [{ ...one, ...part, unseenMs: one.by === 'hand' ? 0 : timeWithoutPositionMs(part, stream) }];
    }),
  );
  const rows = days.flatMap(({ day, ...range }) => {
    const parts = [
      { project: 0, ranges: [range] },
      ...projects.map(({ id }) => ({
        project: id,
        ranges: cut.filter(({ project }) => project === id).flatMap((one) => overlapOf(one, range) ?? []),
      })),
    ];
    return parts.map(({ project, ranges }) => {
      const [figures] = dayFigures(stored, [ranges], ownRanges);
      const count = owned
        .flatMap(({ stream }) => stream.readings)
        .filter(({ time }) => ranges.some((one) => isInRange(one, time))).length;
      return { day, project, count, figures: figures as NonNullable<typeof figures> };
    });
  });
  const silent = chargingSessions(stored, ownRanges, (stored.at(-1)?.time ?? 0) + 600_000);
  return {
    span,
    days: rows
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.project - b.project))
      .filter(({ count, figures }) => count > 0 || figures.energies.heardMs > 0)
      .map(
        ({
          day,
          project,
          count,
          figures: { energies, activity, work, charging, soc, coverage: _, ...figures },
        }) => ({
          day,
          project,
          count,
          ...figures,
          ...energies,
          first: activity?.from ?? null,
          last: activity?.to ?? null,
          firstRunning: work?.from ?? null,
          lastRunning: work?.to ?? null,
          firstCharging: charging?.from ?? null,
          lastCharging: charging?.to ?? null,
          lowest: soc?.lowest ?? null,
          highest: soc?.highest ?? null,
        }),
      ),
    presences: cut,
    sessions: chargingSessions(stored, ownRanges).map(
      ({ begin, end, place, ended, pausesMs: _, meanPower: __, highestWatts, ...session }, n) => ({
        ...session,
        highestWatts: highestWatts ?? null,
        begin: packsOf(begin),
        end: packsOf(end),
        lat: place?.lat ?? null,
        lon: place?.lon ?? null,
        ended: ended === undefined ? null : ENDS[ended],
        endedInSilence: ENDS[silent[n]?.ended as keyof typeof ENDS],
      }),
    ),
  };
}
