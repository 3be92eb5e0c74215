import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { forbidden, invalid } from '#server/platform/problem.ts';
import type { Registration } from '#shared/contract/auth.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { requireNewPassword } from './guessable.ts';
import type { Hasher } from './hash-turns.ts';
import { IS_ONLY_OIDC } from './local-sign-in.ts';
import { createAccount } from './new-account.ts';
import { hashPassword } from './passwords.ts';

const NO_CODE_NEEDED =
  "Deze organisatie laat alleen inloggen met haar eigen account toe. Kies 'Log in via je organisatie': een code is niet nodig.";

/**
 * Makes an account in the active organization with that code; never in `admin` (AUTH-08). A wrong code and an
 * e-mail that has an account already get the same answer after the same time.
 * @throws ProblemError 400
 */
export async function register(
  pool: Pool,
  { email, password, organizationCode }: Registration,
  by: Hasher,
): Promise<void> {
  const code = organizationCode.replace(/[\s-]/g, '').toUpperCase();
  const passwordHash = await hashPassword(password, by);
  const registered = await inTransaction(pool, async (client) => {
    // The lock: an organization that is being disabled or deleted takes nobody in any more.
    const { rows } = await client.query<{ id: number; name: string; clean: string; isOnlyOidc: boolean }>(
      `select id, name, clean, ${IS_ONLY_OIDC} as "isOnlyOidc" from organization o
       where upper(translate(code, ' -', '')) = $1 and is_active and name <> $2 for no key update`,
      [code, ADMIN_ORGANIZATION],
    );
    const organization = rows[0];
    if (!organization) return false;
    if (organization.isOnlyOidc) throw forbidden(NO_CODE_NEEDED);
    // Said to who has the code only: they know what the organization is called.
    await requireNewPassword(password, { email, names: [organization.name, organization.clean] });
    const made = await createAccount(client, { email, passwordHash, organizationId: organization.id });
    if (made === undefined) return false;
    await audit(client, {
      actor: email,
      action: 'user.register',
      subject: email,
      data: { organization: organization.name },
    });
    return true;
  });
  if (!registered) {
    throw invalid(
      "Registreren is niet gelukt. Controleer de organisatiecode. Heb je al een account? Log dan in, of kies 'Wachtwoord Vergeten?'.",
    );
  }
}
