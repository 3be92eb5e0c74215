import { covers, type Scope } from './access.ts';
import { goneAccount, PORTAL_STAFF } from './log-text.ts';

/** A person whom a row refers to by the id of an account. */
export type Referred = {
  readonly id: number;
  /** The organization whose person it was when the row was written; null: unknown. */
  readonly organizationThen: number | null;
  /** Whether that was `admin`. */
  readonly wasStaff: boolean;
  /** The account as it is today; null: it was deleted. */
  readonly now: AccountNow | null;
};

export type AccountNow = {
  readonly id: number;
  readonly name: string | null;
  readonly email: string;
  readonly organizationId: number;
  readonly isStaff: boolean;
};

/** `name`: the person's own, else the address, else what stands in place of them. `email`: the address, beside a name. */
export type ShownPerson = { readonly id?: number; readonly name: string; readonly email?: string };

type Viewer = Pick<Scope, 'organizations'>;

const isKnown = (viewer: Viewer, organizationId: number | null): boolean =>
  organizationId === null ? viewer.organizations === 'all' : covers(viewer, organizationId);

/**
 * Returns what a viewer may see of a person: everything of people of the viewer's own organizations; of people of `admin`
 * only that the portal's administration did it; undefined for anybody else's people. A person who has left an organization,
 * by a deletion or for another one, is a number to it: it may not see what they are called there.
 */
export function shownTo(
  viewer: Viewer,
  { id, organizationThen, wasStaff, now }: Referred,
): ShownPerson | undefined {
  if (/*rule:people-known*/ !isKnown(viewer, organizationThen) /*=false*/)
    return wasStaff ? { name: PORTAL_STAFF } : undefined;
  if (now === null || !covers(viewer, now.organizationId)) return { id, name: goneAccount(id) };
  return now.name === null ? { id, name: now.email } : { id, name: now.name, email: now.email };
}

/** Returns the same for a row that does not store the person's organization: a person who has left is not shown. */
export const shownNow = (viewer: Viewer, now: AccountNow | null): ShownPerson | undefined =>
  now === null
    ? undefined
    : shownTo(viewer, { id: now.id, organizationThen: now.organizationId, wasStaff: now.isStaff, now });

/**
 * Returns whether a viewer may know from which address and with which device a person acted: readers of the log may, of the
 * people of their organizations.
 */
export const seesDevice = (viewer: Scope, organizationThen: number | null): boolean =>
  viewer.actions.has('see-log') && isKnown(viewer, organizationThen);
