import { proved, type Rule } from '../rule.ts';

/** Rules of who may read which rows of the log, and of which people a viewer may know. */
export const logbook: readonly Rule[] = [
  ...proved('logbook.pg.test.ts', {
    'log: a beheerder reads what is of its organization':
      "const mine = scope.organizations === 'all' ? undefined : ⟦given(scope.organizations)→undefined⟧;",
    'log: who is of another organization cannot be asked for':
      'const ofOwn = (whose: string): string => (⟦mine→undefined⟧ ?',
    'log: a machine is found by numbers of the scope':
      "[...seenBy(⟦scope→{ ...scope, organizations: 'all' }⟧), asSerial(text)]",
    "log: from where a person of another organization acted is not a customer's to know":
      'const seesWhence = ⟦(actorId ?? accountId) === null || seesDevice(scope, organizationThen)→true⟧;',
    'log: from where a link of a mail was followed is for who may know the device of its reader':
      'const seesWhence = ⟦(actorId ?? accountId)→actorId⟧ === null ||',
    "log: what names another organization's things is for administrators":
      'data: ⟦seesAll ? { ...row.data, ...row.aside } : row.data→{ ...row.data, ...row.aside }⟧,',
    'log: an owner who changes is told to each without the other':
      "action: 'machine.leave', organizationId, ⟦aside→data⟧: { movedTo: buyer } });",
    'log: who may only add cannot remove what is young': 'make_interval(days => ⟦greatest(days, 30)→days⟧)',
  }),
  ...proved('principals.pg.test.ts > GET /api/log', {
    'log: for who has the right to read it': [
      "newest first, 50 at a time: an administrator reads all, a beheerder what is of its organization.', access: 'session', ⟦needs: 'see-log',⟧",
    ],
  }),
  ...proved('known-people.test.ts', {
    'people: an organization sees only its own, whose they were then':
      'if (⟦!isKnown(viewer, organizationThen)→false⟧) return wasStaff',
    'people: who has left an organization is a number to it':
      'if (now === null || ⟦!covers(viewer, now.organizationId)→false⟧) return',
    'people: of whom nobody knows whose they were, only administrators see':
      "organizationId === null ? ⟦viewer.organizations === 'all'→true⟧ : covers(viewer, organizationId);",
    'people: whose they are decides who sees them':
      "organizationId === null ? viewer.organizations === 'all' : ⟦covers(viewer, organizationId)→true⟧;",
    'people: addresses and devices are for readers of the log':
      "⟦viewer.actions.has('see-log') &&⟧ isKnown(viewer, organizationThen);",
    'people: addresses and devices are of the own people':
      "viewer.actions.has('see-log') ⟦&& isKnown(viewer, organizationThen)⟧;",
  }),
  ...proved('names-of-others.pg.test.ts', {
    'log: the account that a row is about is the own organization’s or nobody’s':
      'organizationThen: ⟦accountOrganizationId→row.organizationId⟧, wasStaff: false,',
    'log: an invitation names nobody of admin':
      'organizationThen: accountOrganizationId, wasStaff: ⟦false→true⟧,',
    'alerts: who took one is named by the rule': 'by: ⟦shownNow(scope, takenBy)→takenBy⟧?.name ??',
    'invitations: who invited is named by the rule': 'const by = ⟦shownNow(scope, invitedBy)→invitedBy⟧;',
    'invitations: the mail names who invited as to the invited organization':
      'const by = ⟦shownNow({ organizations: [organizationId] }, invitedBy)→invitedBy⟧;',
  }),
  ...proved('names-of-others.pg.test.ts > export', {
    'account: the export of one’s own data has no address or device of another person':
      '⟦actorId === null || actorId === accountId || seesDevice(scope, organizationId)→true⟧ ? line',
  }),
];
