import { isActionAllowed } from '#shared/domain/access.ts';
import type { MenuMember } from '#web/lib/page-declaration.ts';
import { pages } from './pages.ts';

export type MenuItem = { readonly label: string; readonly to: string };

/** The entries of the settings menu, in the order of the menu. */
const entries = Object.values(pages)
  .flatMap(({ menu, ...page }) => (menu ? [{ ...page, ...menu }] : []))
  .sort((one, other) => one.place - other.place);

/** Returns the entries of the settings menu that a member may open, with the labels and paths for this member. */
function entriesOf(member: MenuMember) {
  return entries.flatMap(({ path, title, needs, label, to = path, ...entry }) => {
    const target = typeof to === 'string' ? to : to(member);
    const isShown = target !== undefined && (needs === undefined || isActionAllowed(member, needs));
    return isShown ? [{ ...entry, label: label?.(member) ?? title, to: target }] : [];
  });
}

/** Returns a user's settings menu: pages in the order of APP-06, then the user's account. The caller adds 'Logout'. */
export const settingsMenu = (member: MenuMember): MenuItem[] => entriesOf(member);

/**
 * Returns the links in the header of a wide screen: those entries of this member's settings menu that have the field
 * `daily`.
 */
export const dailyPages = (member: MenuMember): MenuItem[] =>
  entriesOf(member)
    .flatMap(({ to, label, daily, dailyLabel = label }) =>
      daily === undefined ? [] : [{ to, label: dailyLabel, daily }],
    )
    .sort((one, other) => one.daily - other.daily);
