import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** What a browser may know of the signed-in user. `organization` is the functional name; 'admin' administers. */
export const SessionUser = z.object({
  email: z.string(),
  organization: z.string(),
  cleanorg: z.string(),
  isBerende: z.boolean(),
});
export type SessionUser = z.output<typeof SessionUser>;

const Credentials = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1024),
});

/** Specification section 7, Auth. Registration and reset come with the administration issue. */
export const authApi = {
  'GET /api/auth/validate-token': {
    summary: 'Who is signed in; without a valid session isAuthenticated is false and user is absent.',
    access: 'public',
    changes: false,
    response: z.object({ isAuthenticated: z.boolean(), user: SessionUser.optional() }),
  },
  'POST /api/auth/login': {
    summary: 'Signs in: sets the session cookie.',
    access: 'public',
    changes: true,
    body: Credentials,
    response: z.object({ message: z.string(), user: SessionUser }),
  },
  'POST /api/auth/logout': {
    summary: 'Ends the session on the server and removes the cookie.',
    access: 'public',
    changes: true,
    response: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
