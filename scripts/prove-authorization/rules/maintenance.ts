import { proved, type Rule } from '../rule.ts';

/** Whose maintenance plans one sees and changes. */
export const maintenance: readonly Rule[] = [
  ...proved('maintenance.pg.test.ts > 16.1g', {
    'maintenance: of a machine inside the scope':
      "findHistory(pool, ⟦caller.scope→{ ...caller.scope, organizations: 'all' }⟧, query.serial, ['machine']); return showMaintenance",
    'maintenance: a plan is changed inside the scope':
      'where p.id = $1 and (⟦p.organization_id = any ($2)→true⟧ or $2::integer[] is null) for update of p',
    'maintenance: who has the machine no more, or has it now, sees no plan of the other':
      "const OWN = `maintenance_plan p join ownership w on w.stream_id = p.stream_id and w.valid_to = 'infinity' ⟦and w.organization_id = p.organization_id⟧`;",
    'maintenance: none of a deleted machine':
      'join stream s on s.id = p.stream_id ⟦and s.deleted_at is null⟧ where p.id = $1',
  }),
];
