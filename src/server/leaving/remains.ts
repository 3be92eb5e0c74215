import type { Database } from '#server/platform/database.ts';
import { readStreamColumns } from '#server/telemetry/readings/read-columns.ts';
import { unknownKeysOfLoggersSql } from '#server/writers/unknown-keys.store.ts';

/** A time in which a stream belonged to an organization, half-open, as PostgreSQL writes it. */
export type OwnershipPeriod = { readonly streamId: number; readonly from: string; readonly to: string };

/** Ids and names of a deleted organization, by which remaining rows are recognized. */
export type DeletedOrganizationIds = {
  readonly organizationId: number;
  /** Streams that were deleted completely. */
  readonly streamIds: readonly number[];
  readonly accountIds: readonly number[];
  /** Erased periods of streams that are not deleted, because another organization has or had them. */
  readonly times: readonly OwnershipPeriod[];
  readonly loggerSerials: readonly string[];
  /** E-mail addresses in lower case. */
  readonly emails: readonly string[];
};
/** The number of remaining rows of one table. */
export type RemainingRows = { readonly table: string; readonly rows: number };

/** A column with the id of an organization, a stream or an account. */
type Column = { readonly schema: string; readonly table: string; readonly column: string; readonly of: Of };
type Of = 'organization' | 'stream' | 'account';

/**
 * Counts the remaining rows of an organization in every table: rows that name it, one of its streams or one of its accounts, uploads of its
 * loggers, mails to its people, and rows of the erased times of other organizations' streams.
 */
export async function countRemainingRows(
  db: Database,
  traces: DeletedOrganizationIds,
): Promise<RemainingRows[]> {
  const found = new Map<string, number>();
  const add = (table: string, rows: number): void => {
    if (rows > 0) found.set(table, (found.get(table) ?? 0) + rows);
  };
  const columns = await columnsOf(db);
  const ids: Readonly<Record<Of, readonly number[]>> = {
    organization: [traces.organizationId],
    stream: traces.streamIds,
    account: traces.accountIds,
  };
  for (const [place, own] of Map.groupBy(columns, ({ schema, table }) => `"${schema}"."${table}"`)) {
    const conditions = own.map(({ column, of }) => `"${column}" = any ($${ORDER.indexOf(of) + 1})`);
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from ${place}
       where ($1::integer[], $2::integer[], $3::integer[]) is not null and (${conditions.join(' or ')})`,
      ORDER.map((of) => ids[of]),
    );
    add(own[0]?.table ?? place, rows[0]?.n ?? 0);
  }
  add('reading', await countReadings(db, traces.times));
  for (const { schema, table, time } of traces.times.length > 0 ? await timesOf(db) : []) {
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from "${schema}"."${table}" r
       where exists (select from ${TIMES} where r.stream_id = o.stream_id and r."${time}" >= o.from_time
         and ${time === 'bucket' ? BUCKET_ENDS : `r."${time}" < o.to_time`})`,
      timesArguments(traces.times),
    );
    add(table, rows[0]?.n ?? 0);
  }
  for (const [table, time] of UPLOADED) {
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from ${table} r where r.logger_serial = any ($4) and (
         not exists (select from writer w where w.logger_serial = r.logger_serial and r.${time} >= w.created_at and r.${time} <= w.valid_to)
         or exists (select from writer w join ${TIMES} on o.stream_id = w.stream_id where w.logger_serial = r.logger_serial
           and r.${time} >= greatest(w.valid_from, o.from_time) and r.${time} < least(w.valid_to, o.to_time)))`,
      [...timesArguments(traces.times), traces.loggerSerials],
    );
    add(table, rows[0]?.n ?? 0);
  }
  const { rows: mails } = await db.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where name = 'mail' and lower(data ->> 'to') = any ($1)`,
    [traces.emails],
  );
  add(MAILS, mails[0]?.n ?? 0);
  const { rows: keys } = await db.query<{ n: number }>(
    `select count(*)::int as n from ${unknownKeysOfLoggersSql('$1')}`,
    [traces.loggerSerials],
  );
  add('unknown_key', keys[0]?.n ?? 0);
  return [...found].map(([table, rows]) => ({ table, rows }));
}

async function countReadings(db: Database, times: readonly OwnershipPeriod[]): Promise<number> {
  const ranges = times.map(({ streamId, from, to }) => ({ streamId, from: msOf(from), to: msOf(to) }));
  const found = await readStreamColumns(db, ranges, []);
  return found.reduce((sum, { times }) => sum + times.length, 0);
}

/** Returns a PostgreSQL time in ms. */
const msOf = (time: string): number =>
  time === 'infinity' ? Infinity : time === '-infinity' ? -Infinity : Date.parse(time);

/**
 * SQL condition: the bucket ends in the erased time. Leaves out the bucket in which the next owner's time begins, because it may have
 * readings of that owner.
 */
const BUCKET_ENDS = `r.bucket + interval '5 minutes' <= o.to_time`;
const ORDER: readonly Of[] = ['organization', 'stream', 'account'];
const MAILS = 'pgboss.job';
/** Tables of loggers' uploads, and their column of the time of receipt. */
const UPLOADED = [
  ['object', 'modified_at'],
  ['quarantine', 'received_at'],
] as const;

const TIMES =
  'unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) as o (stream_id, from_time, to_time)';
const timesArguments = (times: readonly OwnershipPeriod[]): unknown[] => [
  times.map(({ streamId }) => streamId),
  times.map(({ from }) => from),
  times.map(({ to }) => to),
];

/**
 * Returns the integer columns of all tables; a partition belongs to its table. The organization, account and stream tables have their own
 * `id`.
 */
async function columnsOf(db: Database): Promise<Column[]> {
  const { rows } = await db.query<Column>(
    `select n.nspname as schema, c.relname as "table", a.attname as "column", coalesce(
         (select f.confrelid::regclass::text from pg_constraint f
          where f.contype = 'f' and f.conrelid = c.oid and f.conkey = array[a.attnum]
            and f.confrelid::regclass::text in ('organization', 'stream', 'account') limit 1),
         substring(a.attname from '(organization|stream|account)_id$'),
         case when a.attname = 'actor_id' then 'account' when a.attname = 'id' then c.relname end) as of
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'integer'::regtype
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'pgboss')
     order by 1, 2, 3`,
  );
  return rows.filter(({ of }) => ORDER.includes(of));
}

/** Names of the column with the time of a row. */
const TIME_COLUMNS = ['time', 'bucket', 'from_time', 'at'];
/**
 * Tables without history of the stream: they record the portal's progress, or erased running hours, which the hour meter keeps
 * (decision 60).
 */
const NO_HISTORY = ['latest', 'day_cursor', 'alert_cursor', 'changed_history', 'redecoding', 'erased_hours'];
/** Tables of readings, which are read by another module. */
const READINGS = ['reading', 'reading_file'];

type Timed = { readonly schema: string; readonly table: string; readonly time: string };

/** Returns the tables of streams whose rows have a time. */
async function timesOf(db: Database): Promise<Timed[]> {
  const { rows } = await db.query<Timed>(
    `select n.nspname as schema, c.relname as "table", a.attname as "time"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute s on s.attrelid = c.oid and s.attname = 'stream_id' and not s.attisdropped
     join pg_attribute a on a.attrelid = c.oid and a.attname = any ($1) and not a.attisdropped and a.atttypid = 'timestamptz'::regtype
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'pgboss')
       and c.relname <> all ($2) and not exists (
         select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped)
     order by 1, 2, 3`,
    [TIME_COLUMNS, [...NO_HISTORY, ...READINGS]],
  );
  return rows;
}

const plural = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

/**
 * Returns the remains in Dutch, one sentence each.
 * @param logDays days for which the audit log is kept
 */
export function remainingRowsText(found: readonly RemainingRows[], logDays: number): string[] {
  return [
    ...found.map(({ table, rows }) => {
      if (table === 'audit')
        return `logboek: ${plural(rows, 'regel', 'regels')}, elk tot het ${logDays} dagen oud is`;
      if (table === MAILS) return `${plural(rows, 'mail', 'mails')} die net werd verzonden`;
      return `tabel ${table}: ${plural(rows, 'rij', 'rijen')}`;
    }),
    'back-ups van voor vandaag: tot die worden weggegooid',
  ];
}
