import type { Caller } from '#server/auth/sessions.ts';
import { runPeopleChange } from '#server/organizations/change-people.ts';
import { audit } from '#server/platform/audit.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { rebindLogger } from '#server/writers/rebind-logger.ts';
import { restoreDeletedInTransaction } from '#server/writers/restore-stream.ts';
import { type GracePeriod, lockCustomer } from './begin-leaving.ts';
import {
  lockPendingDeletion,
  type OwnedStream,
  ownedStreams,
  type PendingOrganizationDeletion,
} from './leaving.store.ts';

/**
 * Undoes the deletion of an organization: it is as active as before, and its machines and loggers report again with their keys. A machine
 * whose number was taken in the meantime stays deleted. A machine whose logger was taken is restored without a logger.
 * @returns in Dutch what could not be restored; '' if everything was
 * @throws ProblemError 404; 409 if there is no deletion, or its removal has begun
 */
export const undoOrganizationDeletion = (
  pool: Pool,
  { email: actor }: Caller,
  name: string,
  grace: GracePeriod,
): Promise<string> =>
  runPeopleChange(pool, { organization: name }, async (client) => {
    const { _id } = await lockCustomer(client, name);
    const organizationId = Number(_id);
    const leaving = await lockPendingDeletion(client, organizationId);
    if (!leaving) throw new ProblemError('conflict', 'Deze organisatie wordt niet verwijderd.');
    if (leaving.removingSince || leaving.removeFrom <= grace.now)
      throw new ProblemError('conflict', 'De gegevens worden al verwijderd: dat is niet terug te nemen.');
    await client.query('delete from leaving where organization_id = $1', [organizationId]);
    const findings: string[] = [];
    for (const stream of await ownedStreams(client, organizationId)) {
      if (!leaving.streamIds.includes(stream.id) || !stream.isPresent) continue;
      const finding = await restore(client, actor, leaving, stream, grace);
      if (finding !== undefined) findings.push(finding);
    }
    await client.query('update organization set is_active = $2 where id = $1', [
      organizationId,
      leaving.wasActive,
    ]);
    await audit(client, {
      actor,
      action: 'organization.leave-undo',
      subject: name,
      organizationId,
      data: {},
    });
    return findings.join(' ');
  });

/**
 * Restores a stream.
 * @returns why it could not be restored
 */
async function restore(
  client: Transaction,
  actor: string,
  { startedAt }: PendingOrganizationDeletion,
  { id: streamId, kind, serial, isDeleted }: OwnedStream,
  { now, graceDays }: GracePeriod,
): Promise<string | undefined> {
  if (!isDeleted) {
    const rebound = await rebindLogger(client, { streamId, serial, deletedAt: startedAt, actor }, now);
    return rebound?.takenBy === undefined
      ? undefined
      : `Logger ${rebound.loggerSerial} hoort intussen bij ${rebound.takenBy}.`;
  }
  try {
    await restoreDeletedInTransaction(client, { kind, streamId, actor, now, graceDays });
    return undefined;
  } catch (error) {
    // restoreDeletedInTransaction() rejects before it changes anything, so the transaction continues without this stream.
    if (error instanceof ProblemError) return `${serial} is niet teruggezet: ${error.message}`;
    throw error;
  }
}
