import { proved, type Rule } from '../rule.ts';

/** The second factor: at sign-in, where it is obligatory, one's own, and who may take it away. */
export const factors: readonly Rule[] = [
  ...proved('obligatory-factor.pg.test.ts > 13.4k', {
    'obligatory factor: by the setting, of administrators': "= 'admin' and o.name ⟦=→<>⟧ '${A",
    'factor rule: an organization inside the scope':
      'from organization o where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧) and o.name = $2',
  }),
];
