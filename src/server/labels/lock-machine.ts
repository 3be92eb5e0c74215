import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import { findHistory, unknownStreamError } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';

/** Locks a machine inside the scope, so that its owner does not change until the transaction ends. @throws ProblemError 404 */
export async function lockMachine(client: Transaction, scope: Scope, serial: string): Promise<StreamRow> {
  // Checks the scope first, so that no caller waits for a machine of another organization.
  await findHistory(client, scope, serial, ['machine']);
  const machine = await lockStream(client, serial, 'machine');
  const organizations = organizationsOfLimitedScope(scope);
  if (organizations !== null && !organizations.includes(machine.organizationId))
    throw unknownStreamError(['machine']);
  return machine;
}
