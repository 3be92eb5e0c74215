import { hashPassword } from '#server/auth/passwords.ts';
import { createLmbLogger, createMachine, findStream } from '#server/machines/machines.store.ts';
import {
  createAccount,
  createOrganization,
  findOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createKey, createWriter, type KeyPair, type NewWriter } from '#server/writers/writers.store.ts';
import { demoLmbLoggers, demoMachines } from '#shared/demo/fleet.ts';
import { CAN_BRAND, KIPSTRA_DEFINITION } from '#shared/demo/kipstra-can.ts';
import { demoOrganizations, demoUsers } from '#shared/demo/organizations.ts';

/** A demo logger's key pair, for the simulator. */
export type SeededKey = KeyPair & { readonly loggerSerial: string };

/** Makes what is missing of the demo's organizations, users, machines, loggers and keys; safe to repeat. */
export async function seedDemo(pool: Pool, secrets: Secrets, now: Date): Promise<readonly SeededKey[]> {
  return inTransaction(pool, async (client) => {
    const organizations = new Map<string, number>();
    for (const organization of demoOrganizations) {
      const id =
        (await findOrganization(client, organization.name)) ??
        (await createOrganization(client, organization));
      organizations.set(organization.name, id);
    }
    const organizationId = (name: string): number => {
      const id = organizations.get(name);
      if (id === undefined) throw new Error(`The demo names an organization that it does not have: ${name}`);
      return id;
    };
    for (const { email, password, organization } of demoUsers) {
      const { rowCount } = await client.query('select 1 from account where lower(email) = $1', [email]);
      if (rowCount) continue;
      const passwordHash = await hashPassword(password);
      await createAccount(client, { email, passwordHash, organizationId: organizationId(organization) });
      await audit(client, { actor: 'demo', action: 'user.create', subject: email, data: {} });
    }
    const keys: SeededKey[] = [];
    for (const machine of demoMachines) {
      const { serialNumber, alias, model, loggerSerial, macaddress, startHours, organization } = machine;
      const streamId =
        (await findStream(client, serialNumber)) ??
        (await createMachine(client, {
          serial: serialNumber,
          alias,
          organizationId: organizationId(organization),
          brand: model.brand,
          model: model.model,
          macaddress,
          batteries: model.capacitiesKwh.map((capacity) => ({ capacity })),
          hulpstukken: model.hulpstukken,
          initialHours: startHours,
        }));
      const definition = model.brand === CAN_BRAND ? KIPSTRA_DEFINITION : undefined;
      const key = await keyOf(client, secrets, { streamId, loggerSerial, definition, at: now });
      keys.push({ loggerSerial, ...key });
    }
    for (const { loggerid, alias, organization } of demoLmbLoggers) {
      const streamId =
        (await findStream(client, loggerid)) ??
        (await createLmbLogger(client, {
          serial: loggerid,
          alias,
          organizationId: organizationId(organization),
        }));
      const key = await keyOf(client, secrets, { streamId, loggerSerial: loggerid, at: now });
      keys.push({ loggerSerial: loggerid, ...key });
    }
    return keys;
  });
}

/** The key in force of the logger that reports for a stream; bound and made when there is none. */
async function keyOf(client: Transaction, secrets: Secrets, writer: NewWriter): Promise<KeyPair> {
  const { rows } = await client.query<{ access_key: string; secret: Buffer }>(
    `select k.access_key, k.secret from writer w join writer_key k on k.writer_id = w.id
     where w.stream_id = $1 and w.logger_serial = $2 and w.valid_to = 'infinity' and k.retired_at is null`,
    [writer.streamId, writer.loggerSerial],
  );
  if (rows[0]) return { accessKey: rows[0].access_key, secret: secrets.open(rows[0].secret) };
  return createKey(client, secrets, await createWriter(client, writer));
}
