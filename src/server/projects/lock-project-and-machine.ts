import type { Transaction } from '#server/platform/database.ts';
import { findHistory } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { lockProject, type StoredProject } from './projects.store.ts';

/**
 * Locks a project until the transaction ends, and finds a machine of its organization.
 * @throws ProblemError 404 for a project outside the scope, or a machine of another organization
 */
export async function lockProjectAndMachine(
  client: Transaction,
  scope: Scope,
  id: number,
  serial: string,
): Promise<{ readonly project: StoredProject; readonly streamId: number }> {
  const project = await lockProject(client, scope, id);
  const own = { ...scope, organizations: [project.organizationId] };
  const { streamId } = await findHistory(client, own, serial, ['machine']);
  return { project, streamId };
}
