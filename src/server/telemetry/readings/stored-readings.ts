import { instantArray } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type Reading, SIGNALS, type Signals } from '#shared/domain/signal.ts';
import { unusedNamesIn, withOriginalNames } from '#shared/domain/unused-names.ts';
import { iterateReadings, type ReadingRow } from './signal-columns.ts';
import { weekStartOf } from './weeks.ts';
import { readWholeReadings, readWholeReadingsInFiles } from './whole-readings.ts';

/**
 * A stored reading as it was sent, for callers that change readings.
 * @property columns values of the typed columns as they are stored; NaN if there is none
 * @property unused names of its values that figures do not use
 */
export type StoredReading = Reading & {
  readonly columns: readonly number[];
  readonly unused: readonly string[];
};

/** Returns the stored readings of a range, in order of time. */
export async function readStoredReadings(
  db: Database,
  streamId: number,
  range: Range,
): Promise<StoredReading[]> {
  const [whole] = await readWholeReadings(db, [{ streamId, ...range }]);
  if (!whole) return [];
  return iterateReadings(whole).map(({ time, signals }, n) => ({
    time,
    signals: withOriginalNames(signals),
    columns: whole.known.map((values) => values[n] as number),
    unused: unusedNamesIn(whole.rests[n] ?? {}),
  }));
}

/**
 * Returns the stored readings at some instants (ms), by stream and time.
 * @param wanted of streams of one shard, at least one
 */
export async function readReadingsAtInstants(
  db: Database,
  wanted: readonly { readonly streamId: number; readonly time: number }[],
): Promise<Map<number, Map<number, Reading>>> {
  const found = new Map<number, Map<number, Reading>>();
  const add = (streamId: number, { time, signals }: Reading): void => {
    const readings = found.get(streamId) ?? new Map<number, Reading>();
    found.set(streamId, readings.set(time, { time, signals: withOriginalNames(signals) }));
  };
  const rows = await readRowsAt(db, wanted);
  const files = await readFilesAt(db, wanted);
  for (const { streamId, readings } of [...files, ...rows]) for (const one of readings) add(streamId, one);
  return found;
}

type OfStream = { readonly streamId: number; readonly readings: readonly Reading[] };

async function readRowsAt(
  db: Database,
  wanted: readonly { readonly streamId: number; readonly time: number }[],
): Promise<OfStream[]> {
  const times = wanted.map(({ time }) => time);
  const columns = ["date_part('epoch', r.time) * 1000", ...SIGNALS.map(({ column }) => `r.${column}`)];
  const { rows } = await shardForStream(db, wanted[0]?.streamId ?? 0).query<
    Readonly<Record<`c${number}`, Buffer>> & { streamId: number; rests: readonly (Signals | null)[] }
  >(
    `select r.stream_id, array_to_json(array_agg(r.rest)) as rests,
       ${columns.map((column, n) => `array_send(array_agg((${column})::float8)) as c${n}`).join(', ')}
     from unnest($1::integer[], $2::timestamptz[]) as w (stream_id, time)
     join telemetry.reading r on r.stream_id = w.stream_id and r.time = w.time where r.time >= $3 and r.time <= $4
     group by r.stream_id`,
    [
      wanted.map(({ streamId }) => streamId),
      instantArray(times),
      new Date(times.reduce((a, b) => Math.min(a, b))),
      new Date(times.reduce((a, b) => Math.max(a, b))),
    ],
  );
  return rows.map(({ streamId, rests, ...sent }) => {
    const [at = new Float64Array(), ...known] = columns.map((_, n) =>
      decodeDoubleArray(sent[`c${n}`] ?? null),
    );
    return { streamId, readings: iterateReadings({ times: at.map(Math.round), known, rests }) };
  });
}

/** Reads files week by week, because the instants may be years apart. */
async function readFilesAt(
  db: Database,
  wanted: readonly { readonly streamId: number; readonly time: number }[],
): Promise<OfStream[]> {
  const weeks = [...Map.groupBy(wanted, ({ streamId, time }) => `${streamId} ${weekStartOf(time)}`).values()];
  const found = await readWholeReadingsInFiles(
    db,
    weeks.map((own) => {
      const times = own.map(({ time }) => time);
      return {
        streamId: own[0]?.streamId ?? 0,
        from: times.reduce((a, b) => Math.min(a, b)),
        to: times.reduce((a, b) => Math.max(a, b)) + 1,
      };
    }),
  );
  return weeks.flatMap((own, n) => {
    const whole = found[n];
    if (!whole) return [];
    const times = new Set(own.map(({ time }) => time));
    const readings = iterateReadings(whole).filter(({ time }) => times.has(time));
    return [{ streamId: own[0]?.streamId ?? 0, readings }];
  });
}

/** Returns whether a stored reading has the same values in its typed columns. */
export const hasSameColumns = (stored: StoredReading | undefined, { columns }: ReadingRow): boolean =>
  stored !== undefined &&
  SIGNALS.every((_, n) => {
    const [before, after] = [stored.columns[n] as number, columns[n]];
    return after === undefined ? Number.isNaN(before) : before === after;
  });
