import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isUnused } from '#shared/domain/unused-names.ts';
import { findFiles } from './reading-files.store.ts';
import { readWholeReadings } from './whole-readings.ts';

/** Returns how many values of a stream's readings are not used by figures, except those with the given names. */
export async function countUnusedValues(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  except: readonly string[],
): Promise<number> {
  const counts = (name: string): boolean => isUnused(name) && !except.includes(name);
  const ofStreams = ranges.map((range) => ({ streamId, ...range }));
  const inRows = await countInRows(db, streamId, ranges, except);
  const files = await findFiles(db, ofStreams, []);
  if (!files.some(({ chunks }) => Object.keys(chunks).some(counts))) return inRows;
  const readings = await readWholeReadings(db, ofStreams, [], counts);
  return readings
    .flatMap(({ rests }) => rests)
    .reduce((sum, rest) => sum + Object.keys(rest ?? {}).filter(counts).length, 0);
}

/** Counts unused values in rows. Searches `rest` as text first, because nearly all readings have no such value. */
async function countInRows(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  except: readonly string[],
): Promise<number> {
  const { rows } = await shardForStream(db, streamId).query<{ count: number }>(
    `select count(*)::int as count
     from unnest($2::timestamptz[], $3::timestamptz[]) as w (since, until) cross join lateral (
       select rest from telemetry.reading
       where stream_id = $1 and time >= w.since and time < w.until and rest::text like '%"Unused.%' offset 0
     ) as r cross join lateral jsonb_object_keys(r.rest) as name
     where name like 'Unused.%' and name <> all ($4)`,
    [streamId, ranges.map(({ from }) => new Date(from)), ranges.map(({ to }) => new Date(to)), except],
  );
  return rows[0]?.count ?? 0;
}
