import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { deleteStream, isSameSerial } from '#server/streams/streams.store.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';

import type { MachineToDelete } from '#shared/contract/machines.ts';

/**
 * Deletes a machine: its readings stay for the grace period, its serial number and logger are free at once, and its logger's keys are
 * rejected.
 * @throws ProblemError 400 for an alias or organization of another machine, 404 if unknown
 */
export function deleteMachine(
  pool: Pool,
  actor: string,
  { machine_serial: serial, alias, bedrijf: organization }: MachineToDelete,
  at: Date,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, serial, 'machine');
    if (alias && !isSameSerial(alias, stream.alias))
      throw invalid(`Machine ${stream.serial} heet niet '${alias}'.`);
    if (organization && ![stream.organization, stream.organizationName].includes(organization.trim()))
      throw invalid(`Machine ${stream.serial} is niet van '${organization}'.`);
    await deleteStream(client, stream.id, at);
    await releaseWriter(client, stream.id, at);
    const { id: streamId, serial: subject, alias: name } = stream;
    await audit(client, { actor, action: 'machine.delete', subject, streamId, data: { alias: name } });
  });
}
