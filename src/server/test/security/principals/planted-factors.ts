import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Returns unchanged factors and tariffs of the organization of `user` and of another one. */
export type PlantedFactors = {
  nextFactor(whose: 'own' | 'foreign'): number;
  nextTariff(whose: 'own' | 'foreign'): number;
};

/** Number of factors and of tariffs per organization: more than the requests of the table that need one. */
const EACH = 200;

/** Plants a factor and a tariff of every organization, and some to change. */
export async function plantFactors(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<PlantedFactors> {
  const factors = async (label: Label, count: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into report_factor (organization_id, kind, value, first_day, source)
       select $1, 'co2', 0.3, date '2001-01-01' + day, $2 || '-bron' from generate_series(1, $3) day returning id`,
      [ids.get(label), markerOf(label), count],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ['spoor', 'rails', 'dicht'] as const) await factors(label, 1);
  const all = { own: await factors('eigen', EACH), foreign: await factors('ander', EACH) };
  const tariffs = async (label: Label, count: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into charging_tariff (organization_id, first_day, day_price, night_from, night_to, night_weekend)
       select $1, date '2001-01-01' + day, 0.3, 23, 7, true from generate_series(1, $2) day returning id`,
      [ids.get(label), count],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ['spoor', 'rails', 'dicht'] as const) await tariffs(label, 1);
  const allTariffs = { own: await tariffs('eigen', EACH), foreign: await tariffs('ander', EACH) };
  return {
    nextTariff(whose) {
      const id = allTariffs[whose].shift();
      if (id === undefined) throw new Error('No tariff is left');
      return id;
    },
    nextFactor(whose) {
      const id = all[whose].shift();
      if (id === undefined) throw new Error('No factor is left');
      return id;
    },
  };
}
