import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

export type PlantedTerreinen = {
  /** Returns a terrein that no request has changed: of the organization of `user`, or of another one. */
  nextTerrein(whose: 'own' | 'foreign'): number;
};

/** Number of terreinen: more than the requests of the table that need one. */
const EACH = 120;

/** Stores a terrein of every organization, and some to change. */
export async function plantTerreinen(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<PlantedTerreinen> {
  const terreinen = async (label: Label, count: number): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into terrein (organization_id, name, areas, counted_from)
       select $1, $2 || '-terrein' || n || '-' || $3, '[]', now() from generate_series(1, $3::integer) n returning id`,
      [ids.get(label), markerOf(label), count],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ids.keys()) await terreinen(label, 1);
  const all = { own: await terreinen('eigen', EACH), foreign: await terreinen('ander', EACH) };
  return {
    nextTerrein(whose) {
      const id = all[whose].shift();
      if (id === undefined) throw new Error(`No ${whose} terrein is left`);
      return id;
    },
  };
}
