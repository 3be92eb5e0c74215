import { proved, type Rule } from '../rule.ts';

/** What of the log is whose to read. */
export const logbook: readonly Rule[] = [
  ...proved('logbook.pg.test.ts', {
    'log: a beheerder reads what is of its organization':
      "const mine = scope.organizations === 'all' ? undefined : ⟦given(scope.organizations)→undefined⟧;",
    'log: who is of another organization cannot be asked for':
      "const ofOwn = mine ? ⟦' and actor_organization_id = organization_id'→''⟧ : '';",
    "log: an administrator's name and address are not a customer's to know":
      'const isStranger = ⟦!seesAll && row.actorId !== null && row.actorOrganizationId !== row.organizationId→false⟧;',
    "log: what names another organization's things is for administrators":
      'data: ⟦seesAll ? { ...row.data, ...row.aside } : row.data→{ ...row.data, ...row.aside }⟧,',
    'log: an owner who changes is told to each without the other':
      '...(isMoved && ⟦{ organizationId: null }→{}⟧),',
    'log: who may only add cannot remove what is young': 'make_interval(days => ⟦greatest(days, 30)→days⟧)',
  }),
  ...proved('principals.pg.test.ts > GET /api/log', {
    'log: for who has the right to read it': [
      "newest first, 50 at a time: an administrator reads all, a beheerder what is of its organization.', access: 'session', ⟦needs: 'see-log',⟧",
    ],
  }),
];
