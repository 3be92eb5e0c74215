import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { Tariff, TariffFields } from '#shared/contract/charging-tariffs.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Area } from '#shared/domain/area.ts';
import {
  type ChargingTariff,
  createHourlyPriceLookup,
  type HourlyPriceLookup,
} from '#shared/domain/charging-tariffs.ts';

export type StoredTariff = TariffFields & { readonly id: number; readonly organizationId: number };

const COLUMNS = `t.id, t.organization_id, t.terrein_id, t.first_day::text as first_day, t.last_day::text as last_day,
  t.day_price, t.night_price, t.night_from, t.night_to,
  t.night_weekend`;

/** Returns the tariffs inside the scope by organization, the newest first. */
export async function listTariffs(db: Database, scope: Scope): Promise<Tariff[]> {
  const { rows } = await db.query<
    StoredTariff & { organization: string; cleanorg: string; terreinName: string | null }
  >(
    `select ${COLUMNS}, o.name as organization, o.clean as cleanorg, r.name as terrein_name
     from charging_tariff t join organization o on o.id = t.organization_id left join terrein r on r.id = t.terrein_id
     where $1::integer[] is null or /*rule:tariffs-scope*/ t.organization_id = any ($1) /*=true*/
     order by lower(o.clean), o.id, lower(r.name) nulls first, t.first_day desc, t.id`,
    [organizationsParameter(scope)],
  );
  return rows.map(({ id, organizationId, ...tariff }) => ({ ...tariff, _id: id }));
}

/** A terrein with tariffs. */
export type PricedTerrein = {
  readonly id: number;
  readonly organizationId: number;
  readonly areas: readonly Area[];
  /** Time of its deletion, ms; Infinity: not deleted. */
  readonly until: number;
  readonly price: HourlyPriceLookup;
};

export type NamedTariff = ChargingTariff & { readonly terreinName: string | null };

/** Prices of some organizations. */
export type ChargingPrices = {
  /** Returns the price for places without their own tariff; undefined if the organization has no such tariff. */
  of(organizationId: number): HourlyPriceLookup | undefined;
  /** Sorted by name. */
  readonly terreinen: readonly PricedTerrein[];
  /** Returns the tariffs of an organization: its own, then those of each terrein, in the order of their first days. */
  tariffs(organizationId: number): readonly (readonly NamedTariff[])[];
};

type PriceRow = StoredTariff & {
  readonly terreinName: string | null;
  readonly areas: readonly Area[] | null;
  readonly until: number | null;
};

/** Returns the prices of some organizations; undefined: none of these organizations has a tariff. */
export async function readPrices(
  db: Database,
  organizations: readonly number[],
): Promise<ChargingPrices | undefined> {
  const { rows } = await db.query<PriceRow>(
    `select ${COLUMNS}, r.name as terrein_name, r.areas, date_part('epoch', r.deleted_at) * 1000 as until
     from charging_tariff t left join terrein r on r.id = t.terrein_id
     where t.organization_id = any ($1) order by lower(r.name) nulls first, t.terrein_id, t.first_day, t.id`,
    [organizations],
  );
  if (rows.length === 0) return undefined;
  const own = Map.groupBy(
    rows.filter(({ terreinId }) => terreinId === null),
    ({ organizationId }) => organizationId,
  );
  const ofTerreinen = Map.groupBy(
    rows.filter(({ terreinId }) => terreinId !== null),
    ({ terreinId }) => terreinId as number,
  );
  const prices = new Map([...own].map(([id, tariffs]) => [id, createHourlyPriceLookup(tariffs)]));
  const terreinen = [...ofTerreinen].map(([id, tariffs]) => {
    const { organizationId, areas, until } = tariffs[0] as PriceRow;
    return {
      id,
      organizationId,
      areas: areas ?? [],
      until: until ?? Number.POSITIVE_INFINITY,
      price: createHourlyPriceLookup(tariffs),
    };
  });
  return {
    of: (id) => prices.get(id),
    terreinen,
    tariffs: (id) => [
      ...(own.has(id) ? [own.get(id) ?? []] : []),
      ...[...ofTerreinen.values()].filter(([first]) => first?.organizationId === id),
    ],
  };
}

type Owner = { readonly organizationId: number; readonly from: number; readonly to: number };

/**
 * Returns the prices of each owner of a stream inside the scope, with the time in which it owned the stream (ms); undefined: no owner has a
 * tariff.
 */
export async function readPricesOfOwners(
  db: Database,
  scope: Scope,
  streamId: number,
): Promise<(ChargingPrices & { readonly owners: readonly Owner[] }) | undefined> {
  const { rows: owners } = await db.query<Owner>(
    `select w.organization_id, date_part('epoch', w.valid_from) * 1000 as "from",
       date_part('epoch', w.valid_to) * 1000 as "to"
     from ownership w where w.stream_id = $1 and ($2::integer[] is null or w.organization_id = any ($2))`,
    [streamId, organizationsParameter(scope)],
  );
  const prices = await readPrices(db, [...new Set(owners.map(({ organizationId }) => organizationId))]);
  return prices && { ...prices, owners };
}

/** Returns a tariff inside the scope. */
export async function findTariff(db: Database, scope: Scope, id: number): Promise<StoredTariff | undefined> {
  const { rows } = await db.query<StoredTariff>(
    `select ${COLUMNS} from charging_tariff t where t.id = $1 and ($2::integer[] is null or t.organization_id = any ($2))`,
    [id, organizationsParameter(scope)],
  );
  return rows[0];
}

/**
 * Returns whether another tariff of the organization, or of that terrein, begins on that day.
 * @param but the id of the tariff that is saved, which is not counted; 0 for a new tariff
 */
export async function isFirstDayTaken(
  db: Database,
  organizationId: number,
  { firstDay, terreinId }: Pick<TariffFields, 'firstDay' | 'terreinId'>,
  but: number,
): Promise<boolean> {
  const { rows } = await db.query(
    `select from charging_tariff t
     where t.organization_id = $1 and t.first_day = $2 and t.terrein_id is not distinct from $3 and t.id <> $4`,
    [organizationId, firstDay, terreinId, but],
  );
  return rows.length > 0;
}

/** Returns whether a terrein belongs to the organization and was not deleted. */
export async function hasTerrein(db: Database, organizationId: number, terreinId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from terrein r where r.id = $1 and r.organization_id = $2 and r.deleted_at is null',
    [terreinId, organizationId],
  );
  return rowCount === 1;
}

/** Returns the fields that people enter, in the order of the statements' columns. */
export const tariffFields = ({
  firstDay,
  lastDay,
  dayPrice,
  nightPrice,
  nightFrom,
  nightTo,
  nightWeekend,
  terreinId,
}: TariffFields) => ({
  firstDay,
  lastDay,
  dayPrice,
  nightPrice,
  nightFrom,
  nightTo,
  nightWeekend,
  terreinId,
});

export async function addTariff(db: Database, organizationId: number, tariff: TariffFields): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into charging_tariff (organization_id, first_day, last_day, day_price, night_price, night_from, night_to, night_weekend,
       terrein_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [organizationId, ...Object.values(tariffFields(tariff))],
  );
  return rows[0]?.id as number;
}

export const changeTariff = (db: Database, id: number, tariff: TariffFields) =>
  db.query(
    `update charging_tariff set first_day = $2, last_day = $3, day_price = $4, night_price = $5, night_from = $6, night_to = $7,
       night_weekend = $8, terrein_id = $9 where id = $1`,
    [id, ...Object.values(tariffFields(tariff))],
  );

export const removeTariff = (db: Database, id: number) =>
  db.query('delete from charging_tariff where id = $1', [id]);
