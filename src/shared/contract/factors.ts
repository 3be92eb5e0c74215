import { z } from 'zod';
import { AccountEmail, SessionUser } from './auth.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { SECOND_FACTOR_KINDS } from './problem.ts';

/** A second factor at sign-in, after the password; a passkey, which asks for a fingerprint or PIN, also works without the password. */
const Factor = z.object({
  id: z.number(),
  kind: z.enum(SECOND_FACTOR_KINDS),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** A passkey that seems to have been copied (its signature counter went back) and can no longer be used to sign in. */
  isDisabled: z.boolean(),
});
export type SecondFactor = z.output<typeof Factor>;

const FactorName = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(60, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const MAX_ID = 2_147_483_647;
/** A factor's id as a text in a query string. */
const FactorId = z.coerce.number().int().min(1).max(MAX_ID);
/** Six digits from an authenticator app, or a recovery code; blanks and hyphens are ignored. */
export const SecondFactorCode = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(40, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');

const Base64Url = z
  .string()
  .max(20_000, 'is te lang')
  .regex(/^[\w-]*$/, 'is onleesbaar');
/** The fields of every authenticator response (WebAuthn Level 3, PublicKeyCredential.toJSON). */
const Credential = z.object({
  id: Base64Url.min(1, 'ontbreekt').max(1_500, 'is te lang'),
  rawId: Base64Url,
  type: z.literal('public-key'),
});
const NewPasskey = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(32, 'is te lang')).max(10).optional(),
  }),
});
export type NewPasskey = z.output<typeof NewPasskey>;
export const PasskeyAssertion = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
});
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>;

const SignedIn = MessageResponse.extend({ user: SessionUser });
/** A token with the challenge, the account and the time, encrypted by the server. */
const SetUpToken = z
  .string()
  .max(1_000, 'is te lang')
  .regex(/^[\w-]+$/, 'is onleesbaar');
/** Options for navigator.credentials, as WebAuthn defines them. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
/** Recovery codes, shown once: the server keeps only their hashes. Empty when the account already had some. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const OrganizationName = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(254, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');

/** Whether everybody in an organization needs a second factor. */
const FactorRule = z.object({
  /** The organization's own choice. */
  isRequired: z.boolean(),
  /** REQUIRE_SECOND_FACTOR is set: the organization's choice has no effect. */
  byOperator: z.boolean(),
  people: z.number(),
  /** How many of the people have no second factor yet. */
  without: z.number(),
});
export type SecondFactorRule = z.output<typeof FactorRule>;

/** Calls to sign in with a second factor, manage one's own factors, reset another user's, and set an organization's rule about them. */
export const factorsApi = {
  'POST /api/auth/login/code': {
    summary:
      'The second step of a sign-in, after 401 second-factor-required: takes a code from an authenticator app, or a recovery code.',
    dutch:
      'De tweede stap van het inloggen, na 401 second-factor-required: de code van een authenticator-app, of een herstelcode.',
    access: 'public',
    body: z.object({ code: SecondFactorCode }),
    response: SignedIn,
  },
  'POST /api/auth/passkey/options': {
    summary:
      'Returns the WebAuthn options for signing in with a passkey, valid for five minutes: any passkey of this portal or, after 401 second-factor-required, one of that account.',
    dutch:
      'Wat een browser nodig heeft om een passkey te tonen, vijf minuten lang: een willekeurige van dit portaal, of na 401 second-factor-required een van dat account.',
    access: 'public',
    response: PasskeyOptions,
  },
  'POST /api/auth/passkey/login': {
    summary: 'Signs in with a passkey, alone or after the password.',
    dutch: 'Logt in met een passkey, met of zonder wachtwoord ervoor.',
    access: 'public',
    body: z.object({ passkey: PasskeyAssertion }),
    response: SignedIn,
  },
  'GET /api/account/factors': {
    summary: "Lists the caller's second factors, and how many recovery codes are left.",
    dutch: 'De eigen tweede stappen, en hoeveel herstelcodes er nog zijn.',
    beforeConfirmation: true,
    beforeFactor: true,
    response: z.object({
      factors: z.array(Factor),
      recoveryCodes: z.number(),
      isRequired: z.boolean(),
      /** false over plain http, where browsers do not support passkeys. */
      canHavePasskeys: z.boolean(),
    }),
  },
  'POST /api/account/factors/totp': {
    summary:
      'Generates a secret for a new authenticator app. It becomes valid when its first code is confirmed, within 10 minutes.',
    dutch:
      'Een geheim voor een nieuwe authenticator-app. Het telt zodra de eerste code getoond is, binnen 10 minuten.',
    beforeConfirmation: true,
    beforeFactor: true,
    response: z.object({
      token: SetUpToken,
      secret: z.string(),
      /** An otpauth:// URL, for a QR code. */
      address: z.string(),
    }),
  },
  'POST /api/account/factors/totp/confirm': {
    summary: 'Adds the authenticator app that generated this code. The session gets a new cookie.',
    dutch: 'Voegt de authenticator-app toe die deze code toont. De sessie krijgt een nieuwe cookie.',
    beforeConfirmation: true,
    beforeFactor: true,
    proof: true,
    body: z.object({ token: SetUpToken, factorName: FactorName, code: SecondFactorCode }),
    response: RecoveryCodes,
  },
  'POST /api/account/factors/passkey': {
    summary: 'Returns the WebAuthn options for creating a passkey, valid for 10 minutes.',
    dutch: 'Wat een browser nodig heeft om een passkey te maken, binnen 10 minuten.',
    beforeConfirmation: true,
    beforeFactor: true,
    response: z.object({ token: SetUpToken, options: PasskeyOptions }),
  },
  'POST /api/account/factors/passkey/confirm': {
    summary: 'Adds the passkey that the browser created. The session gets a new cookie.',
    dutch: 'Voegt de passkey toe die de browser maakte. De sessie krijgt een nieuwe cookie.',
    beforeConfirmation: true,
    beforeFactor: true,
    proof: true,
    body: z.object({ token: SetUpToken, factorName: FactorName, passkey: NewPasskey }),
    response: RecoveryCodes,
  },
  'POST /api/account/factors/rename': {
    summary: "Renames one of the caller's factors.",
    dutch: 'Geeft een eigen tweede stap een andere naam.',
    beforeConfirmation: true,
    body: z.object({ id: z.int().min(1).max(MAX_ID), factorName: FactorName }),
  },
  'DELETE /api/account/factors': {
    summary:
      "Removes one of the caller's factors. Refused for the last one where a second factor is required.",
    dutch: 'Verwijdert een eigen tweede stap. De laatste blijft waar er een verplicht is.',
    beforeConfirmation: true,
    proof: true,
    query: z.object({ id: FactorId }),
  },
  'POST /api/account/factors/recovery-codes': {
    summary: "Replaces the caller's recovery codes by new ones, which are shown once.",
    dutch: 'Nieuwe herstelcodes in plaats van de oude. Ze worden één keer getoond.',
    beforeConfirmation: true,
    proof: true,
    response: RecoveryCodes,
  },
  'POST /api/user/reset-factor': {
    summary:
      'Removes the second factors of a user with a lower role who lost them, ends their sessions and notifies them by e-mail.',
    dutch:
      'Neemt de tweede stappen weg van iemand met een lagere rol, die ze kwijt is: beëindigt de sessies en mailt die persoon.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ email: AccountEmail }),
  },
  'GET /api/organization/second-factor': {
    summary:
      'Returns whether everybody in an organization needs a second factor, and how many have none yet.',
    dutch:
      'Of iedereen in een organisatie een tweede stap nodig heeft, en hoeveel mensen er nog geen hebben.',
    needs: 'manage-users',
    query: z.object({ name: OrganizationName }),
    response: FactorRule,
  },
  'POST /api/organization/second-factor': {
    summary:
      'Sets whether everybody in an organization needs a second factor. It also applies to users who are signed in at that moment.',
    dutch:
      'Verplicht iedereen in een organisatie tot een tweede stap, of niet langer, ook wie op dat moment is ingelogd.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ name: OrganizationName, isRequired: z.boolean() }),
    response: FactorRule,
  },
} as const satisfies Endpoints;
