import { asSerial } from '#server/machines/stream-lookup.ts';
import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** A stream whose history the caller may read: only inside `own`, and there everything. */
export type OwnHistory = {
  readonly streamId: number;
  /** When it was the caller's, in order, half-open, ms; -Infinity and Infinity where it was without end. */
  readonly own: readonly Range[];
};

type Kind = 'machine' | 'logger';
const UNKNOWN: Readonly<Record<string, string>> = {
  machine: 'Deze machine bestaat niet.',
  logger: 'Deze logger bestaat niet.',
  both: 'Deze machine of logger bestaat niet.',
};

/**
 * The machine or LMB logger of that serial number or loggerid that is the caller's now, with the times at which it
 * was: of a machine that moved an organization sees what was recorded while it had it (INGEST-06). An administrator
 * sees all of it.
 * @throws ProblemError 404, the same for an unknown, a deleted and another organization's one, and for a kind that
 * the caller may not see
 */
export async function findHistory(
  db: Database,
  scope: Scope,
  serial: string,
  kinds: readonly Kind[],
): Promise<OwnHistory> {
  const wanted = kinds.filter((kind) =>
    scope.actions.has(kind === 'machine' ? 'see-machines' : 'see-loggers'),
  );
  const { rows } = await db.query<{ streamId: number; from: number; to: number }>(
    `select s.id as "streamId", date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from stream s join ownership w on w.stream_id = s.id
     where s.serial = $1 and s.kind = any ($2) and s.deleted_at is null
       and ($3::integer[] is null or w.organization_id = any ($3))
     order by w.valid_from`,
    [asSerial(serial), wanted, scope.organizations === 'all' ? null : scope.organizations],
  );
  const first = rows[0];
  const isOwnNow = rows.at(-1)?.to === Number.POSITIVE_INFINITY;
  if (!first || !isOwnNow) throw notFound(UNKNOWN[kinds.length > 1 ? 'both' : (kinds[0] as Kind)]);
  return { streamId: first.streamId, own: joined(rows) };
}

/** Intervals that follow each other at once are one: of one organization after the other, both in the scope. */
function joined(intervals: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}
