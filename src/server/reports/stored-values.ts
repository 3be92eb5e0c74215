import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { isSocSignal, knownSignal } from '#shared/domain/signal.ts';

const { reading } = telemetryTables();

/** Readings per question: some hundreds of kilobytes, and no statement takes long. */
const PAGE = 10_000;

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
    if (page.bytes) yield valuesIn(page.bytes, names.length);
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
  const bytes = values.map((value) => `float8send(coalesce(${value}, 'NaN'))`);
  const text = `select string_agg(float8send(date_part('epoch', time) * 1000) || ${bytes.join(' || ')}, '')
       filter (where ${present.join(needed > 0 ? ' and ' : ' or ')}) as bytes,
     count(*)::float8 as count, date_part('epoch', max(time)) * 1000 as last
   from (
     select r.time, ${columns.map((column, n) => `${column} as v${n}`).join(', ')} from ${reading} r
     where r.stream_id = $1 and r.time >= $2 and r.time < $3 order by r.time limit ${PAGE}
   ) as page`;
  return { text, own };
}

type Page = { readonly bytes: Buffer | null; readonly after: Range | undefined };

async function readPage(
  db: Database,
  streamId: number,
  { from, to }: Range,
  { text, own }: Statement,
): Promise<Page> {
  const values = [streamId, new Date(from), new Date(to), ...own];
  const { rows } = await db.query<{ bytes: Buffer | null; count: number; last: number }>(text, values);
  const { bytes = null, count = 0, last = to } = rows[0] ?? {};
  const next = Math.round(last) + 1;
  return { bytes, after: count === PAGE && next < to ? { from: next, to } : undefined };
}

function valuesIn(bytes: Buffer, count: number): Values[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = (count + 1) * 8;
  const rows: Values[] = [];
  for (let at = 0; at < bytes.byteLength; at += size) {
    const row: Values = [Math.round(view.getFloat64(at))];
    for (let n = 1; n <= count; n += 1) {
      const value = view.getFloat64(at + n * 8);
      row.push(Number.isNaN(value) ? null : value);
    }
    rows.push(row);
  }
  return rows;
}
