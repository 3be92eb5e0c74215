import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Terrein } from '#shared/contract/terreinen.ts';
import type { Scope } from '#shared/domain/access.ts';
import { readOnTerreinen } from './on-terreinen.ts';

/** The fields of a terrein that people enter. */
export type TerreinFields = Pick<Terrein, 'terreinName' | 'terreinKind' | 'areas'>;

export type StoredTerrein = TerreinFields & {
  readonly id: number;
  readonly organizationId: number;
  readonly version: number;
  /** Time in ms since which presences of machines on the terrein are computed. */
  readonly countedFrom: number;
};

const COLUMNS = `t.id, t.organization_id, t.name as terrein_name, t.kind as terrein_kind, t.areas, t.version,
  (date_part('epoch', t.counted_from) * 1000)::float8 as counted_from`;

/** Returns the terreinen of the scope that are not deleted, sorted by name. */
export async function listTerreinen(db: Database, scope: Scope): Promise<Terrein[]> {
  const { rows } = await db.query<StoredTerrein & { organization: string; cleanorg: string }>(
    `select ${COLUMNS}, o.name as organization, o.clean as cleanorg from terrein t join organization o on o.id = t.organization_id
     where t.deleted_at is null and ($1::integer[] is null or /*rule:terreinen-scope*/ t.organization_id = any ($1) /*=true*/)
     order by lower(t.name), t.id`,
    [organizationsParameter(scope)],
  );
  const there = await readOnTerreinen(db, organizationsParameter(scope), scope.positionHours);
  const counts = Map.groupBy(there, ({ terreinId }) => terreinId);
  return rows.map(({ id, organizationId: _, countedFrom: __, ...terrein }) => ({
    ...terrein,
    _id: id,
    machinesNow: counts.get(id)?.length ?? 0,
  }));
}

/**
 * Locks a terrein until the transaction ends, and returns it.
 * @throws ProblemError 404 also outside the scope
 */
export async function lockTerrein(db: Transaction, scope: Scope, id: number): Promise<StoredTerrein> {
  const { rows } = await db.query<StoredTerrein>(
    `select ${COLUMNS} from terrein t
     where t.id = $1 and t.deleted_at is null and ($2::integer[] is null or t.organization_id = any ($2)) for update`,
    [id, organizationsParameter(scope)],
  );
  if (!rows[0]) throw notFound('Dit terrein bestaat niet.');
  return rows[0];
}

export async function countTerreinen(db: Database, organizationId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::integer as n from terrein where organization_id = $1 and deleted_at is null',
    [organizationId],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Adds a terrein. Returns its id; undefined if the organization has a terrein of that name.
 * @param countedFrom the time in ms since which presences are computed
 */
export async function addTerrein(
  db: Database,
  organizationId: number,
  { terreinName, terreinKind, areas }: TerreinFields,
  countedFrom: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `insert into terrein (organization_id, name, kind, areas, counted_from) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, lower(name)) where deleted_at is null do nothing returning id`,
    [organizationId, terreinName, terreinKind, JSON.stringify(areas), new Date(countedFrom)],
  );
  return rows[0]?.id;
}

/** Returns whether the organization has another terrein of that name. */
export async function isNameTaken(
  db: Database,
  { id, organizationId }: Pick<StoredTerrein, 'id' | 'organizationId'>,
  { terreinName }: Pick<TerreinFields, 'terreinName'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from terrein where organization_id = $1 and id <> $2 and lower(name) = lower($3) and deleted_at is null`,
    [organizationId, id, terreinName],
  );
  return rowCount !== 0;
}

/**
 * Changes a terrein; returns the new version.
 * @throws ProblemError 409 if a newer version is stored
 */
export async function changeTerrein(
  db: Database,
  { id, version, countedFrom }: Pick<StoredTerrein, 'id' | 'version' | 'countedFrom'>,
  { terreinName, terreinKind, areas }: TerreinFields,
): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `update terrein set name = $3, kind = $4, areas = $5, counted_from = $6, version = version + 1
     where id = $1 and version = $2 returning version`,
    [id, version, terreinName, terreinKind, JSON.stringify(areas), new Date(countedFrom)],
  );
  if (!rows[0])
    throw new ProblemError(
      'conflict',
      'Iemand anders heeft dit terrein intussen gewijzigd. Laad de pagina opnieuw.',
    );
  return rows[0].version;
}

export const markTerreinDeleted = (db: Database, id: number) =>
  db.query('update terrein set deleted_at = now(), version = version + 1 where id = $1', [id]);
