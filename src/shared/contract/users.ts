import { z } from 'zod';
import { AccountEmail } from './auth.ts';
import type { Endpoint } from './endpoint.ts';

/** `organization` is the functional name, `cleanorg` the display name. */
export const User = z.object({
  _id: z.string(),
  email: z.string(),
  organization: z.string(),
  cleanorg: z.string(),
});
export type User = z.output<typeof User>;

/** API-01, Users; and moving one (USER-01). */
export const usersApi = {
  'GET /api/user/get': {
    summary: 'All users, in the order of their e-mail addresses.',
    access: 'admin',
    changes: false,
    response: z.array(User),
  },
  'DELETE /api/user/delete': {
    summary: 'Deletes a user and ends their sessions; the last administrator stays.',
    access: 'admin',
    changes: true,
    query: z.object({ email: AccountEmail }),
    response: z.object({ message: z.string() }),
  },
  'POST /api/user/organization': {
    summary:
      'Moves a user to another organization (its functional name), admin included; ends their sessions.',
    access: 'admin',
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
} as const satisfies Record<string, Endpoint>;
