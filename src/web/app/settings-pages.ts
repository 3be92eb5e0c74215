import { type Action, ADMIN_ORGANIZATION, type Member, may } from '#shared/domain/access.ts';

export type MenuItem = { readonly label: string; readonly to: string };
/** A member, with the limit that an organization can set: some machines only, or the present day only. */
type MenuMember = Member & { readonly limit?: { readonly onlyToday: boolean } };

/** Returns the pages of the settings menu in the order of APP-06, and the user's own account. The caller adds 'Logout'. */
export function settingsMenu(member: MenuMember): MenuItem[] {
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
    // Administrators open these pages of any organization from the list of organizations.
    ...(member.organization === ADMIN_ORGANIZATION
      ? []
      : [
          {
            label: 'Instellingen organisatie',
            to: `/organization/${member.organization}`,
            needs: 'manage-users' as const,
          },
          {
            label: 'Werkweek',
            to: `/organization/${member.organization}/werkweek`,
            needs: 'manage-users' as const,
          },
        ]),
    { label: 'Projecten', to: '/projecten', needs: 'see-machines' },
    // A limited user does not see maintenance, whose hours include those before the period that the user may see.
    ...(member.isLimited ? [] : [{ label: 'Onderhoud', to: '/onderhoud', needs: 'see-machines' as const }]),
    // Reports cover past days, which a user limited to the present day may not see.
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

/** Paths of the daily pages, in the order of the header. */
const DAILY = ['/overzicht', '/', '/lmb-logging/', '/projecten', '/rapporten'];

/** Returns the pages that the header of a wide screen shows: the daily pages that the menu has for this member. */
export function dailyPages(member: MenuMember): MenuItem[] {
  const items = settingsMenu(member).map((item) => (item.to === '/' ? { ...item, label: 'Kaart' } : item));
  return DAILY.flatMap((to) => items.find((item) => item.to === to) ?? []);
}
