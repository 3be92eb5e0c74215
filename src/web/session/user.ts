import { createContext, useContext } from 'react';
import type { SessionUser } from '#shared/contract/auth.ts';
import { ROLES, type Role } from '#shared/domain/access.ts';

/** The signed-in user. */
export type User = {
  readonly email: string;
  /** If undefined, the e-mail address is shown. */
  readonly name: string | undefined;
  /** Functional name; `organizationName` is the display name. */
  readonly organization: string;
  readonly organizationName: string;
  readonly isLmbCustomer: boolean;
  readonly role: Role;
  /** Whether the user has confirmed the e-mail address. */
  readonly isConfirmed: boolean;
  readonly seesRoutes: boolean;
  /** The user must choose a password before anything else is served. */
  readonly mustChangePassword?: true;
  /** Registered by code, address not confirmed: only the calls of 'Mijn account' are served. */
  readonly mustConfirm?: true;
  /** The portal sends no mail; administrators pass links on to users. */
  readonly hasNoMailServer?: true;
  /** The user must set up a second factor before anything else is served. */
  readonly lacksFactor?: true;
  /** The user sees only some of the machines, or only the present day. */
  readonly isLimited?: true;
  readonly limit?: NonNullable<SessionUser['limit']>;
};

/** Converts the user of an API response. */
export const userOf = ({
  email,
  name,
  organization,
  cleanorg,
  isBerende,
  role,
  isConfirmed,
  seesRoutes,
  mustChangePassword,
  mustConfirm,
  hasNoMailServer,
  lacksFactor,
  limit,
}: SessionUser): User => ({
  email,
  name: name ?? undefined,
  organization,
  organizationName: cleanorg,
  isLmbCustomer: isBerende,
  role,
  isConfirmed,
  seesRoutes,
  ...(mustChangePassword && { mustChangePassword }),
  ...(mustConfirm && { mustConfirm }),
  ...(hasNoMailServer && { hasNoMailServer }),
  ...(lacksFactor && { lacksFactor }),
  ...(limit && { isLimited: true as const, limit }),
});

/**
 * Parses a user from the browser's storage, which scripts and users can change; undefined if the text is no user. Does
 * not use zod, because zod stays out of the browser.
 */
export function parseStoredUser(text: string | undefined): User | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { email, name, organization, organizationName, isLmbCustomer, role, isConfirmed, seesRoutes, limit } =
    value as Readonly<Record<string, unknown>>;
  const areTexts = [email, organization, organizationName].every((one) => typeof one === 'string');
  const areFlags = [isLmbCustomer, isConfirmed, seesRoutes].every((one) => typeof one === 'boolean');
  const isNamed = name === undefined || typeof name === 'string';
  if (!areTexts || !areFlags || !isNamed || !isLimit(limit) || !ROLES.includes(role as Role))
    return undefined;
  return {
    email,
    name,
    organization,
    organizationName,
    isLmbCustomer,
    role,
    isConfirmed,
    seesRoutes,
    ...(limit !== undefined && { isLimited: true, limit }),
  } as User;
}

function isLimit(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { machines, onlyToday } = value as Readonly<Record<string, unknown>>;
  const { projects, labels } = (machines ?? { projects: [], labels: [] }) as Readonly<
    Record<string, unknown>
  >;
  return typeof onlyToday === 'boolean' && Array.isArray(projects) && Array.isArray(labels);
}

/** The signed-in user, provided by the wrapper of all pages behind the sign-in (app/guard.tsx). */
export const UserContext = createContext<User | undefined>(undefined);

/** Returns the signed-in user. Throws in a component of a page that needs no sign-in. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('useUser outside the protected wrapper');
  return user;
}
