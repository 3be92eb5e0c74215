import { z } from 'zod';
import { Password } from './auth.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { PasskeyAssertion, PasskeyOptions, SecondFactorCode } from './factors.ts';

const moment = z.iso.datetime();

/** An active session. */
export const OwnSession = z.object({
  id: z.int(),
  /** Browser and operating system, in Dutch. */
  device: z.string(),
  /** IP address from which the session was last used; of an IPv6 address only the network part. */
  address: z.string(),
  since: moment,
  /** Rounded to the minute. */
  lastUsed: moment,
  /** The session that makes this call. */
  isOwn: z.boolean(),
});
export type OwnSession = z.output<typeof OwnSession>;

/** A machine whose charging e-mails the user receives. */
export const OwnSubscription = z.object({
  serialNumber: z.string(),
  alias: z.string(),
  /** Display name. */
  organization: z.string(),
});
export type OwnSubscription = z.output<typeof OwnSubscription>;

/** The ways in which the caller can re-authenticate. */
const ProofWays = z.object({
  /** The account has a password that its owner knows. */
  hasPassword: z.boolean(),
  /** The account has an authenticator app. */
  hasApp: z.boolean(),
  /** WebAuthn options for the caller's passkeys; null: none works for the portal's present host. */
  passkey: PasskeyOptions.nullable(),
});
export type ReauthenticationMethods = z.output<typeof ProofWays>;
const ShownProof = z.object({
  password: Password.optional(),
  code: SecondFactorCode.optional(),
  passkey: PasskeyAssertion.optional(),
});
export type ReauthenticationProof = z.output<typeof ShownProof>;

/** Calls about the caller's own account (/account). */
export const accountApi = {
  'POST /api/account/name': {
    summary: "Sets the caller's display name; an empty one shows the e-mail address again.",
    dutch: 'Hoe je heet, in plaats van je e-mailadres; leeg: zoals je e-mailadres.',
    beforeConfirmation: true,
    body: z.object({
      displayName: z
        .string()
        .trim()
        .max(60, 'is te lang')
        // A name with an @ could pass for another person's e-mail address.
        .regex(/^[^\p{C}@]*$/u, 'mag geen @ of onleesbaar teken hebben'),
    }),
    response: MessageResponse.extend({ name: z.string().nullable() }),
  },
  'GET /api/account/sessions': {
    summary:
      "Lists the caller's sessions: the present one, and the 50 others that were used last; `total` counts all.",
    dutch:
      'Waar je bent ingelogd: de sessie die vraagt, en de 50 die het laatst zijn gebruikt; total telt ze allemaal.',
    beforeConfirmation: true,
    response: z.object({ sessions: z.array(OwnSession), total: z.int() }),
  },
  'POST /api/account/sessions/end': {
    summary: "Ends one of the caller's sessions.",
    dutch: 'Beëindigt een van je sessies.',
    beforeConfirmation: true,
    body: z.object({ id: z.int32() }),
  },
  'POST /api/account/sessions/end-others': {
    summary: "Ends all of the caller's sessions except the present one.",
    dutch: 'Beëindigt al je sessies behalve deze.',
    beforeConfirmation: true,
  },
  'GET /api/account/subscriptions': {
    summary: 'Lists the machines whose charging e-mails the caller receives.',
    dutch: 'De machines waarover je mails over het laden krijgt.',
    beforeConfirmation: true,
    response: z.array(OwnSubscription),
  },
  'GET /api/account/data': {
    summary: 'Downloads all stored data about the caller as a file.',
    dutch: 'Alles wat over jou wordt bewaard, als bestand.',
    beforeConfirmation: true,
    response: z.unknown(),
  },
  'POST /api/account/proof/options': {
    summary:
      'Lists the ways in which the caller can re-authenticate. The passkey options are valid for five minutes.',
    dutch:
      'Waarmee je kunt bevestigen dat jij het bent; wat een browser nodig heeft voor een passkey van je is vijf minuten geldig.',
    beforeConfirmation: true,
    beforeFactor: true,
    response: ProofWays,
  },
  'POST /api/account/proof': {
    summary:
      'Re-authenticates the caller by their password, by a code (from an authenticator app, or a recovery code) or by a passkey. For ten minutes they may make the calls that need it. The session gets a new token.',
    dutch:
      'Bevestigt met een van de drie (je wachtwoord, een code van je authenticator-app of een herstelcode, een passkey) dat jij het bent: tien minuten lang mag wat niet ongedaan kan worden gemaakt. De sessie krijgt een nieuw token.',
    beforeConfirmation: true,
    beforeFactor: true,
    body: ShownProof,
  },
  'DELETE /api/account': {
    summary:
      "Deletes the caller's account. Refused for the last administrator, and for the last manager of an organization that has other users.",
    dutch:
      'Verwijdert je account. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook.',
    beforeConfirmation: true,
    proof: true,
  },
} as const satisfies Endpoints;
