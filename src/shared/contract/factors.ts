import { z } from 'zod';
import { AccountEmail, SessionUser } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { FACTOR_KINDS } from './problem.ts';

/** What somebody shows at sign-in besides the password; a passkey, which asks for a finger or PIN, also without it. */
const Factor = z.object({
  id: z.number(),
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** A passkey of which there seems to be a copy: it lets nobody in any more. */
  isDisabled: z.boolean(),
});
export type Factor = z.output<typeof Factor>;

const FactorName = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(60, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const MAX_ID = 2_147_483_647;
/** A number in an address; in a body it is one already. */
const FactorId = z.coerce.number().int().min(1).max(MAX_ID);
/** Six digits of an authenticator app, or a recovery code: blanks and hyphens do not count. */
export const FactorCode = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(40, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');

const Base64Url = z
  .string()
  .max(20_000, 'is te lang')
  .regex(/^[\w-]*$/, 'is onleesbaar');
/** What all answers of an authenticator have (WebAuthn Level 3, PublicKeyCredential.toJSON). */
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
export const ShownPasskey = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
});
export type ShownPasskey = z.output<typeof ShownPasskey>;

const Message = z.object({ message: z.string() });
const SignedIn = Message.extend({ user: SessionUser });
/** Sealed by the server: what it asked, for whom and when. */
const SetUpToken = z
  .string()
  .max(1_000, 'is te lang')
  .regex(/^[\w-]+$/, 'is onleesbaar');
/** For navigator.credentials; its shape is WebAuthn's. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
/** Shown once: the server keeps their hashes. Empty when there were some already. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const OrganizationName = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(254, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');

/** Whether everybody in an organization needs a second factor. */
const FactorRule = z.object({
  /** Its own choice. */
  isRequired: z.boolean(),
  /** By REQUIRE_SECOND_FACTOR: then its own choice makes no difference. */
  byOperator: z.boolean(),
  people: z.number(),
  /** Of these, who have none yet. */
  without: z.number(),
});
export type FactorRule = z.output<typeof FactorRule>;

/** The second factor: at sign-in, one's own, others', and an organization's rule. */
export const factorsApi = {
  'POST /api/auth/login/code': {
    summary:
      'The second step of a sign-in, after 401 second-factor-required: the code of an authenticator app, or a recovery code.',
    access: 'public',
    changes: true,
    body: z.object({ code: FactorCode }),
    response: SignedIn,
  },
  'POST /api/auth/passkey/options': {
    summary:
      'What a browser needs to show a passkey, for five minutes: any of this portal, or, after 401 second-factor-required, one of that account.',
    access: 'public',
    changes: true,
    response: PasskeyOptions,
  },
  'POST /api/auth/passkey/login': {
    summary: 'Signs in with a passkey, with or without a password before it.',
    access: 'public',
    changes: true,
    body: z.object({ passkey: ShownPasskey }),
    response: SignedIn,
  },
  'GET /api/account/factors': {
    summary: "The caller's own second factors, and how many recovery codes are left.",
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    changes: false,
    response: z.object({
      factors: z.array(Factor),
      recoveryCodes: z.number(),
      isRequired: z.boolean(),
      /** Over plain http there are none. */
      canHavePasskeys: z.boolean(),
    }),
  },
  'POST /api/account/factors/totp': {
    summary:
      'A secret for a new authenticator app; it counts once its first code was shown, within 10 minutes.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    changes: true,
    response: z.object({
      token: SetUpToken,
      secret: z.string(),
      /** otpauth://, for a QR code. */
      address: z.string(),
    }),
  },
  'POST /api/account/factors/totp/confirm': {
    summary: 'Adds the authenticator app that shows this code; the session gets a new cookie.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    proof: true,
    changes: true,
    body: z.object({ token: SetUpToken, factorName: FactorName, code: FactorCode }),
    response: RecoveryCodes,
  },
  'POST /api/account/factors/passkey': {
    summary: 'What a browser needs to make a passkey, within 10 minutes.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    changes: true,
    response: z.object({ token: SetUpToken, options: PasskeyOptions }),
  },
  'POST /api/account/factors/passkey/confirm': {
    summary: 'Adds the passkey that the browser made; the session gets a new cookie.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    proof: true,
    changes: true,
    body: z.object({ token: SetUpToken, factorName: FactorName, passkey: NewPasskey }),
    response: RecoveryCodes,
  },
  'POST /api/account/factors/rename': {
    summary: "Gives one of the caller's own factors another name.",
    access: 'session',
    beforeConfirmation: true,
    changes: true,
    body: z.object({ id: z.int().min(1).max(MAX_ID), factorName: FactorName }),
    response: Message,
  },
  'DELETE /api/account/factors': {
    summary: "Removes one of the caller's own factors; the last one stays where one is required.",
    access: 'session',
    beforeConfirmation: true,
    proof: true,
    changes: true,
    query: z.object({ id: FactorId }),
    response: Message,
  },
  'POST /api/account/factors/recovery-codes': {
    summary: "New recovery codes in place of the caller's old ones; shown once.",
    access: 'session',
    beforeConfirmation: true,
    proof: true,
    changes: true,
    response: RecoveryCodes,
  },
  'POST /api/user/reset-factor': {
    summary:
      'Takes the second factors of somebody with a lower role away, who lost them: ends their sessions and tells them by mail.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ email: AccountEmail }),
    response: Message,
  },
  'GET /api/organization/second-factor': {
    summary: 'Whether everybody in an organization needs a second factor, and how many have none yet.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: OrganizationName }),
    response: FactorRule,
  },
  'POST /api/organization/second-factor': {
    summary:
      'Requires a second factor of everybody in an organization, or no longer; also of who is signed in at that moment.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    proof: true,
    body: z.object({ name: OrganizationName, isRequired: z.boolean() }),
    response: FactorRule,
  },
} as const satisfies Record<string, Endpoint>;
