import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import type { Endpoint } from './endpoint.ts';

/** What a browser may know of the signed-in user. `organization` is the functional name; 'admin' administers. */
export const SessionUser = z.object({
  email: z.string(),
  /** What the person is called; null: by the e-mail. */
  name: z.string().nullable(),
  organization: z.string(),
  cleanorg: z.string(),
  isBerende: z.boolean(),
  role: z.enum(ROLES),
  /** Whether it is known that the address is theirs: mail about machines waits for that. */
  isConfirmed: z.boolean(),
  /** Of the past, by what the organization decided. */
  seesRoutes: z.boolean(),
  /** Every other call is refused until this one has chosen a password (password_change_required). */
  mustChangePassword: z.literal(true).optional(),
  /** Registered by code, address not confirmed: only the calls of 'Mijn account' are served. */
  mustConfirm: z.literal(true).optional(),
  /** The portal sends no mail (SMTP_URL): links are handed over. */
  hasNoMailServer: z.literal(true).optional(),
  /** They must have a second factor and have none: nothing is served to them before they set one up. */
  lacksFactor: z.literal(true).optional(),
  /** The person is limited: to machines of these projects and labels (names; null: to no machines), or to the present day. */
  limit: z
    .object({
      machines: z.object({ projects: z.array(z.string()), labels: z.array(z.string()) }).nullable(),
      onlyToday: z.boolean(),
    })
    .optional(),
});
export type SessionUser = z.output<typeof SessionUser>;

/** An account's address as somebody typed it: without control characters, blanks or halves of a character. */
export const AccountEmail = z
  .string()
  .trim()
  .max(254, 'is te lang')
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, 'is geen e-mailadres');

/** A new account's address: one that mail can be sent to. */
export const NewEmail = z.string().trim().max(254, 'is te lang').pipe(z.email('is geen e-mailadres'));

/** As it is given; what a new one must be say shared/domain/new-password.ts and server/auth/guessable.ts. */
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

export const Message = z.object({ message: z.string() });

const Registration = z.object({
  email: NewEmail,
  password: Password,
  /** As somebody typed it over: capitals, blanks and hyphens do not count. */
  organizationCode: Code,
});
export type Registration = z.output<typeof Registration>;

/** API-01, Auth. */
export const authApi = {
  'GET /api/auth/validate-token': {
    summary:
      'Who is signed in; without a valid session isAuthenticated is false and user is absent, and `message` may say why it ended.',
    access: 'public',
    changes: false,
    response: z.object({
      isAuthenticated: z.boolean(),
      user: SessionUser.optional(),
      message: z.string().optional(),
    }),
  },
  'POST /api/auth/login': {
    summary:
      'Signs in: sets the session cookie, and one by which this browser is known again. Of an account with a second factor: 401 second-factor-required, and a cookie of five minutes for the second step.',
    access: 'public',
    changes: true,
    body: z.object({
      email: AccountEmail,
      password: Password,
      /** Of an account with an authenticator app, for a client that cannot take the second step. */
      totp: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(40, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar')
        .optional(),
    }),
    response: Message.extend({ user: SessionUser }),
  },
  'POST /api/auth/register': {
    summary:
      'Makes an account in the organization whose code is given; a new password has 8 to 128 characters. Where the organization decides who comes in, `waits` says that somebody has to admit them first.',
    access: 'public',
    changes: true,
    body: Registration,
    response: Message.extend({ waits: z.boolean() }),
  },
  'POST /api/auth/confirm-address/send': {
    summary:
      'Mails a link by which the caller shows that the address of their account is theirs. A portal without a mail server (SMTP_URL) says whom to ask for a link.',
    access: 'session',
    beforeConfirmation: true,
    changes: true,
    response: Message,
  },
  'POST /api/auth/confirm-address': {
    summary:
      'Confirms the address of an account, by the link that was mailed to it. A link that somebody handed over opens the portal to the account, and leaves its address unconfirmed.',
    access: 'public',
    changes: true,
    body: z.object({ token: z.string().trim().min(1, 'ontbreekt').max(1_000, 'is te lang') }),
    response: Message.extend({ email: z.string() }),
  },
  'POST /api/auth/forgot-password': {
    summary:
      'Mails a link and a code to set a new password with; the answer is the same when there is no such account. On a portal for others without a mail server (SMTP_URL) `note` says whom to ask for a link.',
    access: 'public',
    changes: true,
    body: z.object({ email: AccountEmail }),
    response: Message.extend({ note: z.string().optional() }),
  },
  'POST /api/auth/reset-password-with-code': {
    summary:
      'Sets a new password (8 to 128 characters) with the mailed code and ends all sessions of the account.',
    access: 'public',
    changes: true,
    body: z.object({ email: AccountEmail, code: Code, newPassword: Password }),
    response: Message,
  },
  'POST /api/auth/logout': {
    summary: 'Ends the session on the server and removes the cookie.',
    access: 'public',
    changes: true,
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
