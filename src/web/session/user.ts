import { createContext, useContext } from 'react';
import type { SessionUser } from '#shared/contract/auth.ts';

/** Filled by the protected wrapper. */
export const UserContext = createContext<SessionUser | undefined>(undefined);

/** Who is signed in. Throws outside the protected wrapper. */
export function useUser(): SessionUser {
  const user = useContext(UserContext);
  if (!user) throw new Error('useUser outside the protected wrapper');
  return user;
}
