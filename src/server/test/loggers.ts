import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Definition } from '#shared/contract/definition.ts';

export type Logger = KeyPair & { readonly loggerSerial: string; readonly streamId: number };

/** Defaults of makeLoggers: the organization, the prefix of its machines' serial numbers, and the serial number of the first logger. */
const KLANT = { organization: 'klant', prefix: 'K', first: 3_000_000 };

/** Creates an organization with machines `K-0`, `K-1` …, each with its own logger (3000000, 3000001 …). */
export async function makeLoggers(
  pool: Pool,
  secrets: Secrets,
  count: number,
  { organization, prefix, first }: typeof KLANT = KLANT,
  definition?: Definition,
): Promise<Logger[]> {
  const organizationId = await createOrganization(pool, {
    name: organization,
    clean: organization,
    isLmbCustomer: false,
  });
  const loggers: Logger[] = [];
  for (let n = 0; n < count; n++) {
    const loggerSerial = String(first + n);
    const streamId = await createMachine(pool, {
      serial: `${prefix}-${n}`,
      alias: `${prefix} ${n}`,
      organizationId,
      brand: 'b',
      model: 'm',
      macaddress: '',
      batteries: [],
      accessories: [],
      initialHours: 0,
    });
    const writerId = await createWriter(pool, { streamId, loggerSerial, definition, at: new Date() });
    loggers.push({ loggerSerial, streamId, ...(await createKey(pool, secrets, writerId)) });
  }
  return loggers;
}
