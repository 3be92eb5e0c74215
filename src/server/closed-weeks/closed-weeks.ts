import type { Database } from '#server/platform/database.ts';
import { invalidInputError, notFound } from '#server/platform/problem.ts';
import {
  countInFiles,
  findClosedWeeks,
  findWholeWeekFile,
  parseWeekStartMs,
  type StoredFile,
  type ClosedWeek as WeekOfFiles,
} from '#server/telemetry/readings/closed-week-file.ts';
import { WEEK_MS, weekStartOf } from '#server/telemetry/readings/weeks.ts';
import type { ClosedWeek } from '#shared/contract/closed-weeks.ts';
import { intersectIntervals, joinRanges, type Range } from '#shared/domain/intervals.ts';
import { type Owner, readOwners } from './owners.store.ts';

/** An owner of a machine or LMB logger, and the times within one week in which it was the owner. */
type Part = { readonly owner: Owner; readonly ranges: readonly Range[] };

/** Returns the closed weeks (stored as files) of a stream, newest first, each once per owner that has readings in it. */
export async function listClosedWeeks(db: Database, streamId: number): Promise<ClosedWeek[]> {
  const owners = await readOwners(db, streamId);
  const weeks: ClosedWeek[] = [];
  for (const week of await findClosedWeeks(db, streamId)) {
    const parts = partsOf(owners, weekStartOf(week.from));
    for (const part of parts) {
      const isWhole = hasAll(part, week);
      const readings = isWhole ? week.readings : await countInFiles(db, streamId, part.ranges);
      if (readings === 0) continue;
      const { organization, organizationName } = part.owner;
      weeks.push({
        monday: new Date(weekStartOf(week.from)).toISOString().slice(0, 10),
        organization,
        organizationName,
        readings,
        bytes: isWhole ? week.bytes : null,
      });
    }
  }
  return weeks;
}

/**
 * The content of a download: the readings of one owner in one week.
 * @property isPart whether the week had other owners too
 * @property file the stored file, if it has exactly these readings
 */
export type WeekDownload = {
  readonly owner: Owner;
  readonly ranges: readonly Range[];
  readonly isPart: boolean;
  readonly file: StoredFile | undefined;
};

/**
 * Finds a closed week.
 * @param organization functional name of the owner; undefined: the only owner of that week
 * @throws ProblemError 404 for a week without files, or that was not the owner's; 400 if the week had several owners and none is named
 */
export async function findClosedWeek(
  db: Database,
  streamId: number,
  monday: string,
  organization: string | undefined,
): Promise<WeekDownload> {
  const from = parseWeekStartMs(monday);
  const unknown = notFound('Deze week is niet afgesloten, of heeft geen metingen.');
  if (from === undefined) throw unknown;
  const [week] = await findClosedWeeks(db, streamId, { from, to: from + WEEK_MS });
  if (!week) throw unknown;
  const all = partsOf(await readOwners(db, streamId), from);
  const parts = all.filter(({ owner }) => organization === undefined || owner.organization === organization);
  const [part] = parts;
  if (!part) throw unknown;
  if (parts.length > 1)
    throw invalidInputError('Deze week had meer dan één eigenaar. Kies van wie de metingen zijn.');
  const { owner, ranges } = part;
  if (hasAll(part, week))
    return { owner, ranges, isPart: false, file: await findWholeWeekFile(db, streamId, from) };
  if ((await countInFiles(db, streamId, ranges)) === 0) throw unknown;
  return { owner, ranges, isPart: all.length > 1, file: undefined };
}

/** Returns each owner's times in a week. @param week its start, in ms */
function partsOf(owners: readonly Owner[], week: number): Part[] {
  const range = { from: week, to: week + WEEK_MS };
  return owners
    .map((owner) => ({
      owner,
      ranges: intersectIntervals(/*rule:closed-week-owner*/ joinRanges(owner.times) /*=[range]*/, [range]),
    }))
    .filter(({ ranges }) => ranges.length > 0);
}

/** Returns whether one of this owner's times contains all readings in the week's files. */
const hasAll = ({ ranges }: Part, week: WeekOfFiles): boolean =>
  ranges.some(({ from, to }) => from <= week.from && to > week.to);
