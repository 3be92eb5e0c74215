import { type Scope, scopeCovers } from './access.ts';
import { departedAccountText, PORTAL_STAFF } from './log-text.ts';

/** A person to whom a row refers by the id of their account. */
export type ReferredPerson = {
  readonly id: number;
  /** The person's organization when the row was written; null: unknown. */
  readonly organizationThen: number | null;
  /** Whether that organization was `admin`. */
  readonly wasStaff: boolean;
  /** The account as it is today; null: the account was deleted. */
  readonly now: CurrentAccount | null;
};

export type CurrentAccount = {
  readonly id: number;
  readonly name: string | null;
  readonly email: string;
  readonly organizationId: number;
  readonly isStaff: boolean;
};

/** `name`: display name, else e-mail address, else a text such as 'vertrokken account 12'. `email`: only together with a display name. */
export type ShownPerson = { readonly id?: number; readonly name: string; readonly email?: string };

type Viewer = Pick<Scope, 'organizations'>;

const isKnown = (viewer: Viewer, organizationId: number | null): boolean =>
  organizationId === null ? viewer.organizations === 'all' : scopeCovers(viewer, organizationId);

/**
 * Returns a person as a viewer may see them: with name and address for people of the viewer's organizations, as PORTAL_STAFF for people of
 * `admin`, undefined for people of other organizations. A person who left the organization, because the account was deleted or moved, is
 * shown by the account's number only.
 */
export function personAsSeenBy(
  viewer: Viewer,
  { id, organizationThen, wasStaff, now }: ReferredPerson,
): ShownPerson | undefined {
  if (/*rule:people-known*/ !isKnown(viewer, organizationThen) /*=false*/)
    return wasStaff ? { name: PORTAL_STAFF } : undefined;
  if (now === null || !scopeCovers(viewer, now.organizationId)) return { id, name: departedAccountText(id) };
  return now.name === null ? { id, name: now.email } : { id, name: now.name, email: now.email };
}

/** Returns a person as `personAsSeenBy` does, for a row that does not store the person's organization: a person who left is not shown. */
export const currentAccountSeenBy = (viewer: Viewer, now: CurrentAccount | null): ShownPerson | undefined =>
  now === null
    ? undefined
    : personAsSeenBy(viewer, {
        id: now.id,
        organizationThen: now.organizationId,
        wasStaff: now.isStaff,
        now,
      });

/**
 * Returns whether a viewer may see the IP address and device of an action: only if the person then belonged to one of
 * the viewer's organizations, and the viewer may read the log.
 */
export const maySeeClientDevice = (viewer: Scope, organizationThen: number | null): boolean =>
  viewer.actions.has('see-log') && isKnown(viewer, organizationThen);
