import type { Pool } from '#server/platform/database.ts';

/** Returns the tables that contain any of the texts, in any column. */
export async function findTablesContaining(pool: Pool, texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const conditions = texts.flatMap((text) => [
      `t::text like '%${text}%'`,
      // Bytes appear as hexadecimal digits in the text of a row.
      `t::text like '%${Buffer.from(text).toString('hex')}%'`,
    ]);
    const { rowCount } = await pool.query(`select from ${name} t where ${conditions.join(' or ')} limit 1`);
    if (rowCount) found.push(name);
  }
  return found;
}
