import type { Database } from '#server/platform/database.ts';
import { deletedStreams } from '#server/writers/restore-stream.ts';
import type { DeletedMachine } from '#shared/contract/machines.ts';

/** Returns the machines that can be restored, and the reasons of those that cannot (DELETED_DAYS is the grace period). */
export async function deletedMachines(db: Database, now: Date, graceDays: number): Promise<DeletedMachine[]> {
  const deleted = await deletedStreams(db, 'machine', now, graceDays);
  const { rows } = await db.query<{ id: number; brand: string; model: string }>(
    'select stream_id as id, brand, model from machine where stream_id = any ($1)',
    [deleted.map(({ _id }) => _id)],
  );
  const kinds = new Map(rows.map(({ id, ...kind }) => [id, kind]));
  return deleted.map(({ serial: serialNumber, ...entry }) => {
    const { brand = '', model = '' } = kinds.get(entry._id) ?? {};
    return { ...entry, brand, model, serialNumber };
  });
}
