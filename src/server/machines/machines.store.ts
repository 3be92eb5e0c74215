import type { Database } from '#server/platform/database.ts';
import { createStream, type NewStream } from '#server/streams/streams.store.ts';
import { type DetailName, type DetailValues, MACHINE_DETAILS } from '#shared/contract/machine-fields.ts';

export type NewMachine = NewStream &
  Partial<DetailValues> & {
    readonly brand: string;
    readonly model: string;
    /** The stream whose data definition is copied. */
    readonly referenceStreamId?: number | undefined;
    /** Serial number of the logger that will be bound. */
    readonly plannedLogger?: string;
  };

const DETAILS = Object.keys(MACHINE_DETAILS) as DetailName[];
const columnOf = (name: DetailName): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
/** Returns a list or object as JSON text, because the driver would turn a list into a PostgreSQL array. Returns other values unchanged. */
const storedForm = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** SQL for the details of `machine m`, under the names that an answer has. */
export const DETAIL_COLUMNS_SQL = DETAILS.map(
  (name) => `m.${columnOf(name)} as "${MACHINE_DETAILS[name].wire}"`,
).join(', ');

/**
 * Creates a machine to which no logger is bound yet.
 * @returns the stream's id
 */
export async function createMachine(db: Database, machine: NewMachine): Promise<number> {
  const streamId = await createStream(db, 'machine', machine);
  await db.query(
    `insert into machine (stream_id, brand, model, reference_stream_id, planned_logger, ${DETAILS.map(columnOf)})
     values ($1, $2, $3, $4, $5, ${DETAILS.map((_, at) => `$${at + 6}`)})`,
    [
      streamId,
      machine.brand,
      machine.model,
      machine.referenceStreamId ?? null,
      machine.plannedLogger ?? null,
      ...DETAILS.map((name) => storedForm(machine[name] ?? MACHINE_DETAILS[name].unsent)),
    ],
  );
  return streamId;
}

/**
 * Updates a machine. Absent fields stay unchanged.
 * @param known the version that the stored machine must have; undefined: any version
 * @returns the new version; undefined if the stored version is not `known`
 */
export async function updateMachine(
  db: Database,
  streamId: number,
  machine: Partial<DetailValues> & { readonly brand: string; readonly model: string },
  known: number | undefined,
): Promise<number | undefined> {
  const given = DETAILS.filter((name) => machine[name] !== undefined);
  const details = given.map((name, at) => `${columnOf(name)} = $${at + 5}, `).join('');
  const { rows } = await db.query<{ version: number }>(
    `update machine set brand = $3, model = $4, ${details}version = version + 1
     where stream_id = $1 and ($2::integer is null or version = $2) returning version`,
    [streamId, known, machine.brand, machine.model, ...given.map((name) => storedForm(machine[name]))],
  );
  return rows[0]?.version;
}
