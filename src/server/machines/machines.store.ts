import type { Database } from '#server/platform/database.ts';
import { createStream, type NewStream } from '#server/streams/streams.store.ts';
import type { Accessory, Battery } from '#shared/domain/live.ts';

export type NewMachine = NewStream & {
  readonly brand: string;
  readonly model: string;
  readonly macaddress: string;
  readonly batteries: readonly Battery[];
  readonly hulpstukken: readonly Accessory[];
  /** 'Urenstand bij aanvang'. */
  readonly initialHours: number;
  /** Whose data definition it is to copy. */
  readonly referenceStreamId?: number | undefined;
};

/** A machine, without a writer yet. @returns the stream's id */
export async function createMachine(db: Database, machine: NewMachine): Promise<number> {
  const streamId = await createStream(db, 'machine', machine);
  await db.query(
    `insert into machine (stream_id, brand, model, macaddress, batteries, accessories, initial_hours, reference_stream_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      streamId,
      machine.brand,
      machine.model,
      machine.macaddress,
      JSON.stringify(machine.batteries),
      JSON.stringify(machine.hulpstukken),
      machine.initialHours,
      machine.referenceStreamId ?? null,
    ],
  );
  return streamId;
}
