import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import { AccountEmail } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { ShownLimit, WantedLimit } from './limits.ts';

/** `organization` is the functional name, `cleanorg` the display name. */
export const User = z.object({
  _id: z.string(),
  email: z.string(),
  /** What the person is called; null: by the e-mail. */
  name: z.string().nullable(),
  organization: z.string(),
  cleanorg: z.string(),
  role: z.enum(ROLES),
  /** A second factor, which can be reset. */
  hasFactor: z.boolean(),
  /** Registered by code, address not confirmed: they see nothing but their own account. */
  mustConfirm: z.boolean(),
  /** The limit of the person; null: none. */
  limit: ShownLimit,
});
export type User = z.output<typeof User>;

/** API-01, Users; moving one (USER-01) and giving one a role. */
export const usersApi = {
  'GET /api/user/get': {
    summary:
      'All users for an administrator, those of their own organization for a beheerder; in the order of their e-mail addresses.',
    access: 'session',
    needs: 'see-users',
    changes: false,
    response: z.array(User),
  },
  'DELETE /api/user/delete': {
    summary:
      'Deletes a user and ends their sessions; the last administrator stays. They come back with the code of the organization only with `mayReturn`, and by an invitation always.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    query: z.object({
      email: AccountEmail,
      mayReturn: z
        .enum(['true', 'false'], "moet 'true' of 'false' zijn")
        .transform((text) => text === 'true')
        .default(false),
    }),
    response: z.object({ message: z.string() }),
  },
  'POST /api/user/organization': {
    summary:
      'Moves a user to another organization (its functional name), admin included, where they become gebruiker or technicus; ends their sessions.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    body: z.object({
      email: AccountEmail,
      organization: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(254, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar'),
    }),
    response: User,
  },
  'POST /api/user/role': {
    summary:
      'Gives a user another role of their organization; ends their sessions. The last administrator stays.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ email: AccountEmail, role: z.enum(ROLES) }),
    response: User,
  },
  'POST /api/user/limit': {
    summary:
      'Limits a gebruiker or kijker to machines of some projects and labels, and a kijker to the present day; null ends the limit. Ends their sessions.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ email: AccountEmail, limit: WantedLimit }),
    response: User,
  },
  'POST /api/user/link': {
    summary:
      'Of a portal without a mail server (SMTP_URL): a link to hand over, by which the portal opens to somebody who registered (confirm, 7 days), or by which somebody with a lower role chooses a new password (password, 30 minutes). The log tells who handed it over.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ email: AccountEmail, what: z.enum(['confirm', 'password']) }),
    response: z.object({ link: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
