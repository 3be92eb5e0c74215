import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { columnForFigures, type OneReading } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import { type EdgeReadingSelector, readEdgeReadings } from '#server/telemetry/readings/read-edges.ts';
import { SOC_SIGNALS } from '#server/telemetry/readings/signal-columns.ts';
import { packStatisticSql } from '#server/telemetry/rollup-columns.ts';
import type { DayChart } from '#shared/contract/history.ts';
import type { PackSums } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { readPartialBuckets } from './cut-ends.ts';
import { type OwnedSegment, splitSegment } from './range.ts';

const PACK_COLUMNS = SOC_SIGNALS.map(({ name }) => columnForFigures(name));

/** Packs by start of a chart's bucket (ms); packs are indexed by number less 1. */
type Packs = Map<number, (PackSums | undefined)[]>;

/**
 * Returns the state of charge of each pack over the segments (docs/figures.md section 7): lowest, mean and highest value per bucket of the
 * chart, and its first and last value. A pack without values is left out.
 * @param exact computes them from the readings; otherwise they come from the roll-up, with buckets of at least its size
 */
export async function readPackChart(
  db: Database,
  streamId: number,
  segments: readonly OwnedSegment[],
  bucketMs: number,
  exact: boolean,
): Promise<Pick<DayChart, 'time' | 'bucketSeconds' | 'packs'>> {
  const cellMs = exact ? bucketMs : Math.max(bucketMs, BUCKET_MS);
  const cells: Packs = new Map();
  const readSegment = exact ? readReadings : readRollup;
  for (const segment of segments) await readSegment(db, streamId, segment, cellMs, cells);
  const starts = [...cells.keys()].sort((a, b) => a - b);
  const ends = await Promise.all(
    SOC_SIGNALS.map((_, pack) => {
      const inCells = starts.flatMap((start) =>
        cells.get(start)?.[pack] ? [{ from: start, to: start + cellMs }] : [],
      );
      return inCells.length > 0 ? readEnds(db, streamId, segments, pack, inCells) : undefined;
    }),
  );
  const packs = SOC_SIGNALS.flatMap(({ name }, pack) => {
    const of = (value: (sums: PackSums) => number) =>
      starts.map((start) => {
        const sums = cells.get(start)?.[pack];
        return sums ? value(sums) : null;
      });
    const both = ends[pack];
    return both
      ? [
          {
            name,
            min: of(({ min }) => min),
            mean: of(({ sumMilli, count }) => sumMilli / count / 1000),
            max: of(({ max }) => max),
            ...both,
          },
        ]
      : [];
  });
  return { time: starts.map((start) => start / 1000), bucketSeconds: cellMs / 1000, packs };
}

type Ends = Pick<DayChart['packs'][number], 'first' | 'firstTime' | 'last' | 'lastTime'>;

type Row = { readonly start: number } & Readonly<Record<string, number | null>>;

/** Adds rows to the cells. A row has `start` and, per pack n, `min${n}`, `max${n}`, `sum${n}` and `count${n}`. */
function addRows(cells: Packs, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const pack of SOC_SIGNALS.keys()) {
      const count = row[`count${pack}`] ?? 0;
      if (count > 0)
        add(cells, row.start, pack, {
          min: row[`min${pack}`] as number,
          max: row[`max${pack}`] as number,
          sumMilli: row[`sum${pack}`] as number,
          count,
        });
      else if (!cells.has(row.start)) cells.set(row.start, []);
    }
  }
}

function add(cells: Packs, start: number, pack: number, sums: PackSums): void {
  const packs = cells.get(start) ?? [];
  cells.set(start, packs);
  const before = packs[pack];
  packs[pack] = before
    ? {
        min: Math.min(before.min, sums.min),
        max: Math.max(before.max, sums.max),
        sumMilli: before.sumMilli + sums.sumMilli,
        count: before.count + sums.count,
      }
    : sums;
}

async function readReadings(
  db: Database,
  streamId: number,
  segment: OwnedSegment,
  cellMs: number,
  cells: Packs,
): Promise<void> {
  for await (const { times, values } of readColumnPages(db, streamId, [segment], PACK_COLUMNS)) {
    for (const [n, time] of times.entries()) {
      const start = Math.floor(time / cellMs) * cellMs;
      if (!cells.has(start)) cells.set(start, []);
      for (const [pack, levels] of values.entries()) {
        const level = levels[n] as number;
        // Sums of thousandths: whole numbers add up to the same sum in any order.
        if (!Number.isNaN(level))
          add(cells, start, pack, {
            min: level,
            max: level,
            sumMilli: Math.floor(level * 1000 + 0.5),
            count: 1,
          });
      }
    }
  }
}

async function readRollup(
  db: Database,
  streamId: number,
  segment: OwnedSegment,
  cellMs: number,
  cells: Packs,
): Promise<void> {
  const { whole, ends } = splitSegment(segment);
  for (const [bucket, { packs }] of await readPartialBuckets(db, streamId, segment, ends)) {
    const start = Math.floor(bucket / cellMs) * cellMs;
    if (!cells.has(start)) cells.set(start, []);
    for (const [pack, sums] of packs.entries()) if (sums) add(cells, start, pack, sums);
  }
  if (!whole) return;
  const columns = SOC_SIGNALS.map(
    (
      _,
      pack,
    ) => `min(${packStatisticSql(pack, 'min')}) as min${pack}, max(${packStatisticSql(pack, 'max')}) as max${pack},
      sum(${packStatisticSql(pack, 'sumMilli')}) as sum${pack}, sum(${packStatisticSql(pack, 'count')}) as count${pack}`,
  );
  const { rows } = await shardForStream(db, streamId).query<Row>(
    `select date_part('epoch', date_bin($4::interval, bucket, 'epoch')) * 1000 as start, ${columns.join(', ')}
     from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
    [streamId, new Date(whole.from), new Date(whole.to), `${cellMs / 1000} seconds`],
  );
  addRows(cells, rows);
}

/**
 * Returns the first and the last value of a pack.
 * @param inCells cells with a value of the pack, in order
 */
async function readEnds(
  db: Database,
  streamId: number,
  segments: readonly OwnedSegment[],
  pack: number,
  inCells: readonly Range[],
): Promise<Ends> {
  const column = PACK_COLUMNS.slice(pack, pack + 1);
  const readEnd = async (
    end: EdgeReadingSelector['end'],
    cell: Range | undefined,
  ): Promise<OneReading | undefined> => {
    const parts = segments.map(({ from, to }) => ({
      streamId,
      from: Math.max(from, cell?.from ?? 0),
      to: Math.min(to, cell?.to ?? 0),
    }));
    const found = await readEdgeReadings(
      db,
      parts.filter(({ from, to }) => from < to),
      column,
      { end },
    );
    const known = found.filter((one) => one !== undefined);
    return end === 'first' ? known[0] : known.at(-1);
  };
  const [first, last] = await Promise.all([readEnd('first', inCells[0]), readEnd('last', inCells.at(-1))]);
  return {
    first: first?.values[0] ?? null,
    firstTime: first ? first.time / 1000 : null,
    last: last?.values[0] ?? null,
    lastTime: last ? last.time / 1000 : null,
  };
}
