import type { Database } from '#server/platform/database.ts';
import type { MachineSale } from '#shared/contract/machine-sale.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';

/** Counts of the seller's items that a sale ends or hides. */
type SaleEffects = Pick<
  MachineSale,
  'labels' | 'favourites' | 'subscribers' | 'projects' | 'rules' | 'maintenancePlans'
>;

/** Counts what a sale of a stream by `organizationId` at `at` ends. */
export async function countSaleEffects(
  db: Database,
  streamId: number,
  organizationId: number,
  at: Date,
): Promise<SaleEffects> {
  const { rows } = await db.query<SaleEffects>(
    `select
       (select count(*)::int from machine_label where stream_id = $1) as labels,
       (select count(*)::int from favourite f join account a on a.id = f.account_id
        join organization o on o.id = a.organization_id where f.stream_id = $1 and o.name <> $4) as favourites,
       (select count(distinct r.account_id)::int from alert_rule r join account a on a.id = r.account_id
        where r.kind = 'charging' and r.ids[1] = $1 and a.organization_id = $2) as subscribers,
       (select coalesce(json_agg(distinct p.name), '[]') from assignment a join project p on p.id = a.project_id
        where a.stream_id = $1 and p.organization_id = $2 and p.deleted_at is null and a.valid_to > $3) as projects,
       (select count(*)::int from alert_rule where organization_id = $2 and kind <> 'charging' and machines = 'chosen'
        and $1 = any (ids)) as rules,
       (select count(*)::int from maintenance_plan where stream_id = $1 and organization_id = $2) as maintenance_plans`,
    [streamId, organizationId, at, ADMIN_ORGANIZATION],
  );
  return rows[0] as SaleEffects;
}
