import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type pg from 'pg';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import { buildApp } from '#server/app.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { readConfig } from '#server/config.ts';
import type { FileDownloadLimits } from '#server/machine-files/module.ts';
import { createMachine, type NewMachine } from '#server/machines/machines.store.ts';
import { createOrganization, findOrganization } from '#server/organizations/organizations.store.ts';
import { type OutboundClients, openOutboundClients } from '#server/outbound-ways.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import { endPools, openPools } from '#server/platform/pools.ts';
import { deriveSecrets, type Secrets } from '#server/platform/secrets.ts';
import { openPortal, type Portal } from '#server/portal.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { ADMIN_ORGANIZATION, type Role } from '#shared/domain/access.ts';
import { SCRIPT_HEADERS } from './by-script.ts';
import { testDatabase } from './database.ts';
import { cheaplyHashed } from './passwords.ts';

export type TestLogger = KeyPair & {
  readonly loggerSerial: string;
  readonly streamId: number;
  readonly writerId: number;
};

/** The real application on a database of its test file, listening on a free port. */
export type TestPortal = {
  readonly app: FastifyInstance;
  /** Pool of the role that owns the tables; the portal itself works as another role. */
  readonly pool: Pool;
  readonly portal: Portal;
  /** Connection of the role that owns the tables. */
  readonly connection: pg.ClientConfig;
  /** Connection of the portal's role. */
  readonly application: pg.ClientConfig;
  readonly secrets: Secrets;
  /** http://127.0.0.1:PORT */
  readonly address: string;
  /** Creates an organization where registering with its code needs no approval. */
  organization(name: string, options?: { isLmbCustomer?: boolean }): Promise<number>;
  /** Creates a user with the password PASSWORD; by default a gebruiker, or an administrator in `admin`. */
  user(email: string, organizationId: number, role?: Role): Promise<void>;
  /** Signs in and returns the cookie. */
  login(email: string): Promise<string>;
  /** Waits until this process has received the notifications of every change so far. */
  untilNotified(): Promise<void>;
  get(url: string, cookie?: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  machine(organizationId: number, machine?: Partial<NewMachine>): Promise<number>;
  /** Binds a logger to a stream, with a key. */
  logger(streamId: number, loggerSerial: string, definition?: Definition, at?: Date): Promise<TestLogger>;
  /** Stops the application; its database stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

export const SECRETS_KEY = '11'.repeat(32);
export const PASSWORD = 'a test password';
let hashed: Promise<string> | undefined;
/** Number in the name of the last created machine; begins at 1,000, so that names with equal numbers of digits sort by creation. */
let machines = 1_000;

export async function testPortal(
  settings: Record<string, string> = {},
  now: () => number = Date.now,
  log: Logger = pino({ level: 'silent' }),
  fileLimits?: FileDownloadLimits,
  outbound: Partial<OutboundClients> = {},
): Promise<TestPortal> {
  const database = await testDatabase();
  const { pool, application } = database;
  // As in production the portal works as a role that owns nothing. Tests read and change rows as the owner.
  const pages = openPool(application, () => {});
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-portal-'));
  // Nothing answers on port 9, so the portal draws its built-in map, and no test waits for the network.
  const tiles = 'http://127.0.0.1:9/{z}/{x}/{y}.png';
  const config = readConfig({
    DATA_DIR: dataDir,
    STREET_TILES_URL: tiles,
    SATELLITE_TILES_URL: tiles,
    // Many tests sign in as an administrator and do not test the second factor.
    REQUIRE_SECOND_FACTOR: 'none',
    ...settings,
  });
  const secrets = deriveSecrets(SECRETS_KEY);
  const pools = openPools({ pages, owner: pool }, application, () => {});
  const portal = await openPortal(config, pools, application, secrets, log, now, {
    ...openOutboundClients(config),
    ...outbound,
  });
  // The front end is not served, because the e2e suite tests it.
  const app = askedByScript(await buildApp(portal, dataDir, fileLimits));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const words = new Set<string | undefined>();
  portal.changes.onSession((what) => words.add(what));
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      await app.close();
      await portal.close();
      await endPools(pools);
      if (!pages.ended) await pages.end();
    })();
    return stopped;
  };
  return {
    app,
    pool,
    portal,
    connection: database.connection,
    application,
    secrets,
    address,
    async organization(name, { isLmbCustomer = false } = {}) {
      const id = await createOrganization(pool, { name, clean: `${name} BV`, isLmbCustomer });
      await pool.query(`update organization set registration = 'code' where id = $1`, [id]);
      return id;
    },
    async user(email, organizationId, role) {
      hashed ??= cheaplyHashed(PASSWORD);
      const isAdmin = organizationId === (await findOrganization(pool, ADMIN_ORGANIZATION));
      const usual = isAdmin ? 'administrator' : 'gebruiker';
      await createAccount(pool, {
        email,
        passwordHash: await hashed,
        organizationId,
        role: role ?? usual,
        isConfirmed: true,
      });
    },
    async login(email) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email, password: PASSWORD },
      });
      if (answer.statusCode !== 200) throw new Error(`${email} cannot sign in: ${answer.body}`);
      return String(answer.headers['set-cookie']).split(';', 1)[0] as string;
    },
    async untilNotified() {
      // PostgreSQL delivers notifications in order: once the notification with `word` arrives, the earlier ones have arrived too.
      const word = `test ${randomUUID()}`;
      await expect
        .poll(
          async () => {
            await pool.query(`select pg_notify('werkstroom', $1)`, [word]);
            return words.has(word);
          },
          { timeout: 10_000 },
        )
        .toBe(true);
    },
    get: (url, cookie, headers = {}) =>
      app.inject({ url, headers: { ...(cookie && { cookie }), ...headers } }),
    machine(organizationId, machine = {}) {
      machines += 1;
      return createMachine(pool, {
        serial: `T-${machines}`,
        alias: `Machine ${machines}`,
        organizationId,
        brand: 'Volta',
        model: 'EX-1',
        macaddress: '',
        batteries: [{ capacity: 100 }],
        accessories: [],
        initialHours: 0,
        ...machine,
      });
    },
    async logger(streamId, loggerSerial, definition, at = new Date()) {
      const writerId = await createWriter(pool, { streamId, loggerSerial, definition, at });
      return { loggerSerial, streamId, writerId, ...(await createKey(pool, secrets, writerId)) };
    },
    stop,
    async close() {
      await stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes `inject` add the headers of a script (by-script.ts) to each call, unless the caller sets them itself. */
function askedByScript(app: FastifyInstance): FastifyInstance {
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<LightMyRequestResponse>;
  const asScript = (asked: InjectOptions | string) => {
    const options = typeof asked === 'string' ? { url: asked } : asked;
    return inject({ ...options, headers: { ...SCRIPT_HEADERS, ...options.headers } });
  };
  return Object.assign(app, { inject: asScript as FastifyInstance['inject'] });
}
