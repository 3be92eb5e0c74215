import type { ComponentType } from 'react';
import type { Action, Member } from '#shared/domain/access.ts';

/** A member, with the limit that an organization can set: some machines only, or the present day only. */
export type MenuMember = Member & { readonly limit?: { readonly onlyToday: boolean } };

type MenuEntry = {
  /** Position of the entry in the settings menu, lowest number first (APP-06). */
  readonly place: number;
  /** The default is the title of the page. */
  readonly label?: (member: MenuMember) => string;
  /** The default is the path of the page. A function that returns undefined hides the entry. */
  readonly to?: string | ((member: MenuMember) => string | undefined);
  /**
   * Position of the link in the header of a wide screen, lowest number first; undefined for a page that is not used
   * daily.
   */
  readonly daily?: number;
  /** Text of the link in the header; the default is the label. */
  readonly dailyLabel?: string;
};

export type PageDeclaration = {
  /** A trailing slash is optional and case does not matter, as always in react-router. */
  readonly path: string;
  /** Title of the page in the menu, and in the message for users who may not see the page. */
  readonly title: string;
  /** Users without this permission see that the page is forbidden (APP-06). */
  readonly needs?: Action;
  readonly load: () => Promise<ComponentType>;
  readonly menu?: MenuEntry;
};

/** Pages by the name of the JavaScript chunk that each is loaded as (app/chunk.ts). */
export type Pages = Readonly<Record<string, PageDeclaration>>;
