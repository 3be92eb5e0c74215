import { proved, type Rule } from '../rule.ts';

/** Whose alerts and rules one sees and changes, and who is told of which. */
export const alerts: readonly Rule[] = [
  ...proved('alerts.pg.test.ts > 16.3k', {
    'alerts: of organizations inside the scope':
      'join organization o on o.id = x.organization_id and ($2::integer[] is null or ⟦o.id = any ($2)→true⟧)',
    'alerts: by one’s own rules or the organization’s':
      'on r.id = x.rule_id and ⟦(r.account_id is null or r.account_id = $3)→true⟧',
    'rules: of organizations that the caller manages':
      'or r.account_id is null and ($1::integer[] is null or ⟦r.organization_id = any ($1)→true⟧))',
    'rules: one’s own are nobody else’s':
      '(⟦r.account_id = $2→r.account_id is not null⟧ and r.organization_id = $3',
    'rules: who may not manage them has their own only':
      "⟦scope.actions.has('manage-alerts') ? organizationsOf(scope) : []→organizationsOf(scope)⟧, accountId",
    'rules: of the organization by who may manage them':
      "⟦if (!isOwn && !caller.scope.actions.has('manage-alerts')) throw forbidden();⟧",
    'rules: a machine of the organization’s own':
      "where s.kind = 'machine' and s.deleted_at is null and ⟦w.organization_id = $1→$1::int > 0⟧ and lower(s.serial)",
    'rules: a label of the organization’s own':
      "'select id from label where ⟦organization_id = $1→$1::int > 0⟧ and id",
    'rules: a project of the organization’s own':
      "'select id from project where ⟦organization_id = $1→$1::int > 0⟧ and id",
    'rules: people of the organization’s own':
      'from account where ⟦organization_id = $1→$1::int > 0⟧ and lower(email) = any',
  }),
  ...proved('operators.pg.test.ts > 16.1x rules', {
    'rules: of the portal itself by administrators':
      "⟦if (!caller.scope.actions.has('operate')) throw forbidden();⟧",
  }),
  ...proved('alerts.pg.test.ts > 16.3i', {
    'alerts: of machines that are seen':
      'where cardinality($1::text[]) > 0 and ⟦(x.stream_id is null or s.id is not null)→true⟧ and',
  }),
  ...proved('alerts.pg.test.ts > 16.4j', {
    'mutes: each person ends their own': "where id = $1 and ⟦account_id = $2→$2::int > 0⟧', [ id, accountId",
  }),
  ...proved('alerts.pg.test.ts > 16.4k', {
    'alerts: told of machines that are still seen':
      'and (x.stream_id is null or ⟦s.id is not null→true⟧) and (b.step',
    'alerts: told to who is still of the organization':
      'where b.message_id = $3 and ⟦r.organization_id = $4→$4::int > 0⟧',
  }),
  ...proved('alerts-obey-privacy.pg.test.ts', {
    'alerts: movements are for who sees routes': `((⟦\${routes}::boolean→(\${routes}::boolean or true)⟧ or not`,
    'alerts: what says where a machine is, is told inside the hours of the reader': `not \${TELLS_PLACE} or ⟦\${isInside}→true⟧))`,
    'alerts: an end outside the hours of the reader is told in the next ones': `(case when \${range} is null ⟦→or true⟧ or not`,
    'alerts: a list obeys privacy': `\${isInLimit(scope)} and ⟦\${isSeen}→(\${isSeen} or true)⟧\`;`,
    'alerts: messages obey privacy': `⟦\${isSeen}→(\${isSeen} or true)⟧ and (b.step <> 'closed'`,
    'alerts: a message of an end obeys privacy': `⟦and (b.step <> 'closed' or \${UNTIL} is not distinct from x.until)⟧`,
    'rules: the count of open alerts obeys privacy': `and ⟦\${isSeen}→(\${isSeen} or true)⟧) as open`,
    'rules: one’s own of movements are for who sees routes':
      "⟦if (isOwn && before?.kind !== kind && isMovement(kind) && !caller.scope.actions.has('see-routes')) throw forbidden('Je ziet geen routes, en krijgt daarom geen meldingen van aankomst, vertrek en bewegen.');⟧",
    'previews: machines on a project are those of the hours of the caller':
      'await coverage(db, [rule], now, ⟦caller.scope.positionHours→undefined⟧);',
    'previews: movements obey privacy': 'const all = ⟦isMovement(kind)→false⟧ ? found.flatMap(',
  }),
  ...proved('movement.test.ts', {
    'previews: movements are for who sees routes':
      "if (⟦!actions.has('see-routes')→false⟧) return undefined; if (!positionHours) return movement;",
  }),
];
