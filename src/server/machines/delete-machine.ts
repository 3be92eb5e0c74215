import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { asSerial, deleteStream } from '#server/streams/streams.store.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';

export type MachineToDelete = {
  readonly machine_serial: string;
  /** Must be its own, when given: a slip of the finger deletes nothing. */
  readonly alias?: string | undefined;
  readonly bedrijf?: string | undefined;
};

/**
 * Deletes a machine: its readings stay for the grace period, its serial number and logger are free at once, and its
 * logger's keys are refused.
 * @throws ProblemError 400 alias or organization of another machine, 404 unknown
 */
export function deleteMachine(pool: Pool, actor: string, named: MachineToDelete, at: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, named.machine_serial, 'machine');
    if (named.alias && asSerial(named.alias) !== stream.alias)
      throw invalid(`Machine ${stream.serial} heet niet '${named.alias}'.`);
    if (named.bedrijf && ![stream.organization, stream.organizationName].includes(named.bedrijf.trim()))
      throw invalid(`Machine ${stream.serial} is niet van '${named.bedrijf}'.`);
    await deleteStream(client, stream.id, at);
    await releaseWriter(client, stream.id, at);
    const data = { streamId: stream.id, alias: stream.alias, organization: stream.organization };
    await audit(client, { actor, action: 'machine.delete', subject: stream.serial, data });
  });
}
