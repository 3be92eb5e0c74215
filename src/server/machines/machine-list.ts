import { DEFINITION_ID_SQL, LAST_WRITERS_SQL } from '#server/definitions/definitions.store.ts';
import type { Database } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { findMachinesByName } from '#server/streams/find-stream.ts';
import { unknownStreamError, visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import { normalizeSerial, type StreamKind } from '#server/streams/streams.store.ts';
import type { Accessory } from '#shared/contract/machine-fields.ts';
import type { MachineDetails, MachineListEntry } from '#shared/contract/machines.ts';
import type { Scope } from '#shared/domain/access.ts';
import { DETAIL_COLUMNS_SQL } from './machines.store.ts';

const ENTRY = `s.id as "_id", m.brand, s.alias, m.model, s.serial as serial_number, s.organization, s.organization_name as cleanorg`;
const machinesIn = (scope: Scope) => `from ${visibleStreamsSql(scope)} join machine m on m.stream_id = s.id`;
const ONLY: readonly StreamKind[] = ['machine'];

/** Returns the machines by brand, name and serial number. */
export async function listMachines(db: Database, scope: Scope): Promise<MachineListEntry[]> {
  const { rows } = await db.query<MachineListEntry>(
    `select ${ENTRY}, coalesce(case when w.valid_to = 'infinity' then w.logger_serial end, '') as logger_id,
       m.registration_number as kenteken, exists (select from definition_bus where definition_id = ${DEFINITION_ID_SQL}) as has_definition
     ${machinesIn(scope)} left join ${LAST_WRITERS_SQL} on w.stream_id = s.id
     order by lower(m.brand), lower(s.alias), s.serial`,
    visibleStreamsParameters(scope, ONLY),
  );
  return rows;
}

/**
 * Returns the details of a machine.
 * @throws ProblemError 404
 */
export async function machineDetails(db: Database, scope: Scope, serial: string): Promise<MachineDetails> {
  const { rows } = await db.query<
    Omit<MachineDetails, 'dbc_machine' | 'seb_categorie'> & {
      dbcMachine: string;
      sebCategorie: MachineDetails['seb_categorie'];
    }
  >(
    `select ${ENTRY}, coalesce(b.logger_serial, '') as logger_id, ${DETAIL_COLUMNS_SQL},
       coalesce(r.serial, '') as dbc_machine, m.version
     ${machinesIn(scope)}
     left join writer b on b.stream_id = s.id and b.valid_to = 'infinity'
     left join stream r on r.id = m.reference_stream_id and r.deleted_at is null and $4::boolean
     where lower(s.serial) = lower($3)`,
    // The reference machine may belong to another organization, so the join does not limit it to the scope.
    [
      ...visibleStreamsParameters(/*rule:machine-scope*/ scope /*={ ...scope, organizations: 'all' }*/, ONLY),
      normalizeSerial(serial),
      scope.actions.has('manage-machines'),
    ],
  );
  if (!rows[0]) throw unknownStreamError(ONLY);
  const { dbcMachine, sebCategorie, ...details } = rows[0];
  return { ...details, dbc_machine: dbcMachine, seb_categorie: sebCategorie };
}

/**
 * Returns the accessories of the machine with that serial number, 'brand alias' or alias.
 * @throws ProblemError 404 for none, 400 for more than one
 */
export async function readAccessoriesByName(db: Database, scope: Scope, named: string): Promise<Accessory[]> {
  const [machine, another] = await findMachinesByName(db, named, scope);
  if (!machine) throw unknownStreamError(ONLY);
  if (another)
    throw invalidInputError(`Meer machines heten '${normalizeSerial(named)}'. Geef het serienummer.`);
  const { rows } = await db.query<{ accessories: Accessory[] }>(
    'select accessories from machine where stream_id = $1',
    [machine.id],
  );
  return rows[0]?.accessories ?? [];
}
