import { proved, type Rule } from '../rule.ts';

/** Who gets which report by mail, and whether with the file. */
export const reportMails: readonly Rule[] = [
  ...proved('report-mails.pg.test.ts > 14.5e', {
    'report mails: none to who is of another organization now':
      'join account a on a.id = r.account_id ⟦and a.organization_id = r.organization_id⟧',
    'report mails: none to a disabled organization':
      'join organization o on o.id = a.organization_id ⟦and o.is_active⟧ where r.id = $1',
    'report mails: none to an address that nobody confirmed':
      'where r.id = $1 ⟦and a.confirmed_at is not null⟧',
    'report mails: none to who sees no machines':
      "if (⟦!scope.actions.has('see-machines')→false⟧ || scope.limited?.onlyToday) return undefined; const { to, kind",
  }),
  ...proved('report-mails.pg.test.ts > 14.5f', {
    'report mails: of the machines that it is limited to, those that one sees are named':
      "...seenBy(⟦scope→{ ...scope, organizations: 'all' }⟧, ['machine']), accountId, organizationId, scope.limited",
  }),
  ...proved('report-mails.pg.test.ts > 14.5g', {
    'report mails: the file only where the organization says so':
      '({ mailsReportFiles }: Subscription, { organizations, actions }: Scope): boolean => ⟦mailsReportFiles &&⟧ organizations',
    'report mails: no file of all organizations':
      "mailsReportFiles && ⟦organizations !== 'all' &&⟧ actions.has",
    'report mails: the file for who may make reports': "&& ⟦actions.has('make-reports')→true⟧;",
    'report mails: the setting of an organization inside the scope':
      'where name = $1 and name <> $3 and ($2::integer[] is null or ⟦id = any ($2)→true⟧)',
  }),
  ...proved('report-mails.pg.test.ts > 14.5h', {
    'report mails: of projects inside the scope':
      '⟦if (projects) await readProjects(client, scope, projects);⟧',
    'report mails: of machines inside the scope':
      "(await findHistory(client, ⟦scope→{ ...scope, organizations: 'all' }⟧, one, ['machine']))",
    'report mails: one sees one’s own':
      'where ⟦r.account_id = $3→$3::integer > 0⟧ and r.organization_id = $4',
    'report mails: one ends one’s own':
      'where id = $1 and (⟦$2::integer is null or account_id = $2→$2::integer is distinct from 0⟧)',
  }),
];
