import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Contacts of the organization of `user`. */
export type PlantedContacts = {
  /** No request deletes this contact. */
  readonly contactId: number;
  /** Returns a contact that no request has deleted or used. */
  nextContact(): number;
};

/** Number of contacts: more than the requests of the table that need one. */
const EACH = 240;

/** Plants a contact for each organization itself, and contacts to delete. */
export async function plantContacts(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<PlantedContacts> {
  const plant = async (label: Label, count: number): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into contact (organization_id, name, telephone, note, seen_from)
       select $1, $2 || '-contact', '06-12345678', $2 || '-toelichting', 'kijker' from generate_series(1, $3) returning id`,
      [ids.get(label), markerOf(label), count],
    );
    const all = rows.map(({ id }) => id);
    await pool.query('insert into contact_use (organization_id, contact_id) values ($1, $2)', [
      ids.get(label),
      all[0],
    ]);
    return all;
  };
  for (const label of ['ander', 'spoor', 'rails', 'dicht'] as const) await plant(label, 1);
  const own = await plant('eigen', EACH);
  return {
    contactId: own.shift() as number,
    nextContact() {
      const id = own.shift();
      if (id === undefined) throw new Error('No contact is left');
      return id;
    },
  };
}
