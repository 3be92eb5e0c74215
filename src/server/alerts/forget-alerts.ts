import type { Database } from '#server/platform/database.ts';

/** Alerts that were over so long ago are kept no longer, nor are messages and mutes that have ended. */
export async function forgetAlerts(db: Database): Promise<void> {
  await db.query(`delete from alert where greatest(until, withdrawn_at) < now() - interval '400 days'`);
  await db.query(`delete from alert_message where made_at < now() - interval '400 days'`);
  await db.query('delete from alert_mute where until < now()');
}
