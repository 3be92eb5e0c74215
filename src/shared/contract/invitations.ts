import { z } from 'zod';
import { ROLES, type Role } from '#shared/domain/access.ts';
import { NewEmail, Password } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { ShownLimit, WantedLimit } from './limits.ts';

/** An invitation that nobody has accepted yet; `expires` may be past. */
const Invitation = z.object({
  _id: z.number().int(),
  email: z.string(),
  /** Functional and display name. */
  organization: z.string(),
  cleanorg: z.string(),
  role: z.enum(ROLES),
  /** By whom; null: their account is gone. */
  by: z.string().nullable(),
  expires: z.iso.datetime(),
  /** Its mail could not be sent so far: it is tried again, or no more. */
  mailFailed: z.boolean(),
  /** The limit that the account will have; null: none. */
  limit: ShownLimit,
});
export type Invitation = z.output<typeof Invitation>;

/** What the link in the mail has behind its '#'. */
export const InvitationToken = z.string().trim().min(1, 'ontbreekt').max(100, 'is te lang');
const ById = z.object({ _id: z.int32() });

/** Roles that manage people, or see every organization. */
const isPowerful = (role: Role): boolean => role !== 'gebruiker' && role !== 'kijker';

/** Getting somebody in by a mail. */
export const invitationsApi = {
  'GET /api/invitation/get': {
    summary:
      'The invitations that nobody has accepted yet, of all organizations for an administrator, of their own for a beheerder; newest first.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    response: z.array(Invitation),
  },
  'POST /api/invitation/create': {
    summary:
      'Mails a link, good for 7 days, by which somebody gets an account with that role. An administrator names the organization. Who was invited already gets a new link, and the former ones end. Only a beheerder, technicus or administrator asks for re-authentication. A portal without a mail server (SMTP_URL) answers with the link, once, for the caller to hand over.',
    access: 'session',
    needs: 'manage-users',
    proof: ({ role }: { role: Role }) => isPowerful(role),
    changes: true,
    body: z.object({
      email: NewEmail,
      role: z.enum(ROLES),
      organization: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(254, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar')
        .optional(),
      /** The limit of a gebruiker or kijker; absent: none. */
      limit: WantedLimit.optional(),
    }),
    response: z.object({
      message: z.string(),
      /** To hand over; only of a portal without a mail server. */
      link: z.string().optional(),
    }),
  },
  'POST /api/invitation/revoke': {
    summary: 'Ends an invitation, by its _id: its link does nothing any more.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: ById,
    response: z.object({ message: z.string() }),
  },
  'POST /api/invitation/look': {
    summary:
      'To which organization, as what and with which address the link of a mail invites, and whether its people sign in by its provider, or only so.',
    access: 'public',
    changes: true,
    body: z.object({ token: InvitationToken }),
    response: z.object({
      email: z.string(),
      cleanorg: z.string(),
      role: z.enum(ROLES),
      /** The organization's own identity provider. */
      provider: z.object({ isOnly: z.boolean() }).nullable(),
    }),
  },
  'POST /api/invitation/accept': {
    summary:
      'Makes the account that the link of a mail invites to, once, with a new password of 8 to 128 characters. Signing in comes after it.',
    access: 'public',
    changes: true,
    body: z.object({ token: InvitationToken, password: Password }),
    response: z.object({ message: z.string(), email: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
