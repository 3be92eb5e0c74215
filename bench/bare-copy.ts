import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type StreamReading, toRow } from '#server/telemetry/readings/signal-columns.ts';
import { packLevelsIn } from '#shared/domain/packs.ts';
import { SIGNALS } from '#shared/domain/signal.ts';

/** The reference table: the columns, the primary key and the kind of partitions of `reading`, and nothing else. */
const TABLE = `
  create table bare_reading (like reading, primary key (stream_id, time)) partition by range (time);
  create table bare_reading_default partition of bare_reading default`;
const STAGE = 'create temporary table stage (like reading) on commit delete rows';

/** Creates `bare_reading`, the table for the reference measurement, with the same weekly partitions as `reading`. */
export async function createBareReadingTable(client: pg.ClientBase): Promise<void> {
  await client.query(TABLE);
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i
     join pg_class c on c.oid = i.inhrelid where i.inhparent = 'reading'::regclass and c.relname like 'reading!_2%' escape '!'`,
  );
  for (const { name, bounds } of rows) {
    await client.query(`create table bare_${name} partition of bare_reading ${bounds}`);
  }
  await client.query(STAGE);
}

/** Stores readings in `bare_reading` only (no roll-up, no `latest`): COPY into a temporary table, INSERT … ON CONFLICT, commit. */
export async function copyIntoBareReadingTable(
  client: pg.ClientBase,
  readings: readonly StreamReading[],
): Promise<void> {
  await client.query('begin');
  await pipeline(
    Readable.from([textOf(readings)]),
    client.query(copyFrom(`copy stage (${COLUMNS}) from stdin`)),
  );
  await client.query({
    name: 'bare insert',
    text: 'insert into bare_reading select * from stage on conflict (stream_id, time) do nothing',
  });
  await client.query('commit');
}

const COLUMNS = ['stream_id', 'time', ...SIGNALS.map(({ column }) => column), 'rest'].join(', ');

/** Returns readings in COPY's text format. A backslash in `rest` would have to be doubled; our signal names have none. */
function textOf(readings: readonly StreamReading[]): string {
  let text = '';
  for (const { streamId, time, signals } of readings) {
    const { columns, rest } = toRow(signals, packLevelsIn(signals, {}, time));
    text += `${streamId}\t${new Date(time).toISOString()}`;
    for (let column = 0; column < columns.length; column++) text += `\t${columns[column] ?? '\\N'}`;
    text += `\t${rest ? JSON.stringify(rest) : '\\N'}\n`;
  }
  return text;
}
