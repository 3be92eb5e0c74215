import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { removeExpiredAttempts } from './attempts.store.ts';
import { oidcSettingsRoutes } from './settings.routes.ts';
import { type OidcParts, oidcSignInRoutes } from './sign-in.routes.ts';

/** Signing in by an organization's own identity provider. */
export const oidc: Module<Caller, OidcParts> = {
  routes: (serve, parts) => {
    oidcSignInRoutes(serve, parts);
    oidcSettingsRoutes(serve, parts);
  },
  periodic: [['expired sign-ins by an identity provider', removeExpiredAttempts]],
};
