import { proved, type Rule } from '../rule.ts';

/** Whose device is told what. */
export const push: readonly Rule[] = [
  ...proved('push.pg.test.ts > 16.5d', {
    'push: none where a sign-in has ended by its age': `= $3) and s.account_id = $1 ⟦and \${LIVES}⟧`,
  }),
  ...proved('push.pg.test.ts > 16.5e', {
    'push: to the devices of whom it is for': '= $3) and ⟦s.account_id = $1→$1::integer is not null⟧ and',
    'push: one sees one’s own devices': `\${LIVES} and ⟦s.account_id = $1→$1::integer is not null⟧ order by s.id = $2 desc, p.created_at`,
    'push: one ends one’s own': 'p.session_id = $1 and ⟦s.account_id = $2→$2::integer is not null⟧',
    'push: a browser that changes hands is told nothing of before':
      "⟦await client.query('delete from push_subscription where endpoint = $1 and session_id <> $2', [endpoint, session.id,]);⟧",
  }),
  ...proved('push.pg.test.ts > 16.5f', {
    'push: only to where the portal may go': '⟦await checkEndpoint(outbound, body.endpoint, request.log);⟧',
  }),
];
