import type { AddressConfirmation } from '#server/auth/address-confirmation.ts';
import { factorResetEmail } from '#server/auth/factor-emails.ts';
import { resetFactors } from '#server/auth/factors.store.ts';
import type { PasswordResets } from '#server/auth/password-resets.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { runPeopleChange } from '#server/organizations/change-people.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { forbidden, notFound } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { mayResetFactorOf, type Role } from '#shared/domain/access.ts';
import { createHandOverLink } from './hand-over.ts';
import { deleteUser, listUsers, moveUser, setAccessLimit, setRole } from './users.store.ts';

type UserParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mailer;
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
    serve('POST /api/user/limit', ({ caller, body }) => setAccessLimit(pool, caller, body.email, body.limit));
    serve('POST /api/user/reset-factor', async ({ caller, body }) => {
      await resetUserFactors(pool, mail, publicUrl, caller, body.email);
      return { message: 'De tweede stap is gereset.' };
    });
    serve('POST /api/user/link', async ({ caller, body }) => ({
      link: await createHandOverLink(parts, caller, body),
    }));
  },
};

const EQUAL =
  'Van iemand met dezelfde rol kun je de tweede stap niet resetten. Een administrator kan het voor een beheerder; voor een administrator kan het alleen op de server, met npm run reset-factor.';

/**
 * Deletes the second factors of a person who lost them, ends their sessions and mails them.
 * @throws ProblemError 404 outside the caller's scope; 403 for a person who is not below the caller
 */
const resetUserFactors = (
  pool: Pool,
  mail: Mailer,
  publicUrl: string,
  { email: actor, role, scope }: Caller,
  email: string,
): Promise<void> =>
  runPeopleChange(pool, { email }, async (client) => {
    const { rows } = await client.query<{ id: number; email: string; role: Role }>(
      `select id, email, role from account
       where ($1::integer[] is null or /*rule:factor-reset-scope*/ organization_id = any ($1) /*=true*/)
         and lower(email) = lower($2) for no key update`,
      [organizationsParameter(scope), email],
    );
    const user = rows[0];
    if (!user) throw notFound('Deze gebruiker bestaat niet.');
    if (!mayResetFactorOf(role, user.role)) throw forbidden(EQUAL);
    await resetFactors(client, user.id);
    await audit(client, { actor, action: 'factor.reset', subject: user.email, data: {} });
    await mail.queue(client, factorResetEmail(user.email, publicUrl));
  });
