import { proved, type Rule } from '../rule.ts';

/** Whose webhooks one sees and changes, and what is sent to which. */
export const webhooks: readonly Rule[] = [
  ...proved('webhook-calls.pg.test.ts > 16.5t', {
    'webhooks: one is changed inside the scope':
      'where w.id = $1 and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧)',
    'webhooks: a message of the log is sent again inside the scope': {
      out: 'where d.id = $1 and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧)`',
      hiding: 'where w.id = $1 and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧)',
    },
    'webhooks: a list is of one organization': 'where ⟦w.organization_id = $1→$1::int > 0⟧ group by w.id',
    'webhooks: a log is of one organization':
      'where ⟦w.organization_id = $1→$1::int > 0⟧ order by d.asked_at desc',
  }),
  ...proved('webhooks.pg.test.ts > 16.5r', {
    'webhooks: an organization is told its own':
      'where (⟦w.organization_id = $1→$1::int > 0⟧ or w.id = $2) and w.is_on',
    'webhooks: nothing is queued for one that is off': 'or w.id = $2) ⟦and w.is_on⟧ and o.is_active',
    'webhooks: nothing is sent of a disabled organization':
      'join organization o on o.id = w.organization_id ⟦and o.is_active⟧ where w.is_on and w.taken_until',
    'webhooks: nothing is sent to one that is off': 'where ⟦w.is_on and⟧ w.taken_until <= $1',
  }),
];
