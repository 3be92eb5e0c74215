import { proved, type Rule } from '../rule.ts';

/** Whose factors of reports one sees and changes. */
export const reportFactors: readonly Rule[] = [
  ...proved('factors.pg.test.ts > 14.3u', {
    'report factors: a list is of the caller’s scope':
      'where $1::integer[] is null or ⟦f.organization_id = any ($1)→true⟧ order by lower(o.clean)',
    'report factors: one is changed inside the scope':
      'where f.id = $1 and ($2::integer[] is null or ⟦f.organization_id = any ($2)→true⟧)',
    'report factors: an organization reckons with its own':
      'from report_factor f where ⟦f.organization_id = $1→$1::int > 0⟧ order by f.first_day',
  }),
];
