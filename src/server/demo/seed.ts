import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { addTariff } from '#server/charging-tariffs/tariffs.store.ts';
import {
  copyDefinition,
  setNextDefinition,
  setWriterDefinition,
} from '#server/definitions/definitions.store.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization, findOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createStream, findStream } from '#server/streams/streams.store.ts';
import { addTerrein } from '#server/terreinen/terreinen.store.ts';
import type { ConfigSettings } from '#server/writers/configuration-settings.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter, type NewWriter } from '#server/writers/writers.store.ts';
import { demoLmbLoggers, demoMachines } from '#shared/demo/fleet.ts';
import { demoOrganizations, demoUsers, FLEET_OWNER, LMB_OWNER } from '#shared/demo/organizations.ts';
import { amsterdamDay, daysAfter } from '#shared/domain/amsterdam-time.ts';
import type { Area } from '#shared/domain/area.ts';
import type { ChargingTariff } from '#shared/domain/charging-tariffs.ts';
import type { TerreinKind } from '#shared/domain/terrein-kinds.ts';
import { addDemoAlerts } from './alerts.ts';
import { addDemoContacts } from './contacts.ts';
import { addDefinitions, definitionIdToCopy } from './definitions.ts';
import { addDemoLabels } from './labels.ts';
import { addLoggerConfig, readDownloadedConfig } from './logger-config.ts';
import { addDemoMaintenance } from './maintenance.ts';
import { addDemoProjects } from './projects.ts';
import { addDemoWorkWeeks } from './work-weeks.ts';

/** A terrein in the demo, where some machines are parked (src/simulator/work-sites.ts). */
type DemoTerrein = {
  readonly organization: string;
  readonly terreinName: string;
  readonly terreinKind: TerreinKind;
  readonly areas: readonly Area[];
};

const demoTerreinen: readonly DemoTerrein[] = [
  {
    organization: FLEET_OWNER,
    terreinName: 'Depot Lelystad',
    terreinKind: 'depot',
    areas: [{ centre: { lat: 52.499, lon: 5.483 }, radiusMetres: 400 }],
  },
  {
    organization: FLEET_OWNER,
    terreinName: 'Werf Goes',
    terreinKind: 'yard',
    areas: [{ centre: { lat: 51.495, lon: 3.9 }, radiusMetres: 400 }],
  },
  {
    // The workshop lies inside the area of a project.
    organization: FLEET_OWNER,
    terreinName: 'Werkplaats Barendrecht',
    terreinKind: 'workshop',
    areas: [{ centre: { lat: 51.858, lon: 4.535 }, radiusMetres: 250 }],
  },
];

type DemoTariff = Omit<ChargingTariff, 'firstDay' | 'lastDay'> & {
  /** First day of the tariff, in days before the demo was created. */
  readonly begunBefore: number;
};

const CONTRACT = { nightFrom: 23, nightTo: 7, nightWeekend: true };

/** Charging tariffs by organization, the oldest first. */
const demoTariffs: Readonly<Record<string, readonly DemoTariff[]>> = {
  [FLEET_OWNER]: [
    { ...CONTRACT, begunBefore: 400, dayPrice: 0.27315, nightPrice: 0.21485 },
    { ...CONTRACT, begunBefore: 12, dayPrice: 0.25894, nightPrice: 0.20167 },
  ],
  [LMB_OWNER]: [{ ...CONTRACT, begunBefore: 400, dayPrice: 0.2415, nightPrice: null }],
};

/** Key pair of a demo logger and the configuration that it runs, for the simulator. */
export type DemoLoggerKey = KeyPair & { readonly loggerSerial: string; readonly configGuid?: string };

/** Adds the missing organizations, users, machines, loggers, definitions, keys, projects, tariffs, labels and alert rules of the demo. Safe to repeat. */
export async function seedDemo(
  pool: Pool,
  secrets: Secrets,
  settings: ConfigSettings,
  now: Date,
): Promise<readonly DemoLoggerKey[]> {
  await inTransaction(pool, addDemoAdministration);
  await addDefinitions(pool);
  return inTransaction(pool, async (client) => {
    const keys: DemoLoggerKey[] = [];
    for (const machine of demoMachines) {
      const { serialNumber, loggerSerial } = machine;
      const streamId = (await findStream(client, serialNumber)) as number;
      const definition = await definitionIdToCopy(client, machine, streamId);
      const writer = { streamId, loggerSerial, definition, at: now };
      await bind(client, secrets, writer);
      await addLoggerConfig(client, secrets, settings, serialNumber, now);
      keys.push({ loggerSerial, ...(await keyOf(client, secrets, writer)) });
    }
    for (const { loggerid } of demoLmbLoggers) {
      const streamId = (await findStream(client, loggerid)) as number;
      const writer = { streamId, loggerSerial: loggerid, definition: undefined, at: now };
      await bind(client, secrets, writer);
      keys.push({ loggerSerial: loggerid, ...(await keyOf(client, secrets, writer)) });
    }
    await addDemoProjects(client, now);
    await addDemoTerreinen(client, now);
    await addDemoWorkWeeks(client);
    await addDemoTariffs(client, now);
    await addDemoContacts(client);
    await addDemoLabels(client);
    await addDemoAlerts(client, now);
    await addDemoMaintenance(client, now);
    return keys;
  });
}

async function addDemoAdministration(client: Transaction): Promise<void> {
  const organizations = new Map<string, number>();
  for (const organization of demoOrganizations) {
    const id =
      (await findOrganization(client, organization.name)) ?? (await createOrganization(client, organization));
    organizations.set(organization.name, id);
  }
  const organizationId = (name: string): number => {
    const id = organizations.get(name);
    if (id === undefined) throw new Error(`The demo names an organization that it does not have: ${name}`);
    return id;
  };
  for (const { email, password, organization, role } of demoUsers) {
    const { rowCount } = await client.query('select 1 from account where lower(email) = $1', [email]);
    if (rowCount) continue;
    const passwordHash = await hashPassword(password);
    await createAccount(client, {
      email,
      passwordHash,
      organizationId: organizationId(organization),
      role,
      isConfirmed: true,
    });
    await audit(client, { actor: 'demo', action: 'user.create', subject: email, data: {} });
  }
  for (const machine of demoMachines) {
    const { serialNumber, alias, model, macaddress, startHours, registrationNumber, organization } = machine;
    if ((await findStream(client, serialNumber)) !== undefined) continue;
    const streamId = await createMachine(client, {
      serial: serialNumber,
      alias,
      organizationId: organizationId(organization),
      brand: model.brand,
      model: model.model,
      macaddress,
      batteries: model.capacitiesKwh.map((capacity) => ({ capacity })),
      accessories: model.accessories,
      initialHours: startHours,
      registrationNumber,
      sebCategory: model.sebCategory,
      powerKw: model.powerKw,
    });
    // The stream must be older than its example history.
    await client.query(`update stream set created_at = now() - interval '60 days' where id = $1`, [streamId]);
  }
  for (const { loggerid, alias, organization } of demoLmbLoggers) {
    if ((await findStream(client, loggerid)) !== undefined) continue;
    const logger = { serial: loggerid, alias, organizationId: organizationId(organization) };
    await createStream(client, 'logger', logger);
  }
}

const KEYS = `from writer w join writer_key k on k.writer_id = w.id
  where w.stream_id = $1 and w.logger_serial = $2 and w.valid_to = 'infinity' and k.retired_at is null`;

/** A logger, its stream, and the id of the data definition that is copied for its binding, if there is one. */
type DemoWriter = NewWriter & { readonly definition: number | undefined };

/**
 * Binds the logger to its stream and gives it a key, unless it is bound and has a key. An existing binding without a definition gets a
 * copy of `writer.definition`.
 */
async function bind(client: Transaction, secrets: Secrets, writer: DemoWriter): Promise<void> {
  const { rows } = await client.query<{ id: number; lacks: boolean }>(
    `select w.id, w.definition_id is null as lacks ${KEYS}`,
    [writer.streamId, writer.loggerSerial],
  );
  const [bound] = rows;
  if (!bound) {
    await createKey(client, secrets, await createWriter(client, writer));
    await setNextDefinition(client, writer.streamId, undefined);
  } else if (bound.lacks && writer.definition !== undefined) {
    const origin = { streamId: writer.streamId, madeBy: undefined };
    await setWriterDefinition(client, bound.id, await copyDefinition(client, writer.definition, origin));
  }
}

/** Returns the key that the logger signs with: the key of its configuration, otherwise its oldest valid key. */
async function keyOf(
  client: Transaction,
  secrets: Secrets,
  { streamId, loggerSerial }: NewWriter,
): Promise<KeyPair & { configGuid?: string }> {
  const loaded = await readDownloadedConfig(client, streamId);
  const { rows } = await client.query<{ accessKey: string; secret: Buffer }>(
    `select k.access_key, k.secret ${KEYS} order by k.access_key = $3 desc nulls last, k.created_at limit 1`,
    [streamId, loggerSerial, loaded?.accessKey ?? null],
  );
  const key = rows[0] as { accessKey: string; secret: Buffer };
  const pair = {
    accessKey: key.accessKey,
    secret: secrets.open('writer_key.secret', key.accessKey, key.secret),
  };
  return loaded ? { ...pair, configGuid: loaded.configGuid } : pair;
}

/** Adds charging tariffs to the demo's organizations; skips an organization that already has a tariff. */
async function addDemoTariffs(client: Transaction, now: Date): Promise<void> {
  for (const [name, tariffs] of Object.entries(demoTariffs)) {
    const organizationId = (await findOrganization(client, name)) as number;
    const { rowCount } = await client.query('select from charging_tariff where organization_id = $1', [
      organizationId,
    ]);
    if (rowCount) continue;
    for (const { begunBefore, ...tariff } of tariffs) {
      const firstDay = daysAfter(amsterdamDay(now.getTime()), -begunBefore);
      await addTariff(client, organizationId, { ...tariff, firstDay, lastDay: null, terreinId: null });
    }
  }
}

/** Length of the demo's history: presences at a demo terrein are computed from its beginning. */
const COMPUTED_BACK_MS = 35 * 86_400_000;

/** Adds the demo's missing terreinen; changed and deleted ones stay as they are. */
async function addDemoTerreinen(client: Transaction, now: Date): Promise<void> {
  for (const { organization, ...terrein } of demoTerreinen) {
    const organizationId = (await findOrganization(client, organization)) as number;
    const { rowCount } = await client.query('select from terrein where organization_id = $1 and name = $2', [
      organizationId,
      terrein.terreinName,
    ]);
    if (rowCount) continue;
    const fields = { ...terrein, areas: [...terrein.areas] as never };
    await addTerrein(client, organizationId, fields, now.getTime() - COMPUTED_BACK_MS);
  }
}
