import type { AddressConfirmation } from '#server/auth/address-confirmation.ts';
import type { PasswordResets } from '#server/auth/password-resets.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Mail } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { handOverLink } from './hand-over.ts';
import { resetUserFactors } from './reset-factor.ts';
import { deleteUser, listUsers, moveUser, setLimit, setRole } from './users.store.ts';

type UserParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mail;
  readonly publicUrl: string;
  readonly confirmation: AddressConfirmation;
  readonly resets: PasswordResets;
};

/** Registers the calls about users (API-01, Users). */
export const users: Module<Caller, UserParts> = {
  topics: {
    user: { title: 'Gebruikers', about: 'Gebruikers en bij welke organisatie zij horen.' },
  },
  routes: (serve, parts) => {
    const { pool, secrets, mail, publicUrl } = parts;
    serve('GET /api/user/get', ({ caller }) => listUsers(pool, caller.scope));
    serve('DELETE /api/user/delete', async ({ caller, query }) => {
      await deleteUser(pool, secrets, caller, query.email, query.mayReturn);
      return { message: 'De gebruiker is verwijderd.' };
    });
    serve('POST /api/user/organization', ({ caller, body }) =>
      moveUser(pool, caller, body.email, body.organization),
    );
    serve('POST /api/user/role', ({ caller, body }) => setRole(pool, caller, body.email, body.role));
    serve('POST /api/user/limit', ({ caller, body }) => setLimit(pool, caller, body.email, body.limit));
    serve('POST /api/user/reset-factor', async ({ caller, body }) => {
      await resetUserFactors(pool, mail, publicUrl, caller, body.email);
      return { message: 'De tweede stap is gereset.' };
    });
    serve('POST /api/user/link', async ({ caller, body }) => ({
      link: await handOverLink(parts, caller, body),
    }));
  },
};
