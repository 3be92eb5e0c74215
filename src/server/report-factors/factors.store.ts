import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { ReportFactor, ReportFactorFields } from '#shared/contract/report-factors.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Factors } from '#shared/domain/report-factors.ts';

export type StoredFactor = ReportFactorFields & { readonly id: number; readonly organizationId: number };

const COLUMNS = `f.id, f.organization_id, f.kind as factor_kind, f.value as factor_value,
  f.first_day::text as first_day, f.from_kw, f.below_kw, f.compared_to, f.source as factor_source`;

/** Returns the factors, ordered by organization, kind and class, and then the newest first. */
export async function listFactors(db: Database, scope: Scope): Promise<ReportFactor[]> {
  const { rows } = await db.query<StoredFactor & { organization: string; cleanorg: string }>(
    `select ${COLUMNS}, o.name as organization, o.clean as cleanorg
     from report_factor f join organization o on o.id = f.organization_id
     where $1::integer[] is null or /*rule:report-factors-scope*/ f.organization_id = any ($1) /*=true*/
     order by lower(o.clean), o.id, f.kind, f.from_kw, f.first_day desc, f.id`,
    [organizationsParameter(scope)],
  );
  return rows.map(({ id, organizationId, ...factor }) => ({ ...factor, _id: id }));
}

/** Returns the factors that the reports of an organization use. */
export async function readFactorsOfOrganization(db: Database, organizationId: number): Promise<Factors> {
  const { rows } = await db.query<StoredFactor>(
    `select ${COLUMNS} from report_factor f where f.organization_id = $1 order by f.first_day, f.id`,
    [organizationId],
  );
  const ofKind = (kind: ReportFactorFields['factorKind']) =>
    rows.filter(({ factorKind }) => factorKind === kind);
  return {
    co2: ofKind('co2').map(({ factorValue, firstDay, factorSource }) => ({
      kgPerKwh: factorValue,
      firstDay,
      source: factorSource,
    })),
    diesel: ofKind('diesel').map(({ factorValue, fromKw, belowKw, comparedTo, firstDay, factorSource }) => ({
      litresPerHour: factorValue,
      fromKw: fromKw as number,
      belowKw,
      comparedTo,
      firstDay,
      source: factorSource,
    })),
  };
}

/** Returns a factor; undefined if the scope does not contain it. */
export async function findFactor(db: Database, scope: Scope, id: number): Promise<StoredFactor | undefined> {
  const { rows } = await db.query<StoredFactor>(
    `select ${COLUMNS} from report_factor f where f.id = $1 and ($2::integer[] is null or f.organization_id = any ($2))`,
    [id, organizationsParameter(scope)],
  );
  return rows[0];
}

/** Returns the factors of the same kind that begin on the same day, except one. */
export async function findFactorsFromSameDay(
  db: Database,
  organizationId: number,
  { factorKind, firstDay }: ReportFactorFields,
  but: number,
): Promise<StoredFactor[]> {
  const { rows } = await db.query<StoredFactor>(
    `select ${COLUMNS} from report_factor f
     where f.organization_id = $1 and f.kind = $2 and f.first_day = $3 and f.id <> $4`,
    [organizationId, factorKind, firstDay, but],
  );
  return rows;
}

/** Returns the fields of a factor, in the order of the statements' columns. */
export const factorFields = ({
  factorKind,
  factorValue,
  firstDay,
  fromKw,
  belowKw,
  comparedTo,
  factorSource,
}: ReportFactorFields) => ({ factorKind, factorValue, firstDay, fromKw, belowKw, comparedTo, factorSource });

export async function addFactor(
  db: Database,
  organizationId: number,
  factor: ReportFactorFields,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into report_factor (organization_id, kind, value, first_day, from_kw, below_kw, compared_to, source)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [organizationId, ...Object.values(factorFields(factor))],
  );
  return rows[0]?.id as number;
}

export const changeFactor = (db: Database, id: number, factor: ReportFactorFields) =>
  db.query(
    `update report_factor set kind = $2, value = $3, first_day = $4, from_kw = $5, below_kw = $6, compared_to = $7, source = $8
     where id = $1`,
    [id, ...Object.values(factorFields(factor))],
  );

export const removeFactor = (db: Database, id: number) =>
  db.query('delete from report_factor where id = $1', [id]);
