import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { CANDUMP_DEFINITION } from '#server/telemetry/test/logs.ts';
import { type Logger, makeLoggers } from '#server/test/loggers.ts';
import type { FaultPortal } from './fault-portal.ts';
import { signIn } from './person.ts';

/**
 * An organization with the session of a person, the serial numbers of its machines, and their loggers, which have a data definition.
 */
export type Tenant = {
  readonly cookie: string;
  readonly serials: readonly string[];
  readonly loggers: readonly Logger[];
};

const PASSWORD = 'a password of a customer';

/**
 * Makes an organization with a user, and with machines whose serial numbers are `N-0`, `N-1` … for the prefix N.
 * @param first the first logger's serial number
 */
export async function makeTenant(
  portal: FaultPortal,
  organization: string,
  prefix: string,
  first: number,
  machines: number,
): Promise<Tenant> {
  const email = `gebruiker@${organization}.example`;
  const loggers = await portal.withDatabase(async ({ pool }) => {
    const secrets = await openSecrets(undefined, portal.dataDir);
    const made = await makeLoggers(
      pool,
      secrets,
      machines,
      { organization, prefix, first },
      CANDUMP_DEFINITION,
    );
    await addUser(pool, email, organization);
    return made;
  });
  const serials = loggers.map((_, n) => `${prefix}-${n}`);
  return { loggers, serials, cookie: await signIn(portal, email, PASSWORD) };
}

async function addUser(pool: Pool, email: string, organization: string): Promise<void> {
  const organizationId = await findOrganization(pool, organization);
  if (organizationId === undefined) throw new Error(`There is no ${organization}.`);
  await createAccount(pool, {
    email,
    passwordHash: await hashPassword(PASSWORD),
    organizationId,
    isConfirmed: true,
  });
}
