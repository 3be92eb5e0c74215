import { proved, type Rule } from '../rule.ts';

/** Whose terreinen a caller sees and changes. */
export const terreinen: readonly Rule[] = [
  ...proved('terreinen.pg.test.ts > another organization', {
    'terreinen: a list is of the caller’s scope':
      'where t.deleted_at is null and ($1::integer[] is null or ⟦t.organization_id = any ($1)→true⟧)',
    'terreinen: one is changed inside the scope':
      'and ($2::integer[] is null or ⟦t.organization_id = any ($2)→true⟧) for update',
  }),
];
