import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { packElement } from '#server/telemetry/rollup-columns.ts';
import { SOC_SIGNALS } from '#server/telemetry/signal-columns.ts';
import type { DayChart } from '#shared/contract/history.ts';
import type { PackSums } from '#shared/domain/figures.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment } from './range.ts';

/** Packs by start of a chart's bucket (ms); packs are indexed by number less 1. */
type Packs = Map<number, (PackSums | undefined)[]>;

/**
 * Returns the state of charge of each pack over the segments (docs/figures.md section 7): lowest, mean and highest
 * value per bucket of the chart, and its first and last value. A pack without values is left out.
 * @param exact from the readings; otherwise from the roll-up, with buckets of at least its size
 */
export async function readPacks(
  db: Database,
  streamId: number,
  segments: readonly Segment[],
  bucketMs: number,
  exact: boolean,
): Promise<Pick<DayChart, 'time' | 'bucketSeconds' | 'packs'>> {
  const cellMs = exact ? bucketMs : Math.max(bucketMs, BUCKET_MS);
  const cells: Packs = new Map();
  const readSegment = exact ? readReadings : readRollup;
  for (const segment of segments) await readSegment(db, streamId, segment, cellMs, cells);
  const starts = [...cells.keys()].sort((a, b) => a - b);
  const ends = await Promise.all(
    SOC_SIGNALS.map(({ column }, pack) =>
      starts.some((start) => cells.get(start)?.[pack])
        ? readEnds(db, streamId, segments, column, pack)
        : undefined,
    ),
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

/** Adds rows of `start` and, per pack n, `min${n}`, `max${n}`, `sum${n}` and `count${n}`. */
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
  { from, to }: Segment,
  cellMs: number,
  cells: Packs,
): Promise<void> {
  // Sums of thousandths: whole numbers add up to the same sum in any order.
  const columns = SOC_SIGNALS.map(
    ({ column }, pack) => `min(${column}) as min${pack}, max(${column}) as max${pack},
      sum(floor(${column} * 1000 + 0.5)) as sum${pack}, count(${column})::float8 as count${pack}`,
  );
  const { rows } = await ofStream(db, streamId).query<Row>(
    `select date_part('epoch', date_bin($4::interval, time, 'epoch')) * 1000 as start, ${columns.join(', ')}
     from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 group by 1`,
    [streamId, new Date(from), new Date(to), `${cellMs / 1000} seconds`],
  );
  addRows(cells, rows);
}

async function readRollup(
  db: Database,
  streamId: number,
  segment: Segment,
  cellMs: number,
  cells: Packs,
): Promise<void> {
  const { whole, ends } = cutOf(segment);
  for (const [bucket, { packs }] of await readCutEnds(db, streamId, segment, ends)) {
    const start = Math.floor(bucket / cellMs) * cellMs;
    if (!cells.has(start)) cells.set(start, []);
    for (const [pack, sums] of packs.entries()) if (sums) add(cells, start, pack, sums);
  }
  if (!whole) return;
  const columns = SOC_SIGNALS.map(
    (
      _,
      pack,
    ) => `min(${packElement(pack, 'min')}) as min${pack}, max(${packElement(pack, 'max')}) as max${pack},
      sum(${packElement(pack, 'sumMilli')}) as sum${pack}, sum(${packElement(pack, 'count')}) as count${pack}`,
  );
  const { rows } = await ofStream(db, streamId).query<Row>(
    `select date_part('epoch', date_bin($4::interval, bucket, 'epoch')) * 1000 as start, ${columns.join(', ')}
     from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1`,
    [streamId, new Date(whole.from), new Date(whole.to), `${cellMs / 1000} seconds`],
  );
  addRows(cells, rows);
}

/** Returns the first and the last value of a pack. The roll-up shows in which bucket to look for it. */
async function readEnds(
  db: Database,
  streamId: number,
  segments: readonly Segment[],
  column: string,
  pack: number,
): Promise<Ends> {
  const hasPack = `stream_id = $1 and bucket > $2::timestamptz - interval '${BUCKET_MS} ms' and bucket < $3 and ${packElement(pack, 'count')} > 0`;
  // Named `seconds`, because `order by time` would otherwise sort all readings by the computed column.
  const read = `select ${column} as value, date_part('epoch', time) as seconds from telemetry.reading
    where stream_id = $1 and time >= $2 and time < $3 and ${column} is not null`;
  type End = { readonly value: number; readonly seconds: number };
  const firstOf = async (sql: string, ordered: readonly Segment[]): Promise<End | undefined> => {
    for (const { from, to } of ordered) {
      const { rows } = await ofStream(db, streamId).query<End>(sql, [streamId, new Date(from), new Date(to)]);
      if (rows[0]) return rows[0];
    }
    return undefined;
  };
  const [first, last] = await Promise.all([
    firstOf(
      `${read} and time >= (select min(bucket) from telemetry.rollup where ${hasPack}) order by time limit 1`,
      segments,
    ),
    firstOf(
      `${read} and time < (select max(bucket) from telemetry.rollup where ${hasPack}) + interval '${BUCKET_MS} ms' order by time desc limit 1`,
      [...segments].reverse(),
    ),
  ]);
  return {
    first: first?.value ?? null,
    firstTime: first?.seconds ?? null,
    last: last?.value ?? null,
    lastTime: last?.seconds ?? null,
  };
}
