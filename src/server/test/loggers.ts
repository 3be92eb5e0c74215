import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';

export type Logger = KeyPair & { readonly loggerSerial: string; readonly streamId: number };

/** An organization `klant` with machines `K-0`, `K-1` …, each with a logger of its own (3000000, 3000001 …). */
export async function makeLoggers(pool: Pool, secrets: Secrets, count: number): Promise<Logger[]> {
  const organizationId = await createOrganization(pool, {
    name: 'klant',
    clean: 'Klant',
    isLmbCustomer: false,
  });
  const loggers: Logger[] = [];
  for (let n = 0; n < count; n++) {
    const loggerSerial = String(3_000_000 + n);
    const streamId = await createMachine(pool, {
      serial: `K-${n}`,
      alias: `K ${n}`,
      organizationId,
      brand: 'b',
      model: 'm',
      macaddress: '',
      batteries: [],
      accessories: [],
      initialHours: 0,
    });
    const writerId = await createWriter(pool, { streamId, loggerSerial, at: new Date() });
    loggers.push({ loggerSerial, streamId, ...(await createKey(pool, secrets, writerId)) });
  }
  return loggers;
}
