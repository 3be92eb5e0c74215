import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isSocSignal, knownSignal } from '#shared/domain/signal.ts';

/** Readings per query: some hundreds of kilobytes, so that no statement takes long. */
const PAGE = 4_000;
/** Readings per row of the answer. Larger rows live longer, which makes the heap grow, and the driver copies a long row as it arrives. */
const ROWS = 500;

/** The time of a reading in ms since 1970, and its value of each signal. */
export type Values = [time: number, ...(number | null)[]];

/**
 * Yields the values of signals of stored readings in order of time, a page at a time. The next page is read while the caller uses one.
 * @param names of the catalogue, or own ones
 * @param needed a reading must have one of the first `needed` names
 */
export async function* storedValues(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  names: readonly string[],
  needed = names.length,
): AsyncGenerator<Values[], void> {
  const statement = statementOf(names, needed);
  const rest = ranges.toReversed();
  const ask = (): Promise<Page> | undefined => {
    const range = rest.pop();
    const page = range && readPage(db, streamId, range, statement);
    page?.catch(() => {}); // the await below throws the error; without one the error is dropped
    return page;
  };
  for (let asked = ask(); asked; ) {
    const page = await asked;
    if (page.after) rest.push(page.after);
    asked = ask();
    for (const columns of page.parts) yield valuesIn(columns);
  }
}

type Statement = { readonly text: string; readonly own: readonly string[] };

function statementOf(names: readonly string[], needed: number): Statement {
  const own: string[] = [];
  const ownValue = (name: string): string => `(r.rest -> $${own.push(name) + 3}::text)::float8`;
  const columns = names.map((name) => {
    const known = knownSignal(name);
    if (!known) return ownValue(name);
    // A state of charge and a charging flag stand in `rest` if the reading had more than one of them.
    const isShared = isSocSignal(name) || name === 'IsCharging';
    return isShared ? `coalesce(${ownValue(name)}, r.${known.column})` : `r.${known.column}`;
  });
  const values = names.map((_, n) => `v${n}`);
  const condition = values
    .slice(0, needed)
    .map((value) => `${value} is not null`)
    .join(' or ');
  const sent = ["date_part('epoch', time) * 1000", ...values.map((value) => `${value}::float8`)].map(
    (value, n) => `array_send(array_agg(${value}) filter (where ${condition})) as c${n}`,
  );
  const text = `select ${sent.join(', ')}, count(*)::float8 as count, date_part('epoch', max(time)) * 1000 as last
   from (
     select r.time, ${columns.map((column, n) => `${column} as v${n}`).join(', ')}, (row_number() over (order by r.time) - 1) / ${ROWS} as part
     from telemetry.reading r
     where r.stream_id = $1 and r.time >= $2 and r.time < $3 order by r.time limit ${PAGE}
   ) as page
   group by part order by part`;
  return { text, own };
}

/** Arrays as PostgreSQL sends them, per part of a page: the times, and the values of each signal; null: the part has no such reading. */
type Page = { readonly parts: readonly (readonly (Buffer | null)[])[]; readonly after: Range | undefined };

async function readPage(
  db: Database,
  streamId: number,
  { from, to }: Range,
  { text, own }: Statement,
): Promise<Page> {
  const values = [streamId, new Date(from), new Date(to), ...own];
  const { rows } = await ofStream(db, streamId).query<
    { count: number; last: number } & Record<`c${number}`, Buffer | null>
  >(text, values);
  const count = rows.reduce((sum, part) => sum + part.count, 0);
  const next = Math.round(rows.at(-1)?.last ?? to) + 1;
  // The columns have the order of the statement.
  const parts = rows.map(({ count: _, last: __, ...columns }): readonly (Buffer | null)[] =>
    Object.values(columns),
  );
  return { parts, after: count === PAGE && next < to ? { from: next, to } : undefined };
}

function valuesIn(columns: readonly (Buffer | null)[]): Values[] {
  // The arrays are absent if the part has no such reading.
  const [times = new Float64Array(), ...sent] = columns.map(sentDoubles);
  return Array.from(
    times,
    (time, n): Values => [
      Math.round(time),
      ...sent.map((values) => {
        const value = values[n] as number;
        return Number.isNaN(value) ? null : value;
      }),
    ],
  );
}
