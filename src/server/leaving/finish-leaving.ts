import { changePeople } from '#server/organizations/change-people.ts';
import { lockOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { graceStart } from '#server/streams/purge.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { type Grace, retire } from './begin-leaving.ts';
import { erasePeriods, noteErasure } from './former-periods.ts';
import { dueLeaving, type Leaving, lockLeaving, ownedStreams } from './leaving.store.ts';
import { findRemains, remainsInWords } from './remains.ts';

/** Time for it in each minute, so that the other tasks have theirs. */
const BUDGET_MS = 5_000;
const ACTOR = 'leaving';

/**
 * Removes organizations whose grace is over, and erases the periods of former owners that were asked for. Each step is a transaction
 * and can be repeated; what is left is done by the next call. Machines themselves are removed by purge.ts.
 * @param logDays how long rows of the log are kept
 */
export async function removeLeaving(pool: Pool, grace: Grace, logDays: number): Promise<void> {
  const until = performance.now() + BUDGET_MS;
  const due = await dueLeaving(pool, grace.now);
  for (const one of due) await beginRemoval(pool, one, grace);
  if (!(await erasePeriods(pool, grace.now.getTime(), until))) return;
  for (const one of due) await finish(pool, one, logDays);
}

/** From here on there is no way back. */
const beginRemoval = (pool: Pool, { organizationId }: Leaving, { now, graceDays }: Grace): Promise<void> =>
  inTransaction(pool, async (client) => {
    if (!(await lockLeaving(client, organizationId))) return;
    await client.query(
      'update leaving set removing_since = coalesce(removing_since, $2) where organization_id = $1',
      [organizationId, now],
    );
    const owned = await ownedStreams(client, organizationId);
    // A machine that an administrator restored meanwhile is deleted again.
    for (const stream of owned)
      if (stream.isPresent && !stream.isDeleted && !stream.isShared)
        await retire(client, ACTOR, organizationId, stream, now);
    await client.query(
      `update stream s set deleted_at = least(s.deleted_at, $2) from ownership w
       where w.stream_id = s.id and w.organization_id = $1 and w.valid_to = 'infinity' and s.deleted_at is not null and s.purged_at is null`,
      [organizationId, graceStart(now, graceDays)],
    );
    const { rows } = await client.query<{ id: number }>(
      `select w.id from stream s join ownership w on w.stream_id = s.id
       where w.organization_id = $1 and s.deleted_at is null order by w.id`,
      [organizationId],
    );
    await noteErasure(
      client,
      rows.map(({ id }) => id),
    );
  });

/** Removes the organization itself with its people and settings, once none of its machines and periods is left. */
const finish = (pool: Pool, { organizationId, name, streamIds }: Leaving, logDays: number): Promise<void> =>
  changePeople(pool, { organization: name }, async (client) => {
    const organization = await lockOrganization(client, name);
    if (!organization || !(await lockLeaving(client, organizationId))) return;
    // First in line for the counter that every change of an ownership counts up.
    await client.query(`select from change_counter where name = 'directory' for update`);
    // The rest of the machine stays, with an empty time in between.
    await client.query(
      `update ownership w set organization_id = (select id from organization where name = $2)
       from erased_period e where e.ownership_id = w.id and e.erased_at is not null and w.organization_id = $1`,
      [organizationId, ADMIN_ORGANIZATION],
    );
    const { rowCount } = await client.query('select from ownership where organization_id = $1', [
      organizationId,
    ]);
    if (rowCount) return;
    const { rows: people } = await client.query<{ id: number; email: string }>(
      'select id, lower(email) as email from account where organization_id = $1',
      [organizationId],
    );
    await client.query(
      `delete from pgboss.job where name = 'mail' and state in ('created', 'retry', 'failed') and lower(data ->> 'to') = any ($1)`,
      [people.map(({ email }) => email)],
    );
    await client.query('delete from account where organization_id = $1', [organizationId]);
    await client.query('delete from project where organization_id = $1', [organizationId]);
    await client.query('delete from organization where id = $1', [organizationId]);
    const traces = { organizationId, streamIds, accountIds: people.map(({ id }) => id) };
    const { clean, isBerende } = organization;
    await audit(client, {
      actor: ACTOR,
      action: 'organization.delete',
      subject: name,
      organizationId: null,
      data: { clean, isBerende, remains: remainsInWords(await findRemains(client, traces), logDays) },
    });
  });
