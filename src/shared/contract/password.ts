import { z } from 'zod';
import { Password } from './auth.ts';
import type { Endpoints } from './endpoint.ts';

/** Token of a mailed link. */
const Token = z.string().max(1_000, 'is te lang');

/** Changing one's own password, and choosing a new one by a mailed link. */
export const passwordApi = {
  'POST /api/account/password': {
    summary:
      "Changes the caller's password (8 to 128 characters); the present one must be given. All other sessions end; this one gets a new cookie.",
    dutch:
      'Wijzigt het eigen wachtwoord (8 tot 128 tekens) van wie het huidige geeft. Andere sessies eindigen, deze gaat verder met een nieuwe cookie.',
    beforeConfirmation: true,
    duringPasswordChange: true,
    body: z.object({ present: Password, new: Password }),
  },
  'POST /api/auth/reset-link': {
    summary: 'Returns the account of a mailed link; 400 when the link was used or has expired.',
    dutch: 'Van wie de gemailde link met dit token is. 400 als hij is gebruikt of verlopen.',
    access: 'public',
    body: z.object({ token: Token }),
    response: z.object({ email: z.string() }),
  },
  'POST /api/auth/reset-password-with-link': {
    summary:
      'Sets a new password (8 to 128 characters) with the token of a mailed link and ends all sessions of the account.',
    dutch:
      'Stelt met het token van de gemailde link een nieuw wachtwoord in (8 tot 128 tekens) en beëindigt alle sessies van het account.',
    access: 'public',
    body: z.object({ token: Token, newPassword: Password }),
  },
} as const satisfies Endpoints;
