import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';

/** The signed-in user, as the browser sees it. `organization` is the functional name; users of 'admin' are administrators. */
export const SessionUser = z.object({
  email: z.string(),
  /** Display name; null: the e-mail address is shown. */
  name: z.string().nullable(),
  organization: z.string(),
  cleanorg: z.string(),
  isBerende: z.boolean(),
  role: z.enum(ROLES),
  /** Whether the address is confirmed; until then the portal sends no mail about machines to this address. */
  isConfirmed: z.boolean(),
  /** Whether the organization's privacy settings let the user see past routes. */
  seesRoutes: z.boolean(),
  /** Every other call returns 403 (password_change_required) until the user has chosen a new password. */
  mustChangePassword: z.literal(true).optional(),
  /** The user registered with a code and has not confirmed the address: they may only call the 'Mijn account' endpoints. */
  mustConfirm: z.literal(true).optional(),
  /** The portal sends no mail (SMTP_URL is not set): people pass on the links for a new password or an invitation themselves. */
  hasNoMailServer: z.literal(true).optional(),
  /** The user must have a second factor and has none: they may only set one up. */
  lacksFactor: z.literal(true).optional(),
  /**
   * The user's access restriction; absent: none. `machines`: names of the projects and labels whose machines the user may see,
   * null: all machines. `onlyToday`: the user may only see today's data.
   */
  limit: z
    .object({
      machines: z.object({ projects: z.array(z.string()), labels: z.array(z.string()) }).nullable(),
      onlyToday: z.boolean(),
    })
    .optional(),
});
export type SessionUser = z.output<typeof SessionUser>;

/** An account's e-mail address as typed: without control characters, blanks or lone surrogates. */
export const AccountEmail = z
  .string()
  .trim()
  .max(254, 'is te lang')
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, 'is geen e-mailadres');

/** The e-mail address of a new account, in a form to which mail can be sent. */
export const NewAccountEmail = z.string().trim().max(254, 'is te lang').pipe(z.email('is geen e-mailadres'));

/** A password as typed. The rules for a new one are in shared/domain/new-password.ts and server/auth/guessable.ts. */
export const Password = z
  .string()
  .min(1, 'ontbreekt')
  .refine((text) => text.isWellFormed() && [...text].length <= 1_000, 'is te lang of onleesbaar');

const Code = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(100, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');

const Registration = z.object({
  email: NewAccountEmail,
  password: Password,
  /** The registration code as typed: capitals, blanks and hyphens are ignored. */
  organizationCode: Code,
});
export type Registration = z.output<typeof Registration>;

/** Calls for registering, signing in and signing out (API-01). */
export const authApi = {
  'GET /api/auth/validate-token': {
    summary:
      'Returns the signed-in user. Without a valid session `isAuthenticated` is false, `user` is absent, and `message` may say why the session ended.',
    dutch:
      'Wie er is ingelogd. Zonder geldige sessie is isAuthenticated onwaar en ontbreekt user; message kan zeggen waarom zij eindigde.',
    access: 'public',
    response: z.object({
      isAuthenticated: z.boolean(),
      user: SessionUser.optional(),
      message: z.string().optional(),
    }),
  },
  'POST /api/auth/login': {
    summary:
      'Signs in: sets the session cookie, and a cookie that recognizes this browser next time. An account with a second factor gets 401 second-factor-required and a cookie for the second step, which is valid for five minutes.',
    dutch:
      'Logt in: zet de sessiecookie, en een cookie waaraan deze browser later wordt herkend. Heeft het account een tweede stap: 401 second-factor-required, en een cookie van vijf minuten daarvoor.',
    access: 'public',
    body: z.object({
      email: AccountEmail,
      password: Password,
      /** Code of an authenticator app, for a client that cannot make the separate call for the second factor. */
      totp: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(40, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar')
        .optional(),
    }),
    response: MessageResponse.extend({ user: SessionUser }),
  },
  'POST /api/auth/register': {
    summary:
      'Creates an account in the organization with this registration code. A new password has 8 to 128 characters. `waits`: a manager of the organization has to approve the registration first.',
    dutch:
      'Maakt een account bij de organisatie van wie de code is. Een nieuw wachtwoord heeft 8 tot 128 tekens. Beslist die organisatie zelf wie erin komt, dan zegt waits dat iemand de aanvraag eerst moet toelaten.',
    access: 'public',
    body: Registration,
    response: MessageResponse.extend({ waits: z.boolean() }),
  },
  'POST /api/auth/confirm-address/send': {
    summary:
      "Mails a link that confirms the e-mail address of the caller's account. A portal without a mail server (SMTP_URL) answers whom to ask for a link.",
    dutch: 'Mailt een link waarmee je laat zien dat het e-mailadres van je account van jou is.',
    beforeConfirmation: true,
  },
  'POST /api/auth/confirm-address': {
    summary:
      'Confirms the e-mail address of an account by the mailed link. A link that was handed over gives the account access to the portal and leaves its address unconfirmed.',
    dutch: 'Bevestigt het e-mailadres van een account, met de gemailde link.',
    access: 'public',
    body: z.object({ token: z.string().trim().min(1, 'ontbreekt').max(1_000, 'is te lang') }),
    response: MessageResponse.extend({ email: z.string() }),
  },
  'POST /api/auth/forgot-password': {
    summary:
      'Mails a link and a code for setting a new password. The answer is the same when there is no such account. On a public portal without a mail server (SMTP_URL), `note` says whom to ask for a link.',
    dutch:
      'Mailt een link en een code om een nieuw wachtwoord mee te kiezen. Het antwoord is hetzelfde als het account niet bestaat. Zonder mailserver zegt note wie een link kan geven.',
    access: 'public',
    body: z.object({ email: AccountEmail }),
    response: MessageResponse.extend({ note: z.string().optional() }),
  },
  'POST /api/auth/reset-password-with-code': {
    summary:
      'Sets a new password (8 to 128 characters) with the mailed code and ends all sessions of the account.',
    dutch:
      'Stelt met de gemailde code een nieuw wachtwoord in (8 tot 128 tekens) en beëindigt alle sessies van het account.',
    access: 'public',
    body: z.object({ email: AccountEmail, code: Code, newPassword: Password }),
  },
  'POST /api/auth/logout': {
    summary: 'Ends the session on the server and removes the cookie.',
    dutch: 'Beëindigt de sessie op de server en verwijdert de cookie.',
    access: 'public',
  },
} as const satisfies Endpoints;
