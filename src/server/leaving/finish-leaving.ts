import { runPeopleChange } from '#server/organizations/change-people.ts';
import { lockOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { gracePeriodStart } from '#server/streams/purge.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { deleteKeysOfLoggers } from '#server/writers/unknown-keys.store.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { deleteOrReleaseStream, type GracePeriod } from './begin-leaving.ts';
import { erasePeriods, requestErasure } from './former-periods.ts';
import {
  deleteQueuedMails,
  emailsOnlyOfOrganization,
  lockPendingDeletion,
  ownedStreams,
  type PendingOrganizationDeletion,
  readDueDeletions,
} from './leaving.store.ts';
import { countRemainingRows, type OwnershipPeriod, remainingRowsText } from './remains.ts';

/** Maximum time that the removal takes per minute of upkeep, so that other tasks of upkeep run too. */
const BUDGET_MS = 5_000;
const ACTOR = 'leaving';
/** Actor in the audit log if the account of the administrator who chose 'Direct definitief' has been deleted. */
const FINAL_ACTOR = 'final leaving';

/**
 * Removes organizations whose grace period is over, and erases the requested periods of former owners. Each step is a transaction and can
 * be repeated; the next call continues. purge.ts deletes the machines themselves.
 * @param logDays days for which the audit log is kept
 * @throws AggregateError with the errors of organizations and periods, after all others were processed
 */
export async function finishDueDeletions(pool: Pool, grace: GracePeriod, logDays: number): Promise<void> {
  const until = performance.now() + BUDGET_MS;
  const failures: Error[] = [];
  const due = await readDueDeletions(pool, grace.now);
  for (const one of due) await beginRemoval(pool, one, grace).catch((error: Error) => failures.push(error));
  failures.push(...(await erasePeriods(pool, grace.now.getTime(), until)));
  for (const one of due) await finish(pool, one, logDays).catch((error: Error) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

const beginRemoval = (
  pool: Pool,
  { organizationId }: PendingOrganizationDeletion,
  { now, graceDays }: GracePeriod,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    if (!(await lockPendingDeletion(client, organizationId))) return;
    await client.query(
      'update leaving set removing_since = coalesce(removing_since, $2) where organization_id = $1',
      [organizationId, now],
    );
    const owned = await ownedStreams(client, organizationId);
    const present = owned.filter(({ isPresent }) => isPresent);
    // Deletes again a machine that an administrator restored in the meantime.
    for (const stream of present)
      if (!stream.isDeleted) await deleteOrReleaseStream(client, ACTOR, organizationId, stream, now);
    const { rows } = await client.query<{ id: number }>('select id from organization where name = $1', [
      ADMIN_ORGANIZATION,
    ]);
    for (const { id, isShared } of present) {
      if (!isShared) continue;
      await client.query(
        `delete from machine_file f using ownership w where w.stream_id = f.stream_id and w.valid_to = 'infinity'
           and f.stream_id = $1 and f.created_at >= w.valid_from`,
        [id],
      );
      await moveStream(client, id, rows[0]?.id as number, now);
    }
    await client.query(
      'update stream set deleted_at = least(deleted_at, $2) where id = any ($1) and deleted_at is not null and purged_at is null',
      [present.filter(({ isShared }) => !isShared).map(({ id }) => id), gracePeriodStart(now, graceDays)],
    );
    const { rows: shared } = await client.query<{ id: number }>(
      `select id from ownership where organization_id = $1 and stream_id = any ($2) and valid_to < 'infinity' order by id`,
      [organizationId, owned.filter(({ isShared }) => isShared).map(({ id }) => id)],
    );
    await requestErasure(
      client,
      shared.map(({ id }) => id),
    );
  });

/** Deletes the organization itself with its people and settings, once the history of all times in which it owned machines is erased. */
const finish = (
  pool: Pool,
  { organizationId, name, ...leaving }: PendingOrganizationDeletion,
  logDays: number,
): Promise<void> =>
  runPeopleChange(pool, { organization: name }, async (client) => {
    const organization = await lockOrganization(client, name);
    if (!organization || !(await lockPendingDeletion(client, organizationId))) return;
    const { rowCount: unfinished } = await client.query(
      `select from ownership w where w.organization_id = $1
         and not exists (select from erased_period e where e.ownership_id = w.id and e.erased_at is not null)`,
      [organizationId],
    );
    if (unfinished) return;
    const times = await assignToAdministrators(client, organizationId);
    const { rows: accounts } = await client.query<{ id: number }>(
      'select id from account where organization_id = $1',
      [organizationId],
    );
    const emails = await emailsOnlyOfOrganization(client, organizationId);
    await deleteQueuedMails(client, emails, true);
    await deleteKeysOfLoggers(client, leaving.loggerSerials);
    await client.query('delete from account where organization_id = $1', [organizationId]);
    await client.query(
      'delete from assignment a using project p where p.id = a.project_id and p.organization_id = $1',
      [organizationId],
    );
    await client.query('delete from project where organization_id = $1', [organizationId]);
    await client.query('delete from organization where id = $1', [organizationId]);
    const { rows: others } = await client.query<{ id: number }>('select id from stream where id = any ($1)', [
      leaving.ownedIds,
    ]);
    const stay = new Set(others.map(({ id }) => id));
    const found = await countRemainingRows(client, {
      organizationId,
      streamIds: leaving.ownedIds.filter((id) => !stay.has(id)),
      accountIds: accounts.map(({ id }) => id),
      times,
      loggerSerials: leaving.loggerSerials,
      emails,
    });
    const { clean, isBerende } = organization;
    const { isFinal, by } = await readBegin(client, name);
    await audit(client, {
      actor: isFinal ? (by ?? FINAL_ACTOR) : ACTOR,
      action: 'organization.delete',
      subject: name,
      organizationId: null,
      data: { clean, isBerende, ...(isFinal && { isFinal }), remains: remainingRowsText(found, logDays) },
    });
  });

/** Reads from the audit log whether an administrator began the deletion by 'Direct definitief', and that administrator's e-mail address. */
async function readBegin(
  client: Transaction,
  name: string,
): Promise<{ readonly isFinal: boolean; readonly by: string | null }> {
  const { rows } = await client.query<{ isFinal: boolean; by: string | null }>(
    `select coalesce((x.data ->> 'isFinal')::boolean, false) as is_final, a.email as by
     from audit x left join account a on a.id = x.actor_id
     where x.action = 'organization.leave' and x.subject = $1 order by x.id desc limit 1`,
    [name],
  );
  return rows[0] ?? { isFinal: false, by: null };
}

/**
 * Makes the administrators' organization the owner in the erased times of machines that now have another owner, because an ownership needs
 * an organization.
 */
async function assignToAdministrators(
  client: Transaction,
  organizationId: number,
): Promise<OwnershipPeriod[]> {
  // Locks the counter first; every change of an ownership increments this counter.
  await client.query(`select from change_counter where name = 'directory' for update`);
  const { rows } = await client.query<OwnershipPeriod>(
    `update ownership set organization_id = (select id from organization where name = $2)
     where organization_id = $1 returning stream_id, valid_from::text as "from", valid_to::text as "to"`,
    [organizationId, ADMIN_ORGANIZATION],
  );
  return rows;
}
