import type { Database } from '#server/platform/database.ts';
import { type DetailName, type DetailValues, MACHINE_DETAILS } from '#shared/contract/machine-fields.ts';

/** What every stream has: a machine's serial number or an LMB logger's loggerid, its name, its first owner. */
export type NewStream = { readonly serial: string; readonly alias: string; readonly organizationId: number };

export type NewMachine = NewStream &
  Partial<DetailValues> & {
    readonly brand: string;
    readonly model: string;
    /** Whose data definition it is to copy. */
    readonly referenceStreamId?: number | undefined;
  };

/** All of these in one transaction of the caller. @returns the stream's id */
async function createStream(
  db: Database,
  kind: 'machine' | 'logger',
  { serial, alias, organizationId }: NewStream,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into stream (kind, serial, alias) values ($1, $2, $3) returning id',
    [kind, serial, alias],
  );
  const streamId = rows[0]?.id as number;
  await db.query('insert into latest (stream_id) values ($1)', [streamId]);
  await db.query('insert into ownership (stream_id, organization_id) values ($1, $2)', [
    streamId,
    organizationId,
  ]);
  return streamId;
}

/** An LMB logger, without a writer yet. @returns the stream's id */
export const createLmbLogger = (db: Database, logger: NewStream): Promise<number> =>
  createStream(db, 'logger', logger);

const DETAILS = Object.keys(MACHINE_DETAILS) as DetailName[];
const columnOf = (name: DetailName): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
/** The driver would make a PostgreSQL array of a list. */
const storedForm = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);

/** The details of `machine m` by their names in an answer. */
export const DETAIL_COLUMNS = DETAILS.map(
  (name) => `m.${columnOf(name)} as "${MACHINE_DETAILS[name].wire}"`,
).join(', ');

/** A machine, without a writer yet. @returns the stream's id */
export async function createMachine(db: Database, machine: NewMachine): Promise<number> {
  const streamId = await createStream(db, 'machine', machine);
  await db.query(
    `insert into machine (stream_id, brand, model, reference_stream_id, ${DETAILS.map(columnOf)})
     values ($1, $2, $3, $4, ${DETAILS.map((_, at) => `$${at + 5}`)})`,
    [
      streamId,
      machine.brand,
      machine.model,
      machine.referenceStreamId ?? null,
      ...DETAILS.map((name) => storedForm(machine[name] ?? MACHINE_DETAILS[name].unsent)),
    ],
  );
  return streamId;
}

/**
 * What is absent stays as it is.
 * @param known the version that it must have; undefined: any
 * @returns the new version; undefined when it has another than `known`
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

/** The stream with that serial number or loggerid that is not deleted. */
export async function findStream(db: Database, serial: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    'select id from stream where serial = $1 and deleted_at is null',
    [serial],
  );
  return rows[0]?.id;
}

/**
 * From `at` on a stream belongs to another organization; what came before stays with the one that had it then
 * (INGEST-06). In a transaction of the caller.
 */
export async function moveStream(
  db: Database,
  streamId: number,
  organizationId: number,
  at: Date,
): Promise<void> {
  // An interval is never empty: two moves in one instant leave a millisecond to the first.
  const { rows } = await db.query<{ from: string }>(
    `update ownership set valid_to = greatest($2::timestamptz, valid_from + interval '1 ms')
     where stream_id = $1 and valid_to = 'infinity' returning valid_to::text as from`,
    [streamId, at],
  );
  await db.query('insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)', [
    streamId,
    organizationId,
    rows[0]?.from,
  ]);
}
