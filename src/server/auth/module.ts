import type { Module } from '#server/platform/module.ts';
import { settleRefusals } from '#server/platform/refusals.ts';
import { type AuthParts, authRoutes } from './auth.routes.ts';
import { confirmAddressRoutes } from './confirm-address.routes.ts';
import { factorRoutes } from './factors.routes.ts';
import { type PasswordParts, passwordRoutes } from './password.routes.ts';
import { removeOldResets } from './password-resets.ts';
import { type Caller, removeExpiredSessions } from './sessions.ts';
import { removeExpiredSteps } from './sign-in-steps.ts';

/** Signing in, registration, passwords and second factors. */
export const auth: Module<Caller, AuthParts & PasswordParts> = {
  topics: {
    auth: { title: 'Aanmelden', about: 'Inloggen, registreren en een nieuw wachtwoord.' },
  },
  routes: (serve, parts) => {
    authRoutes(serve, parts);
    confirmAddressRoutes(serve, parts.pool, parts.confirmation);
    passwordRoutes(serve, parts);
    factorRoutes(serve, parts);
  },
  periodic: [
    ['expired sessions', removeExpiredSessions],
    ['codes and links for a new password that have ended', removeOldResets],
    ['expired steps of signing in', removeExpiredSteps],
    ['refusals in the log', settleRefusals],
  ],
};
