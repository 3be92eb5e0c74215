import type { Mailer } from '#server/mail/mail.ts';
import { singleGauge } from '#server/platform/metric.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { openRefusals, storePastRefusals } from '#server/platform/refusals.ts';
import { openAddressConfirmation } from './address-confirmation.ts';
import { type AuthRouteDependencies, authRoutes } from './auth.routes.ts';
import { confirmAddressRoutes } from './confirm-address.routes.ts';
import { factorRoutes } from './factors.routes.ts';
import { type PasswordRouteDependencies, passwordRoutes } from './password.routes.ts';
import { openPasswordResets, removeOldResets } from './password-resets.ts';
import { type Caller, removeExpiredSessions } from './sessions.ts';
import { removeExpiredSteps } from './sign-in-steps.ts';

/** Signing in, registration, passwords and second factors. */
export const auth: Module<Caller, AuthRouteDependencies & PasswordRouteDependencies> &
  ServiceOpener<
    SharedServices & { readonly mail: Mailer },
    Pick<AuthRouteDependencies, 'refusals' | 'resets' | 'confirmation'>
  > = {
  open: async ({ pool, db, jobs, mail, secrets, publicUrl, hasMailServer, warn, now }) => ({
    refusals: openRefusals(db, secrets.key('refused accounts'), warn),
    resets: await openPasswordResets(pool, jobs, mail, publicUrl),
    confirmation: await openAddressConfirmation(pool, jobs, mail, secrets, publicUrl, now, hasMailServer),
  }),
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
    ['refusals in the log', storePastRefusals],
  ],
  metrics: ({ sessions }) => ({
    ofProcess: [
      singleGauge('sessions_cached', 'Sign-ins that this process remembers, for 5 s at most each.', () =>
        sessions.cachedCount(),
      ),
    ],
  }),
};
