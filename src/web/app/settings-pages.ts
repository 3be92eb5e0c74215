import { type Action, ADMIN_ORGANIZATION, type Member, may } from '#shared/domain/access.ts';

export type MenuItem = { readonly label: string; readonly to: string };
/** A member; a limited one may be limited to the present day. */
type MenuMember = Member & { readonly limit?: { readonly onlyToday: boolean } };

/** The settings menu of APP-06, in its order, and one's own account; the caller puts 'Logout', which is no page, below it. */
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
    // Administrators have none of their own, and come to each organization's by its settings.
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
    // Maintenance counts hours from earlier than a limited person sees.
    ...(member.isLimited ? [] : [{ label: 'Onderhoud', to: '/onderhoud', needs: 'see-machines' as const }]),
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

/** Addresses of the pages that are used daily, in their order; the bell is beside them. */
const DAILY = ['/overzicht', '/', '/lmb-logging/', '/projecten', '/rapporten'];

/** Returns the pages that the header shows beside the menu on a desk: those of the menu that the person uses daily. */
export function dailyPages(member: MenuMember): MenuItem[] {
  const items = settingsMenu(member).map((item) => (item.to === '/' ? { ...item, label: 'Kaart' } : item));
  return DAILY.flatMap((to) => items.find((item) => item.to === to) ?? []);
}
