import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isSocSignal, knownSignal } from '#shared/domain/signal.ts';

/** Readings per question: some hundreds of kilobytes, and no statement takes long. */
const PAGE = 4_000;
/** Of each row of the answer, and made at once: what lives long makes the heap grow, and the driver copies a long row as it comes in. */
const ROWS = 500;

/** ms since 1970, and of each signal what the reading has of it. */
export type Values = [time: number, ...(number | null)[]];

/**
 * The values of signals of stored readings, in order of time, a page at a time; while one is in use the next is read.
 * @param names of the catalogue, or own ones
 * @param needed of these, the first ones, a reading must have any
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
    page?.catch(() => {}); // whoever awaits it is told; when nobody reads on, nobody is
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
    // A state of charge and a charging flag stand in `rest` where the reading had more than one of them.
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

/** Of each part of it times, and of each signal its values, as PostgreSQL sends arrays; null: the part has no such reading. */
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
  // In the order of the statement.
  const parts = rows.map(({ count: _, last: __, ...columns }): readonly (Buffer | null)[] =>
    Object.values(columns),
  );
  return { parts, after: count === PAGE && next < to ? { from: next, to } : undefined };
}

function valuesIn(columns: readonly (Buffer | null)[]): Values[] {
  // Of none: the part has no such reading.
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
