import type { Database } from '#server/platform/database.ts';
import { invalid, notFound } from '#server/platform/problem.ts';
import type { Accessory } from '#shared/contract/machine-fields.ts';
import type { MachineDetails, MachineListEntry } from '#shared/contract/machines.ts';
import type { Scope } from '#shared/domain/access.ts';
import { DETAIL_COLUMNS } from './machines.store.ts';
import { asSerial, machinesNamed } from './stream-lookup.ts';

const ENTRY = `s.id as "_id", m.brand, s.alias, m.model, s.serial as "serialNumber", o.name as organization, o.clean as cleanorg`;
const MACHINES = `from stream s
  join machine m on m.stream_id = s.id
  join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
  join organization o on o.id = w.organization_id`;
/** Of an organization outside the scope, or deleted: as if it were not there (API-03). $1: the organizations. */
const VISIBLE = 's.deleted_at is null and ($1::integer[] is null or w.organization_id = any ($1))';

const unknownMachine = () => notFound('Deze machine bestaat niet.');
const organizationsOf = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);

/** By brand, name and serial number. */
export async function listMachines(db: Database, scope: Scope): Promise<MachineListEntry[]> {
  const { rows } = await db.query<MachineListEntry>(
    `select ${ENTRY} ${MACHINES} where ${VISIBLE} order by lower(m.brand), lower(s.alias), s.serial`,
    [organizationsOf(scope)],
  );
  return rows;
}

/** @throws ProblemError 404 */
export async function machineDetails(db: Database, scope: Scope, serial: string): Promise<MachineDetails> {
  const { rows } = await db.query<MachineDetails>(
    `select ${ENTRY}, coalesce(b.logger_serial, '') as "loggerId", ${DETAIL_COLUMNS},
       coalesce(r.serial, '') as dbc_machine, m.version
     ${MACHINES}
     left join writer b on b.stream_id = s.id and b.valid_to = 'infinity'
     left join stream r on r.id = m.reference_stream_id and r.deleted_at is null and $3::boolean
     where ${VISIBLE} and s.serial = $2`,
    // The reference machine may be another organization's.
    [organizationsOf(scope), asSerial(serial), scope.actions.has('manage-machines')],
  );
  if (!rows[0]) throw unknownMachine();
  return rows[0];
}

/**
 * Of the machine with that serial number, 'brand alias' or alias.
 * @throws ProblemError 404 none, 400 more than one
 */
export async function accessoriesOf(db: Database, scope: Scope, named: string): Promise<Accessory[]> {
  const [machine, another] = await machinesNamed(db, named, scope.organizations);
  if (!machine) throw unknownMachine();
  if (another) throw invalid(`Meer machines heten '${asSerial(named)}'. Geef het serienummer.`);
  const { rows } = await db.query<{ accessories: Accessory[] }>(
    'select accessories from machine where stream_id = $1',
    [machine.id],
  );
  return rows[0]?.accessories ?? [];
}
