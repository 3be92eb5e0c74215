import type { Caller } from '#server/auth/sessions.ts';
import { runPeopleChange } from '#server/organizations/change-people.ts';
import { lockOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { deleteStream } from '#server/streams/streams.store.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import {
  deleteQueuedMails,
  emailsOnlyOfOrganization,
  lockPendingDeletion,
  ownedStreams,
} from './leaving.store.ts';

const DAY_MS = 86_400_000;

export type OrganizationDeletionRequest = {
  readonly name: string;
  readonly confirm: string;
  readonly isFinal: boolean;
};
/** The present time, and how many days deleted data is kept (DELETED_DAYS). */
export type GracePeriod = { readonly now: Date; readonly graceDays: number };

export const deletionTimeAfterGrace = ({ now, graceDays }: GracePeriod): Date =>
  new Date(now.getTime() + graceDays * DAY_MS);

/**
 * Locks an organization, to begin or undo its deletion.
 * @throws ProblemError 404; 409 for `admin`
 */
export async function lockCustomer(client: Transaction, name: string): Promise<Organization> {
  const organization = await lockOrganization(client, name);
  if (!organization) throw notFound('Deze organisatie bestaat niet.');
  if (name === ADMIN_ORGANIZATION)
    throw new ProblemError('conflict', 'De organisatie van de beheerders kan niet worden verwijderd.');
  return organization;
}

/**
 * Begins the deletion of an organization, in one transaction. The organization is disabled, which ends its people's sessions, mails
 * and messages; its machines are deleted, and its loggers' keys are rejected. A machine that another organization had before is not
 * deleted but loses its logger. Upkeep completes the deletion (finish-leaving.ts).
 * @throws ProblemError 404; 400 if another name was typed; 409 for `admin`, and if the deletion has begun already
 */
export const beginOrganizationDeletion = (
  pool: Pool,
  { email: actor }: Caller,
  { name, confirm, isFinal }: OrganizationDeletionRequest,
  grace: GracePeriod,
): Promise<Date> =>
  runPeopleChange(pool, { organization: name }, async (client) => {
    const organization = await lockCustomer(client, name);
    const organizationId = Number(organization._id);
    if (confirm.trim() !== organization.clean) {
      const message = `Typ de naam precies zo: ${organization.clean}.`;
      throw new ProblemError('invalid', message, [{ field: 'confirm', message }]);
    }
    if (await lockPendingDeletion(client, organizationId))
      throw new ProblemError('conflict', 'Deze organisatie wordt al verwijderd.');
    const removeFrom = isFinal ? grace.now : deletionTimeAfterGrace(grace);
    await client.query('update organization set is_active = false where id = $1', [organizationId]);
    await deleteQueuedMails(client, await emailsOnlyOfOrganization(client, organizationId), false);
    const all = await ownedStreams(client, organizationId);
    const owned = all.filter((one) => one.isPresent && !one.isDeleted);
    for (const stream of owned) await deleteOrReleaseStream(client, actor, organizationId, stream, grace.now);
    await client.query(
      `insert into leaving (organization_id, started_at, remove_from, was_active, stream_ids, owned_ids, logger_serials)
       select $1, $2, $3, $4, $5, $6, array(select distinct logger_serial from writer where stream_id = any ($6))`,
      [
        organizationId,
        grace.now,
        removeFrom,
        organization.isActive,
        owned.map(({ id }) => id),
        all.map(({ id }) => id),
      ],
    );
    await audit(client, {
      actor,
      action: 'organization.leave',
      subject: name,
      organizationId,
      data: { machines: owned.length, removeFrom: removeFrom.toISOString(), isFinal },
    });
    return removeFrom;
  });

type Retired = Awaited<ReturnType<typeof ownedStreams>>[number];

/** Deletes a stream that belonged to no other organization, otherwise only releases its logger. */
export async function deleteOrReleaseStream(
  client: Transaction,
  actor: string,
  organizationId: number,
  { id: streamId, kind, serial: subject, alias, isShared }: Retired,
  at: Date,
): Promise<void> {
  const { rowCount } = await client.query(
    `select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
     where s.id = $1 and s.deleted_at is null and w.organization_id = $2 for no key update of s`,
    [streamId, organizationId],
  );
  if (!rowCount) return;
  if (!isShared) await deleteStream(client, streamId, at);
  const hadLogger = await releaseWriter(client, streamId, at);
  if (isShared && !hadLogger) return;
  const action = isShared ? 'writer.release' : kind === 'machine' ? 'machine.delete' : 'lmb-logger.delete';
  await audit(client, { actor, action, subject, streamId, organizationId, data: { alias } });
}
