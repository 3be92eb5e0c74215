import type { AdminTestPortal } from '#server/machines/test/administration.ts';

/** Tables that change even without a permitted change: because the portal is used, or by the portal's background jobs. */
const BY_ITSELF = new Set(
  'session sign_in_step rate_limit refusal known_device password_reset health change_counter writer_health logger_event unknown_key redecoding redecoded changed_history day_cursor day_figures presence terrein_presence charging_session charge_forecast'.split(
    ' ',
  ),
);

/**
 * Columns that change even without a permitted change, in tables that otherwise may not change: the tokens of an invitation are generated
 * when it is mailed.
 */
const COLUMN_BY_ITSELF: Readonly<Record<string, string>> = { invitation: 'token_hashes' };

/**
 * Returns a checksum of everything stored.
 * @param except the name of a table that may change
 */
export async function computeDatabaseChecksum(
  { portal: { pool } }: AdminTestPortal,
  except = '',
): Promise<string> {
  const tables = (await tableNames(pool)).filter((name) => name !== except && !BY_ITSELF.has(name));
  const each = tables.map((name) => {
    const row = COLUMN_BY_ITSELF[name] ? `(to_jsonb(t) - '${COLUMN_BY_ITSELF[name]}')::text` : 't::text';
    return `select '${name}' as name, md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as sum from ${name} t
      ${name === 'audit' ? "where kind <> 'refusal'" : ''}`;
  });
  const { rows } = await pool.query(`${each.join(' union all ')} order by name`);
  return JSON.stringify(rows);
}

/** Returns the names of the tables, without partitions. */
export async function tableNames(pool: AdminTestPortal['portal']['pool']): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}
