import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf, type Planted } from './planted.ts';

/** Returns unchanged labels of the organization of `user` and of another one. */
export type PlantedLabels = {
  nextLabel(whose: 'own' | 'foreign'): number;
  /** A label of `user` that no request deletes. */
  readonly labelId: number;
};

/** Number of labels: more than the requests of the table that need one, and fewer than an organization may have. */
const EACH = 120;

/** Plants a label of every organization on its machine, which is a favourite, and labels to change. */
export async function plantLabels(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
  planted: ReadonlyMap<Label, Planted>,
): Promise<PlantedLabels> {
  const labels = async (label: Label, count: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into label (organization_id, name, colour)
       select $1, $2 || '-label-' || n, 'blue' from generate_series(1, $3) n returning id`,
      [ids.get(label), markerOf(label), count],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ['spoor', 'rails', 'dicht'] as const) await labels(label, 1);
  const all = { own: await labels('eigen', EACH), foreign: await labels('ander', EACH) };
  const labelId = all.own.shift() as number;
  const carry = (label: number | undefined, of: Label) =>
    pool.query('insert into machine_label (label_id, stream_id) values ($1, $2)', [
      label,
      planted.get(of)?.logger.streamId,
    ]);
  await carry(all.own.shift(), 'eigen');
  await carry(all.foreign.shift(), 'ander');
  await pool.query(
    `insert into favourite (account_id, stream_id)
     select a.id, w.stream_id from account a join ownership w on w.organization_id = a.organization_id and w.valid_to = 'infinity'`,
  );
  return {
    labelId,
    nextLabel(whose) {
      const id = all[whose].shift();
      if (id === undefined) throw new Error('No label is left');
      return id;
    },
  };
}
