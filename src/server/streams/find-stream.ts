import type { Database, Transaction } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';
import {
  ADMINISTRATOR_SCOPE,
  unknownStreamError,
  visibleStreamsParameters,
  visibleStreamsSql,
} from './scope.ts';
import { isSameSerial, normalizeSerial, type StreamKind } from './streams.store.ts';

/** An existing machine or LMB logger, for changes by an administrator. */
export type StreamRow = {
  readonly id: number;
  readonly kind: StreamKind;
  readonly serial: string;
  readonly alias: string;
  readonly organizationId: number;
  /** Functional name (as in calls) and display name (as on screens) of its present owner. */
  readonly organization: string;
  readonly organizationName: string;
};

const READ = `select s.id, s.kind, s.serial, s.alias, s.organization_id, s.organization,
    s.organization_name
  from ${visibleStreamsSql(ADMINISTRATOR_SCOPE)} where lower(s.serial) = lower($3)`;

/**
 * Locks the machine or LMB logger with a serial number or loggerid until the transaction ends.
 * @throws ProblemError 404
 */
export async function lockStream(db: Transaction, serial: string, kind?: StreamKind): Promise<StreamRow> {
  const found = await findStreamRow(db, serial, kind);
  // Locks the row and reads it again, because another transaction may have changed it meanwhile.
  const { rowCount } = await db.query(
    'select from stream where id = $1 and deleted_at is null for no key update',
    [found.id],
  );
  const row = await findStreamRow(db, serial, kind);
  if (!rowCount || row.id !== found.id) throw unknownStreamError(kind && [kind]);
  return row;
}

/** Returns a machine or LMB logger without locking it. @throws ProblemError 404 */
export async function findStreamRow(db: Database, serial: string, kind?: StreamKind): Promise<StreamRow> {
  const { rows } = await db.query<StreamRow>(READ, [
    ...visibleStreamsParameters(ADMINISTRATOR_SCOPE, kind && [kind]),
    normalizeSerial(serial),
  ]);
  if (!rows[0]) throw unknownStreamError(kind && [kind]);
  return rows[0];
}

/**
 * Returns the reference machine for a text: by its serial number, or by 'brand alias' or alias if exactly one machine has it. An empty
 * text, or the serial of `own`, is no reference.
 * @param own the serial number of the machine that gets the reference
 * @returns stream id and serial number
 * @throws ProblemError 400 if the text finds no machine, or more than one
 */
export async function findReferenceMachine(
  db: Database,
  text: string | undefined,
  own: string,
): Promise<{ id: number; serial: string } | undefined> {
  const wanted = normalizeSerial(text ?? '');
  if (wanted === '' || isSameSerial(wanted, own)) return undefined;
  const matches = await findMachinesByName(db, wanted, ADMINISTRATOR_SCOPE);
  if (matches.length === 0) throw invalidInputError(`Vergelijkbare machine '${wanted}' bestaat niet.`);
  if (matches.length > 1)
    throw invalidInputError(
      `Meer machines heten '${wanted}'. Geef het serienummer van de vergelijkbare machine.`,
    );
  return matches[0];
}

/**
 * Returns machines of the scope with this serial number or, if there is none, with this 'brand alias' or alias. Ignores
 * case, but prefers names in the same case.
 */
export async function findMachinesByName(
  db: Database,
  text: string,
  scope: Scope,
): Promise<{ id: number; serial: string }[]> {
  const { rows } = await db.query<{ id: number; serial: string; rank: number }>(
    `select id, serial, rank from (
       select s.id, s.serial, case
         when lower(s.serial) = lower($3) then 1
         when $3 in (s.alias, m.brand || ' ' || s.alias) then 2
         when lower($3) in (lower(s.alias), lower(m.brand || ' ' || s.alias)) then 3
       end as rank
       from ${visibleStreamsSql(scope)} join machine m on m.stream_id = s.id
     ) as named where rank is not null order by rank, id limit 3`,
    [...visibleStreamsParameters(scope, ['machine']), normalizeSerial(text)],
  );
  return rows.filter(({ rank }) => rank === rows[0]?.rank);
}
