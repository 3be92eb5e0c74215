import { z } from 'zod';
import { AccountEmail, Password } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { InvitationToken } from './invitations.ts';

const Name = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(254, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const Text = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(1_000, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const Message = z.object({ message: z.string() });
const WayOut = z.object({
  /** Where the browser goes. */
  url: z.string(),
});

/** What the settings page shows; the secret is never told. */
export const OidcSettings = z.object({
  /** What the provider must be told: where it sends people back. */
  redirectUri: z.string(),
  provider: z
    .object({ issuer: z.string(), domain: z.string(), clientId: z.string(), isOnly: z.boolean() })
    .nullable(),
});
export type OidcSettings = z.output<typeof OidcSettings>;

/** Signing in by an organization's own identity provider (OpenID Connect). */
export const oidcApi = {
  'GET /api/auth/oidc': {
    summary:
      'Whether people with an address of this domain can sign in by their organization, and whether only so.',
    access: 'public',
    changes: false,
    query: z.object({ domain: z.string().max(300, 'is te lang') }),
    response: z.object({ isOffered: z.boolean(), isOnly: z.boolean() }),
  },
  'POST /api/auth/oidc/start': {
    summary:
      'Begins a sign-in by the organization of the address: sets a cookie for ten minutes, and answers where the browser goes.',
    access: 'public',
    changes: true,
    body: z.object({ email: AccountEmail }),
    response: WayOut,
  },
  'POST /api/auth/oidc/invitation': {
    summary:
      "Begins to accept the invitation of a mailed link by the organization's provider, in place of a password: sets a cookie for ten minutes, and answers where the browser goes. The account is made, bound to who comes back, and signed in.",
    access: 'public',
    changes: true,
    body: z.object({ token: InvitationToken }),
    response: WayOut,
  },
  'GET /api/auth/oidc/callback/:organization': {
    summary:
      'Where the provider sends somebody back (`code` and `state`, or `error`). Leads on to the portal: signed in, or with what was the matter. Its proof is the cookie of the start, once.',
    access: 'public',
    changes: false,
    params: z.object({ organization: Name }),
    media: 'text/html',
    response: z.unknown(),
  },
  'POST /api/auth/oidc/confirm': {
    summary:
      'Who came back with the address of an account that is not linked gives its password: links it, and signs in.',
    access: 'public',
    changes: true,
    body: z.object({ password: Password }),
    response: Message,
  },
  'GET /api/account/oidc': {
    summary:
      'Whether the organization has a way to sign in of its own, and since when this account is linked.',
    access: 'session',
    beforeConfirmation: true,
    changes: false,
    response: z.object({
      isOffered: z.boolean(),
      isOnly: z.boolean(),
      linked: z.object({ issuer: z.string(), at: z.iso.datetime() }).nullable(),
    }),
  },
  'POST /api/account/oidc/link': {
    summary: "Begins to link the account to the caller's account at the organization's provider.",
    access: 'session',
    beforeConfirmation: true,
    proof: true,
    changes: true,
    response: WayOut,
  },
  'POST /api/account/oidc/unlink': {
    summary: 'Ends the link; refused where the organization lets nobody sign in otherwise.',
    access: 'session',
    beforeConfirmation: true,
    proof: true,
    changes: true,
    response: Message,
  },
  'GET /api/organization/oidc': {
    summary: "An organization's own way to sign in.",
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: OidcSettings,
  },
  'POST /api/organization/oidc': {
    summary:
      'Sets the provider of an organization and the domain of its addresses, after asking the provider. Without a secret the one that is stored stays.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    body: z.object({
      name: Name,
      issuer: Text,
      domain: Text,
      clientId: Text,
      clientSecret: Text.optional(),
    }),
    response: OidcSettings,
  },
  'POST /api/organization/oidc/delete': {
    summary: 'Takes the provider away: everybody signs in with a password again.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    body: z.object({ name: Name }),
    response: OidcSettings,
  },
  'POST /api/organization/oidc/only': {
    summary:
      'Whether people of the organization sign in by its provider only. Who is no administrator must be linked themselves first.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ name: Name, isOnly: z.boolean() }),
    response: OidcSettings,
  },
} as const satisfies Record<string, Endpoint>;
