import type { Database } from '#server/platform/database.ts';
import { ALERT_KIND_NAMES, showsPresentPosition } from '#shared/domain/alerts/kinds.ts';
import { MOVEMENT_KINDS } from '#shared/domain/alerts/movement.ts';

/** Deletes alerts that resolved 400 days ago, messages of that age, and mutes that have ended. */
export async function expireAlerts(db: Database): Promise<void> {
  await db.query(`delete from alert where greatest(until, withdrawn_at) < now() - interval '400 days'`);
  await db.query(`delete from alert_message where made_at < now() - interval '400 days'`);
  await db.query('delete from alert_mute where until < now()');
}

/**
 * Deletes the movement alerts that are older than the days for which the organization keeps positions, with their pending webhook
 * deliveries. An open alert stays without its distance, and is deleted after it resolves. Safe to repeat.
 */
export async function expireMovements(db: Database): Promise<void> {
  await db.query(
    `with old as (
       select x.id, x.until is null and x.withdrawn_at is null as is_open from alert x
         join organization o on o.id = x.organization_id and o.privacy ->> 'positionDays' is not null
       where x.kind = any ($1) and x.since < now() - make_interval(days => (o.privacy ->> 'positionDays')::integer)
     ), emptied as (
       update alert x set words = '', data = '{}', value = null from old
       where x.id = old.id and old.is_open and x.kind = any ($2) and x.data is distinct from '{}'
     ), messages as (
       delete from webhook_delivery d using old, unnest(array['opened', 'closed', 'withdrawn']) as step
       where d.event_id = 'alert-' || old.id || '-' || step
     )
     delete from alert x using old where x.id = old.id and not old.is_open`,
    [MOVEMENT_KINDS, ALERT_KIND_NAMES.filter(showsPresentPosition)],
  );
}
