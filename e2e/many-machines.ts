import type { E2ePortal } from './fixtures.ts';

/**
 * Adds machines `serial-1` to `serial-count` for the owner of `serial` with one statement, because separate
 * statements would take too long.
 * @param alias SQL expression of the number n, 1 to count; the values of `signals`, which all machines report
 * now, are also SQL expressions of n
 */
export async function addMachines(
  portal: E2ePortal,
  serial: string,
  count: number,
  alias: string,
  signals: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { pool } = await portal.database();
  const reported = Object.entries(signals).map(
    ([name, value]) => `'${name}', jsonb_build_array(${value}, ms)`,
  );
  await pool.query(
    `with owner as (
       select o.organization_id from ownership o join stream s on s.id = o.stream_id where s.serial = $1
     ), made as (
       insert into stream (kind, serial, alias) select 'machine', $1::text || '-' || n, ${alias} from generate_series(1, $2::int) n
       returning id, substring(serial from '[0-9]+$')::int as n
     ), m as (
       insert into machine (stream_id, brand, model, batteries) select id, 'Volta', 'EX-1', '[{"capacity": 100}]' from made
     ), o as (
       insert into ownership (stream_id, organization_id) select made.id, owner.organization_id from made, owner
     )
     insert into latest (stream_id, time, heard_at, signals) select id, now(), now(), jsonb_build_object(${reported})
     from made, (select extract(epoch from now())::bigint * 1000 as ms) as now`,
    [serial, count],
  );
}
