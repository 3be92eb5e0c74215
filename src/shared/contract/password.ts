import { z } from 'zod';
import { Message, Password } from './auth.ts';
import type { Endpoint } from './endpoint.ts';

/** Of a mailed link, as it arrived. */
const Token = z.string().max(1_000, 'is te lang');

/** One's own password: changing it, and choosing one by a mailed link. */
export const passwordApi = {
  'POST /api/account/password': {
    summary:
      'Changes one’s own password (8 to 128 characters) for who gives the present one. All other sessions end, this one goes on with a new cookie.',
    access: 'session',
    beforeConfirmation: true,
    duringPasswordChange: true,
    changes: true,
    body: z.object({ present: Password, new: Password }),
    response: Message,
  },
  'POST /api/auth/reset-link': {
    summary: 'Whose the mailed link with this token is; 400 when it was used or has ended.',
    access: 'public',
    changes: true,
    body: z.object({ token: Token }),
    response: z.object({ email: z.string() }),
  },
  'POST /api/auth/reset-password-with-link': {
    summary:
      'Sets a new password (8 to 128 characters) with the token of a mailed link and ends all sessions of the account.',
    access: 'public',
    changes: true,
    body: z.object({ token: Token, newPassword: Password }),
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
