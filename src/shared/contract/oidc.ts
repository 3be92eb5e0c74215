import { z } from 'zod';
import { AccountEmail, Password } from './auth.ts';
import type { Endpoints } from './endpoint.ts';
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
const ProviderRedirect = z.object({
  /** The provider's page to which the browser is to go. */
  url: z.string(),
});

/** The settings of an organization's identity provider, without the client secret. */
export const OidcSettings = z.object({
  /** The callback URL to register at the provider. */
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
      "Returns whether users with an e-mail address of this domain can sign in by their organization's provider, and whether that is the only way.",
    dutch:
      'Of mensen met een adres van dit domein via hun organisatie kunnen inloggen, en of dat alleen zo kan.',
    access: 'public',
    query: z.object({ domain: z.string().max(300, 'is te lang') }),
    response: z.object({ isOffered: z.boolean(), isOnly: z.boolean() }),
  },
  'POST /api/auth/oidc/start': {
    summary:
      "Begins a sign-in by the organization's provider: sets a cookie that is valid for ten minutes, and answers the URL to which the browser is to go.",
    dutch:
      'Begint het inloggen via de organisatie van het adres: zet een cookie voor tien minuten, en zegt waar de browser heen gaat.',
    access: 'public',
    body: z.object({ email: AccountEmail }),
    response: ProviderRedirect,
  },
  'POST /api/auth/oidc/invitation': {
    summary:
      "Begins to accept an invitation by the organization's provider instead of a password: sets a cookie that is valid for ten minutes, and answers the URL to which the browser is to go. When the user returns, the account is created, linked to them and signed in.",
    dutch:
      'Begint een uitnodiging (de link van een mail) aan te nemen via de inlogdienst van de organisatie, in plaats van met een wachtwoord: zet een cookie voor tien minuten, en zegt waar de browser heen gaat. Het account wordt gemaakt, gekoppeld aan wie terugkomt, en ingelogd.',
    access: 'public',
    body: z.object({ token: InvitationToken }),
    response: ProviderRedirect,
  },
  'GET /api/auth/oidc/callback/:organization': {
    summary:
      'The callback of the provider (`code` and `state`, or `error`). Redirects to the portal, signed in or with an error message. Needs the cookie that the start set, which works once.',
    dutch:
      'Hier stuurt de inlogdienst iemand terug (met code en state, of error). Leidt door naar het portaal: ingelogd, of met wat er mis ging. Het bewijs is de cookie van het begin, één keer.',
    access: 'public',
    params: z.object({ organization: Name }),
    media: 'text/html',
    response: z.unknown(),
  },
  'POST /api/auth/oidc/confirm': {
    summary:
      'Links an account that has the e-mail address of the provider, after its password is given, and signs in.',
    dutch:
      'Wie terugkomt met het adres van een account dat niet gekoppeld is, geeft het wachtwoord ervan: koppelt het, en logt in.',
    access: 'public',
    body: z.object({ password: Password }),
  },
  'GET /api/account/oidc': {
    summary:
      "Returns whether the caller's organization has its own provider, and since when the caller's account is linked to it.",
    dutch: 'Of de organisatie een eigen inlogdienst heeft, en sinds wanneer dit account eraan gekoppeld is.',
    beforeConfirmation: true,
    response: z.object({
      isOffered: z.boolean(),
      isOnly: z.boolean(),
      linked: z.object({ issuer: z.string(), at: z.iso.datetime() }).nullable(),
    }),
  },
  'POST /api/account/oidc/link': {
    summary: "Begins to link the caller's account to their account at the organization's provider.",
    dutch: 'Begint het koppelen van het account aan dat bij de inlogdienst van de organisatie.',
    beforeConfirmation: true,
    proof: true,
    response: ProviderRedirect,
  },
  'POST /api/account/oidc/unlink': {
    summary: 'Ends the link. Refused where the provider is the only way to sign in.',
    dutch: 'Verbreekt de koppeling; geweigerd waar de organisatie alleen zo laat inloggen.',
    beforeConfirmation: true,
    proof: true,
  },
  'GET /api/organization/oidc': {
    summary: "Returns the settings of an organization's identity provider.",
    dutch: 'De eigen inlogdienst van een organisatie.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: OidcSettings,
  },
  'POST /api/organization/oidc': {
    summary:
      'Sets the provider of an organization and the domain of its addresses, after checking the provider. Without `clientSecret` the stored secret stays.',
    dutch:
      'Stelt de inlogdienst van een organisatie in en het domein van haar adressen, nadat de inlogdienst is gevraagd. Zonder geheim blijft het bewaarde.',
    needs: 'manage-organizations',
    proof: true,
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
    summary: 'Removes the provider: everybody signs in with a password again.',
    dutch: 'Haalt de inlogdienst weg: iedereen logt weer in met een wachtwoord.',
    needs: 'manage-organizations',
    proof: true,
    body: z.object({ name: Name }),
    response: OidcSettings,
  },
  'POST /api/organization/oidc/only': {
    summary:
      'Sets whether the provider is the only way to sign in for people of the organization. A caller who is no administrator must first link their own account.',
    dutch:
      'Of mensen van de organisatie alleen via haar inlogdienst inloggen. Wie geen administrator is, moet eerst zelf gekoppeld zijn.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ name: Name, isOnly: z.boolean() }),
    response: OidcSettings,
  },
} as const satisfies Endpoints;
