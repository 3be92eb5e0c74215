import { createContext, useContext } from 'react';
import type { SessionUser } from '#shared/contract/auth.ts';
import type { Role } from '#shared/domain/access.ts';

/** Who is signed in. */
export type User = {
  readonly email: string;
  /** What the person is called; undefined: by the e-mail. */
  readonly name: string | undefined;
  /** Functional and display name. */
  readonly organization: string;
  readonly organizationName: string;
  readonly isLmbCustomer: boolean;
  readonly role: Role;
  /** Whether it is known that the address is theirs. */
  readonly isConfirmed: boolean;
  readonly seesRoutes: boolean;
  /** Nothing is served to them but choosing a password. */
  readonly mustChangePassword?: true;
  /** They must set up a second factor before anything else. */
  readonly lacksFactor?: true;
};

/** Of an answer. */
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
  lacksFactor,
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
  ...(lacksFactor && { lacksFactor }),
});

/** Filled by the protected wrapper. */
export const UserContext = createContext<User | undefined>(undefined);

/** Throws outside the protected wrapper. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('useUser outside the protected wrapper');
  return user;
}
