import type { Database } from '#server/platform/database.ts';

/** Ids of what an organization was, by which rows of other tables may still name it. */
export type Traces = {
  readonly organizationId: number;
  readonly streamIds: readonly number[];
  readonly accountIds: readonly number[];
};
/** Rows of one table that name it. */
export type Remains = { readonly table: string; readonly rows: number };

/** A column that has the id of an organization, a stream or an account, and how many dimensions it has. */
type Column = { readonly schema: string; readonly table: string; readonly column: string; readonly of: Of };
type Of = 'organization' | 'stream' | 'account';

/**
 * Counts the rows of every table that name an organization, one of its streams or one of its accounts. The tables and columns come from
 * the catalogue (a foreign key, or a name that ends as such a column's does), so that a new table is counted too.
 */
export async function findRemains(db: Database, traces: Traces): Promise<Remains[]> {
  const columns = await columnsOf(db);
  const ids: Readonly<Record<Of, readonly number[]>> = {
    organization: [traces.organizationId],
    stream: traces.streamIds,
    account: traces.accountIds,
  };
  const found: Remains[] = [];
  for (const [place, own] of Map.groupBy(columns, ({ schema, table }) => `"${schema}"."${table}"`)) {
    const conditions = own.map(({ column, of }) => `"${column}" = any ($${ORDER.indexOf(of) + 1})`);
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from ${place}
       where ($1::integer[], $2::integer[], $3::integer[]) is not null and (${conditions.join(' or ')})`,
      ORDER.map((of) => ids[of]),
    );
    const n = rows[0]?.n ?? 0;
    if (n > 0) found.push({ table: own[0]?.table ?? place, rows: n });
  }
  return found;
}

const ORDER: readonly Of[] = ['organization', 'stream', 'account'];

/** Integer columns of all tables (a partition is its table's). The organization, account and stream tables have their own `id`. */
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

const plural = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

/** Returns what is left in Dutch, one sentence each. @param logDays how long a row of the log is kept */
export function remainsInWords(found: readonly Remains[], logDays: number): string[] {
  return [
    ...found.map(({ table, rows }) =>
      table === 'audit'
        ? `logboek: ${plural(rows, 'regel', 'regels')}, elk tot het ${logDays} dagen oud is`
        : `tabel ${table}: ${plural(rows, 'rij', 'rijen')}`,
    ),
    'back-ups van voor vandaag: tot die worden weggegooid',
  ];
}
