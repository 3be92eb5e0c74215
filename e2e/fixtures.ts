import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { pino } from 'pino';
import { hashPassword } from '#server/auth/passwords.ts';
import { readConfig } from '#server/config.ts';
import { createLmbLogger, createMachine } from '#server/machines/machines.store.ts';
import { createAccount, createOrganization } from '#server/organizations/organizations.store.ts';
import { openSecrets, type Secrets } from '#server/platform/secrets.ts';
import { type OpenedDatabase, openDatabase } from '#server/process.ts';
import { freePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { createKey, createWriter } from '#server/writers/writers.store.ts';

export { expect };

const PASSWORD = 'a password for tests';
// Nothing answers there: the map is the built-in one, and no test waits for the network.
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';

export type Machine = {
  serial: string;
  alias: string;
  report(signals: Record<string, number>): Promise<void>;
};
export type Fleet = {
  readonly email: string;
  machine(
    details?: Partial<{ alias: string; brand: string; model: string; capacities: number[] }>,
  ): Promise<Machine>;
  lmbLogger(alias: string): Promise<Machine>;
};

/** The real portal as a process of its own, with a database of its own; one per worker. */
export class E2ePortal {
  readonly #dataDir: string;
  readonly #port: number;
  #process: RunningPortal;
  #database: OpenedDatabase | undefined;
  #secrets: Secrets | undefined;
  #passwordHash: string | undefined;
  #made = 0;

  private constructor(dataDir: string, port: number, process: RunningPortal) {
    this.#dataDir = dataDir;
    this.#port = port;
    this.#process = process;
  }

  static async start(): Promise<E2ePortal> {
    const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-e2e-'));
    const port = await freePort();
    const portal = new E2ePortal(dataDir, port, startPortal(dataDir, port, E2ePortal.#settings()));
    await untilHealthy(portal.#process);
    return portal;
  }

  static #settings(): Record<string, string> {
    return { STREET_TILES_URL: NO_TILES, SATELLITE_TILES_URL: NO_TILES, LOG_LEVEL: 'warn' };
  }

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  /** The server alone; its database goes with it. */
  async stop(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
    await this.#process.end('SIGTERM');
  }

  async startAgain(): Promise<void> {
    this.#process = startPortal(this.#dataDir, this.#port, E2ePortal.#settings());
    await untilHealthy(this.#process);
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async database(): Promise<OpenedDatabase> {
    this.#database ??= await openDatabase(readConfig({ DATA_DIR: this.#dataDir }), pino({ level: 'silent' }));
    return this.#database;
  }

  /** An organization of its own with one user; `role` decides what they may do. */
  async fleet(role: 'user' | 'logger' | 'admin' = 'user'): Promise<Fleet> {
    const { pool } = await this.database();
    this.#secrets ??= await openSecrets(undefined, this.#dataDir);
    this.#passwordHash ??= await hashPassword(PASSWORD);
    this.#made += 1;
    const name = `klant-${this.#made}`;
    const organizationId = await createOrganization(pool, {
      name,
      clean: `Klant ${this.#made}`,
      isBerende: role === 'logger',
    });
    const email = `${role}-${this.#made}@klant.nl`;
    const home =
      role === 'admin'
        ? (await pool.query(`select id from organization where name = 'admin'`)).rows[0].id
        : organizationId;
    await createAccount(pool, { email, passwordHash: this.#passwordHash, organizationId: home });
    return {
      email,
      machine: async ({ alias, brand = 'Volta', model = 'EX-1', capacities = [100] } = {}) => {
        this.#made += 1;
        const serial = `E2E-${this.#made}`;
        const name = alias ?? `Machine ${this.#made}`;
        const streamId = await createMachine(pool, {
          serial,
          alias: name,
          organizationId,
          brand,
          model,
          macaddress: '',
          batteries: capacities.map((capacity) => ({ capacity })),
          hulpstukken: [],
          initialHours: 0,
        });
        return { serial, alias: name, report: await this.#reporter(streamId, 1_000_000 + this.#made) };
      },
      lmbLogger: async (alias) => {
        this.#made += 1;
        const serial = String(2_000_000 + this.#made);
        const streamId = await createLmbLogger(pool, { serial, alias, organizationId });
        return { serial, alias, report: await this.#reporter(streamId, Number(serial)) };
      },
    };
  }

  /** A logger with a key of its own, that uploads snapshots over the door. Without GMT_UNIX the time is now. */
  async #reporter(streamId: number, logger: number): Promise<Machine['report']> {
    const { pool } = await this.database();
    const loggerSerial = String(logger);
    const writerId = await createWriter(pool, { streamId, loggerSerial, at: new Date() });
    const { accessKey, secret } = await createKey(pool, this.#secrets as Secrets, writerId);
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${this.#port}`,
      region: 'eu-central-1',
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    });
    return async (signals) => {
      const Body = JSON.stringify({ GMT_UNIX: Math.floor(Date.now() / 1000), ...signals });
      const Key = `E2E_SN${loggerSerial}/snapshot.json`;
      await client.send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body }));
    };
  }
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Inloggen' }).click();
  await expect(page).not.toHaveURL(/signin/);
}

export { PASSWORD };

type TestFixtures = {
  /** The console must stay silent, but for what a test expects. */
  readonly expectConsole: (pattern: RegExp) => void;
};

export const test = base.extend<TestFixtures, { portal: E2ePortal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
    async ({}, use) => {
      const portal = await E2ePortal.start();
      await use(portal);
      await portal.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ portal }, use) => use(portal.address),
  expectConsole: [
    async ({ page }, use) => {
      const expected: RegExp[] = [];
      const said: string[] = [];
      page.on('console', (message: ConsoleMessage) => {
        if (['warning', 'error'].includes(message.type())) said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(String(error)));
      await use((pattern) => expected.push(pattern));
      expect(said.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});
