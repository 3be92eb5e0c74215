import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { unknownStream } from '#server/streams/scope.ts';
import { deleteStream } from '#server/streams/streams.store.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';

/**
 * Deletes an LMB logger: its readings stay for the grace period, its loggerid and name are free at once, and its key is rejected.
 * @throws ProblemError 404 if unknown, or for a machine's serial number
 */
export function deleteLmbLogger(pool: Pool, actor: string, loggerid: string, at: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, loggerid);
    if (stream.kind !== 'logger') throw unknownStream(['logger']);
    await deleteStream(client, stream.id, at);
    await releaseWriter(client, stream.id, at);
    const { id: streamId, serial: subject, alias } = stream;
    await audit(client, {
      actor,
      action: 'lmb-logger.delete',
      subject,
      streamId,
      data: { alias },
    });
  });
}
