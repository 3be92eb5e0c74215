import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Rows that no request has changed yet, of the organization of `user` (`own`) and of another (`foreign`). */
export type PlantedMaintenance = {
  nextPlan(whose: 'own' | 'foreign'): number;
  nextTemplate(whose: 'own' | 'foreign'): number;
  /** A template of the organization of `user`, which stays. */
  readonly templateId: number;
};

/** Number of plans: more than the requests of the table that need one. */
const EACH = 120;

/** Plants plans of two machines, one of them done, the hidden plans of each machine's former owner, and templates of both organizations. */
export async function plantMaintenance(
  { pool, machine }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<PlantedMaintenance> {
  const streamOf = (label: Label) =>
    machine(ids.get(label) as number, { serial: `${markerOf(label)}-beurt`, batteries: [] });
  const streams = { eigen: await streamOf('eigen'), ander: await streamOf('ander') };
  const plans = async (of: keyof typeof streams, owner: Label, count: number) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into maintenance_plan (stream_id, organization_id, name, every_hours, last_hours, last_day)
       select $1, $2, $3 || '-beurt', 500, 0, date '2026-01-01' from generate_series(1, $4) returning id`,
      [streams[of], ids.get(owner), markerOf(owner), count],
    );
    await pool.query(
      `insert into maintenance_done (plan_id, hours, day, note) values ($1, 0, '2026-01-01', $2 || '-notitie')`,
      [rows[0]?.id, markerOf(owner)],
    );
    return rows.map(({ id }) => id);
  };
  const templates = async (owner: Label) => {
    const { rows } = await pool.query<{ id: number }>(
      `with made as (
         insert into maintenance_template (organization_id, brand, model)
         select $1, $2 || '-merk', $2 || '-model ' || n from generate_series(1, $3) as n returning id
       ), task as (
         insert into maintenance_template_task (template_id, name, every_hours) select id, $2 || '-taak', 500 from made
       ) select id from made order by id`,
      [ids.get(owner), markerOf(owner), EACH],
    );
    return rows.map(({ id }) => id);
  };
  await plans('eigen', 'ander', 1);
  await plans('ander', 'eigen', 1);
  const all = { own: await plans('eigen', 'eigen', EACH), foreign: await plans('ander', 'ander', EACH) };
  const made = { own: await templates('eigen'), foreign: await templates('ander') };
  const templateId = made.own.shift() as number;
  await pool.query(
    `update machine set (brand, model) = (select brand, model from maintenance_template where id = $2) where stream_id = $1`,
    [streams.eigen, templateId],
  );
  const next = (of: Readonly<Record<'own' | 'foreign', number[]>>, whose: 'own' | 'foreign'): number => {
    const id = of[whose].shift();
    if (id === undefined) throw new Error('Nothing is left');
    return id;
  };
  return {
    nextPlan: (whose) => next(all, whose),
    nextTemplate: (whose) => next(made, whose),
    templateId,
  };
}
