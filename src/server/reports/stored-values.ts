import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isSocSignal, knownSignal } from '#shared/domain/signal.ts';

const { reading } = telemetryTables();

/** Readings per question: some hundreds of kilobytes, and no statement takes long. */
const PAGE = 4_000;
/** Rows that are made at once: what lives long makes the heap grow. */
const ROWS = 500;

/** ms since 1970, and of each signal what the reading has of it. */
export type Values = [time: number, ...(number | null)[]];

/**
 * The values of signals of stored readings, in order of time, a page at a time; while one is in use the next is read. A number that
 * becomes text on its way costs more than everything else: a page comes as doubles.
 * @param names of the catalogue, or own ones
 * @param needed so many of them, the first ones, a reading must have; 0: any of them
 */
export async function* storedValues(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  names: readonly string[],
  needed = 0,
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
    yield* valuesIn(page.columns);
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
  const present = (needed > 0 ? values.slice(0, needed) : values).map((value) => `${value} is not null`);
  const condition = present.join(needed > 0 ? ' and ' : ' or ');
  const sent = ["date_part('epoch', time) * 1000", ...values.map((value) => `${value}::float8`)].map(
    (value, n) => `array_send(array_agg(${value}) filter (where ${condition})) as c${n}`,
  );
  const text = `select ${sent.join(', ')}, count(*)::float8 as count, date_part('epoch', max(time)) * 1000 as last
   from (
     select r.time, ${columns.map((column, n) => `${column} as v${n}`).join(', ')} from ${reading} r
     where r.stream_id = $1 and r.time >= $2 and r.time < $3 order by r.time limit ${PAGE}
   ) as page`;
  return { text, own };
}

/** `columns`: times, and of each signal its values, as PostgreSQL sends arrays; null: the page has no such reading. */
type Page = { readonly columns: readonly (Buffer | null)[]; readonly after: Range | undefined };

async function readPage(
  db: Database,
  streamId: number,
  { from, to }: Range,
  { text, own }: Statement,
): Promise<Page> {
  const values = [streamId, new Date(from), new Date(to), ...own];
  const { rows } = await db.query<{ count: number; last: number } & Record<`c${number}`, Buffer | null>>(
    text,
    values,
  );
  const { count = 0, last = to, ...found } = rows[0] ?? {};
  // In the order of the statement.
  const columns: readonly (Buffer | null)[] = Object.values(found);
  const next = Math.round(last) + 1;
  return { columns, after: count === PAGE && next < to ? { from: next, to } : undefined };
}

/** Dimensions, whether there are nulls, type; of the one dimension length and lower bound (array_send in PostgreSQL's arrayfuncs.c). */
const HEAD_BYTES = 20;
const LENGTH_AT = 12;

function* valuesIn(columns: readonly (Buffer | null)[]): Generator<Values[], void> {
  const views = columns.flatMap((bytes) =>
    bytes ? [new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)] : [],
  );
  const count = views[0]?.getInt32(LENGTH_AT) ?? 0;
  const at = views.map(() => HEAD_BYTES);
  for (let from = 0; from < count; from += ROWS) {
    const rows: Values[] = [];
    for (let row = from; row < Math.min(count, from + ROWS); row += 1) {
      const values: (number | null)[] = [];
      for (let n = 0; n < views.length; n += 1) {
        const view = views[n] as DataView;
        const place = at[n] as number;
        // Its length, -1 for null, and then the value.
        const isNull = view.getInt32(place) < 0;
        values.push(isNull ? null : view.getFloat64(place + 4));
        at[n] = place + (isNull ? 4 : 12);
      }
      values[0] = Math.round(values[0] as number);
      rows.push(values as Values);
    }
    yield rows;
  }
}
