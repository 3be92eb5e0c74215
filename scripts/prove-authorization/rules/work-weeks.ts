import { proved, type Rule } from '../rule.ts';

/** Whose labels, projects and machines get a work week of their own. */
export const workWeeks: readonly Rule[] = [
  ...proved('own-weeks.pg.test.ts > only who manages', {
    'work weeks: of a label of the organization':
      'from label where id = $1::int ⟦and organization_id = $2→and $2::int is not null⟧ for key share',
    'work weeks: of a project of the organization':
      'from project where id = $1::int ⟦and organization_id = $2→and $2::int is not null⟧ and deleted_at is null for share',
    'work weeks: of a machine that the organization has':
      "from stream s join ownership w on w.stream_id = s.id where lower(s.serial) = lower($1) ⟦and w.organization_id = $2→and $2::int is not null⟧ and w.valid_to = 'infinity'",
  }),
  ...proved('own-weeks.pg.test.ts > the first of two', {
    'work weeks: the list is of the organization’s machines':
      "from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' ⟦where w.organization_id = $1→where $1::int is null⟧ and s.deleted_at is null and s.kind = 'machine' order by s.id",
  }),
];
