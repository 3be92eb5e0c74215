import type { Caller } from '#server/auth/sessions.ts';
import type { OutboundClients } from '#server/outbound-ways.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { removeExpiredAttempts } from './attempts.store.ts';
import { type OidcClient, openOidcClient } from './oidc-client.ts';
import { oidcSettingsRoutes } from './settings.routes.ts';
import { type OidcRouteDependencies, oidcSignInRoutes } from './sign-in.routes.ts';

/** Signing in by an organization's own identity provider. */
export const oidc: Module<Caller, OidcRouteDependencies> &
  ServiceOpener<SharedServices & { readonly outbound: OutboundClients }, { readonly oidc: OidcClient }> = {
  open: ({ outbound, now }) => ({ oidc: openOidcClient(outbound.oidc, now) }),
  routes: (serve, parts) => {
    oidcSignInRoutes(serve, parts);
    oidcSettingsRoutes(serve, parts);
  },
  periodic: [['expired sign-ins by an identity provider', removeExpiredAttempts]],
};
