import { type Action, ADMIN_ORGANIZATION, type Member, may } from '#shared/domain/access.ts';

type MenuItem = { readonly label: string; readonly to: string };

/** The settings menu of APP-06, in its order, and one's own account; the caller puts 'Logout', which is no page, below it. */
export function settingsMenu(
  member: Member & { readonly limit?: { readonly onlyToday: boolean } },
): MenuItem[] {
  const items: (MenuItem & { readonly needs?: Action })[] = [
    { label: 'Home', to: '/' },
    { label: 'Overzicht', to: '/overzicht', needs: 'see-machines' },
    { label: 'Meldingen', to: '/meldingen', needs: 'see-machines' },
    { label: 'Machines', to: '/machine/', needs: 'see-machines' },
    {
      label: member.organization === ADMIN_ORGANIZATION ? 'LMB Logging' : 'Machines',
      to: '/lmb-logging/',
      needs: 'see-loggers',
    },
    { label: 'Organisatie Codes', to: '/organization/', needs: 'see-organizations' },
    { label: 'Gebruikers', to: '/Users/', needs: 'see-users' },
    { label: 'Logboek', to: '/logboek', needs: 'see-log' },
    // Administrators have none of their own, and come to each organization's by its settings.
    ...(member.organization === ADMIN_ORGANIZATION
      ? []
      : [
          {
            label: 'Werkweek',
            to: `/organization/${member.organization}/werkweek`,
            needs: 'manage-users' as const,
          },
        ]),
    { label: 'Projecten', to: '/projecten', needs: 'see-machines' },
    // Reports are of days that are over.
    ...(member.limit?.onlyToday
      ? []
      : [{ label: 'Rapporten', to: '/rapporten', needs: 'see-machines' as const }]),
    { label: 'Teruggeleverde energie', to: '/test' },
    { label: 'Mijn account', to: '/account/' },
  ];
  return items
    .filter(({ needs }) => needs === undefined || may(member, needs))
    .map(({ label, to }) => ({ label, to }));
}
