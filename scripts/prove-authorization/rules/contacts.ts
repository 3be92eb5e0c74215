import { proved, type Rule } from '../rule.ts';

/** Whose contacts are changed and used, and who sees one. */
export const contacts: readonly Rule[] = [
  ...proved('contacts.pg.test.ts > another organization', {
    'contacts: of the organization that they are changed in':
      'seen_from as "seenFrom" from contact where id = $1 ⟦and organization_id = $2→and $2::int is not null⟧',
  }),
  ...proved('contacts.pg.test.ts > a contact that a reader may not see', {
    'contacts: for who has the role to see them':
      '⟦and c.seen_from = any ($2)→and $2::text[] is not null⟧ and (u.stream_id',
  }),
  ...proved('contacts.pg.test.ts > a machine that is sold', {
    'contacts: a machine that is sold leaves its contact behind':
      "await db.query('delete from own_work_week where stream_id = $1', [streamId]); ⟦await db.query('delete from contact_use where stream_id = $1', [streamId]);⟧ await db.query( `delete from favourite",
  }),
];
