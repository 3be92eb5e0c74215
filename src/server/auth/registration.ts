import { createAccount } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import type { Registration } from '#shared/contract/auth.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { hashPassword } from './passwords.ts';

/**
 * Makes an account in the active organization with that code; never in `admin` (AUTH-08). A wrong code and an
 * e-mail that has an account already get the same answer after the same time.
 * @throws ProblemError 400
 */
export async function register(
  pool: Pool,
  { email, password, organizationCode }: Registration,
): Promise<void> {
  const code = organizationCode.replace(/[\s-]/g, '').toUpperCase();
  const passwordHash = await hashPassword(password);
  const registered = await inTransaction(pool, async (client) => {
    // The lock: an organization that is being disabled or deleted takes nobody in any more.
    const { rows } = await client.query<{ id: number; name: string }>(
      `select id, name from organization
       where upper(translate(code, ' -', '')) = $1 and is_active and name <> $2 for no key update`,
      [code, ADMIN_ORGANIZATION],
    );
    const organization = rows[0];
    if (!organization) return false;
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
