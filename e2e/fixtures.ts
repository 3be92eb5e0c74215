import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { test as base, type ConsoleMessage, expect, type Page, type WorkerFixture } from '@playwright/test';
import axe from 'axe-core';
import { pino } from 'pino';
import { createAccount } from '#server/auth/new-account.ts';
import { readConfig } from '#server/config.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { type ParsedMail, parseMail } from '#server/mail/test/mailbox.ts';
import { type OpenedDatabase, openDatabase } from '#server/open-database.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { endPools, openPools } from '#server/platform/pools.ts';
import { openSecrets, type Secrets } from '#server/platform/secrets.ts';
import { openPortal } from '#server/portal.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { cheaplyHashed } from '#server/test/passwords.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { createKey } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Role } from '#shared/domain/access.ts';

export { expect };

declare global {
  interface Window {
    /** axe-core, once the test has loaded it into the page. */
    axe?: typeof axe;
  }
}

/** Matches console messages of the browser, and one of the portal, while the portal is unreachable. */
export const UNREACHABLE_MESSAGES = /ERR_|Failed to load|live data could not be fetched/;

/** The marker of a machine on the map; its popup has a button with the same name. */
export const mapMarker = (page: Page, name: string | RegExp) =>
  page
    .getByRole('region', { name: 'Kaart met machines' })
    .locator('.leaflet-marker-pane')
    .getByRole('button', { name });

/**
 * Matches console messages about machines without a position, and about more machines than a browser stores. These messages fail no test,
 * because an administrator also sees the machines of other tests.
 */
const OF_OTHER_TESTS = /has no position|no copy is kept/;
export const PASSWORD = 'a password for tests';
// No server listens at this address, so that the map is the built-in one and no test waits for the network.
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';

export type Machine = {
  serial: string;
  alias: string;
  /** Seven digits, as on a ReXgen. */
  loggerSerial: string;
  /** Uploads signals as a JSON snapshot; without GMT_UNIX their time is now. */
  report(signals: Record<string, number>): Promise<void>;
  /** Uploads a JSON document unchanged, with its own time fields, under a file name. */
  upload(file: string, document: Readonly<Record<string, unknown>>): Promise<void>;
  /** Uploads a file into the logger's folder. */
  put(name: string, body: string): Promise<void>;
};
export type Fleet = {
  readonly email: string;
  /** The organization of the machines; an administrator's own organization is `admin`. */
  readonly organization: { readonly name: string; readonly clean: string; readonly code: string };
  machine(
    /** `takes`: the serial number of a logger that another machine had until now. */
    details?: Partial<{ alias: string; brand: string; model: string; capacities: number[]; takes: string }>,
  ): Promise<Machine>;
  lmbLogger(alias: string): Promise<Machine>;
  /** Adds a person to the organization. @returns their e-mail address */
  colleague(kind: 'user' | 'viewer' | 'manager'): Promise<string>;
};

/** The role for each kind of person; a 'logger' is a user of an LMB logging customer. */
const ROLE_OF = {
  user: 'gebruiker',
  viewer: 'kijker',
  manager: 'beheerder',
  logger: 'gebruiker',
  admin: 'administrator',
} as const satisfies Record<string, Role>;

/** The portal in a separate process, as in production, with its own database and mail server. Each Playwright worker has one. */
export class E2ePortal {
  readonly #dataDir: string;
  readonly #port: number;
  readonly #mailServer: MailServer;
  #process: RunningPortal;
  #database: OpenedDatabase | undefined;
  #secrets: Secrets | undefined;
  #passwordHash: string | undefined;
  #made = 0;

  readonly #extra: Readonly<Record<string, string>>;
  readonly #words: readonly string[] | undefined;

  private constructor(
    dataDir: string,
    port: number,
    mailServer: MailServer,
    extra: Readonly<Record<string, string>>,
    words: readonly string[] | undefined,
  ) {
    this.#extra = extra;
    this.#words = words;
    this.#dataDir = dataDir;
    this.#port = port;
    this.#mailServer = mailServer;
    this.#process = startPortal(dataDir, port, this.#settings(), words);
  }

  /**
   * Starts a portal.
   * @param extra settings that only these tests need
   * @param words arguments of `node`; default: those of the production process
   */
  static async start(
    extra: Readonly<Record<string, string>> = {},
    words?: readonly string[],
  ): Promise<E2ePortal> {
    const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-e2e-'));
    const portal = new E2ePortal(dataDir, await findFreePort(), await startMailServer(), extra, words);
    await untilHealthy(portal.#process).catch(async (error) => {
      await portal.close();
      throw error;
    });
    return portal;
  }

  #settings(): Record<string, string> {
    return {
      STREET_TILES_URL: NO_TILES,
      SATELLITE_TILES_URL: NO_TILES,
      LOG_LEVEL: 'warn',
      SMTP_URL: `smtp://127.0.0.1:${this.#mailServer.port}`,
      ...this.#extra,
    };
  }

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Returns the administrator that the first start made, from its file. */
  async firstAdministrator(): Promise<{ email: string; password: string }> {
    const [email = '', password = ''] = (
      await readFile(join(this.#dataDir, 'first-admin.txt'), 'utf8')
    ).split('\n');
    return { email, password };
  }

  /** Stops the server and its database; the mail server stays. */
  async stop(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
    await this.#process.end('SIGTERM');
  }

  async startAgain(): Promise<void> {
    this.#process = startPortal(this.#dataDir, this.#port, this.#settings(), this.#words);
    await untilHealthy(this.#process);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#mailServer.close();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async database(): Promise<OpenedDatabase> {
    this.#database ??= await openDatabase(readConfig({ DATA_DIR: this.#dataDir }), pino({ level: 'silent' }));
    return this.#database;
  }

  /** The mails to that address, oldest first. */
  mailsTo(email: string): ParsedMail[] {
    return this.#mailServer.delivered.map(({ source }) => parseMail(source)).filter(({ to }) => to === email);
  }

  /**
   * Returns the mails to that address once there are `count`. Opens a second portal that evaluates alerts without delay; the first
   * portal does so every 10 seconds.
   */
  async chargingMails(email: string, count: number): Promise<ParsedMail[]> {
    const { pool, owner, connection } = await this.database();
    const pools = openPools({ pages: pool, owner }, connection, () => {});
    const config = readConfig({ DATA_DIR: this.#dataDir, ...this.#settings() });
    const secrets = await this.#opened();
    const other = await openPortal(config, pools, connection, secrets, pino({ level: 'silent' }));
    try {
      // Repeats the evaluation, because it is skipped while the first process evaluates alerts.
      const mails = async () => {
        await other.alerts.evaluateReadings();
        await other.alerts.notify();
        return this.mailsTo(email);
      };
      await expect.poll(mails, { timeout: 40_000 }).toHaveLength(count);
      return this.mailsTo(email);
    } finally {
      await other.close();
      await endPools(pools);
    }
  }

  async #opened(): Promise<Secrets> {
    this.#secrets ??= await openSecrets(undefined, this.#dataDir);
    return this.#secrets;
  }

  /** Makes an organization with one user; `kind` decides the user's role. */
  async fleet(kind: keyof typeof ROLE_OF = 'user'): Promise<Fleet> {
    const { pool } = await this.database();
    this.#passwordHash ??= await cheaplyHashed(PASSWORD);
    this.#made += 1;
    const name = `klant-${this.#made}`;
    const clean = `Klant ${this.#made}`;
    const organizationId = await createOrganization(pool, { name, clean, isLmbCustomer: kind === 'logger' });
    // Sets registration by code, because a new organization would require that a beheerder approves each person.
    const { rows } = await pool.query<{ code: string }>(
      `update organization set registration = 'code' where id = $1 returning code`,
      [organizationId],
    );
    const email = `${kind}-${this.#made}@klant.nl`;
    const home =
      kind === 'admin'
        ? (await pool.query(`select id from organization where name = 'admin'`)).rows[0].id
        : organizationId;
    await createAccount(pool, {
      email,
      passwordHash: this.#passwordHash,
      organizationId: home,
      role: ROLE_OF[kind],
      isConfirmed: true,
    });
    return {
      email,
      organization: { name, clean, code: rows[0]!.code },
      machine: async ({ alias, brand = 'Volta', model = 'EX-1', capacities = [100], takes } = {}) => {
        this.#made += 1;
        const made = this.#made;
        const serial = `E2E-${made}`;
        const name = alias ?? `Machine ${made}`;
        const streamId = await createMachine(pool, {
          serial,
          alias: name,
          organizationId,
          brand,
          model,
          macaddress: '',
          batteries: capacities.map((capacity) => ({ capacity })),
          accessories: [],
          initialHours: 0,
        });
        const loggerSerial = takes ?? String(1_000_000 + made);
        const uploads = await this.#uploads(streamId, Number(loggerSerial));
        return { serial, alias: name, loggerSerial, ...uploads };
      },
      colleague: async (colleagueKind) => {
        this.#made += 1;
        const colleague = `${colleagueKind}-${this.#made}@klant.nl`;
        const passwordHash = this.#passwordHash as string;
        await createAccount(pool, {
          email: colleague,
          passwordHash,
          organizationId,
          role: ROLE_OF[colleagueKind],
        });
        return colleague;
      },
      lmbLogger: async (alias) => {
        this.#made += 1;
        const serial = String(2_000_000 + this.#made);
        const streamId = await createStream(pool, 'logger', { serial, alias, organizationId });
        const uploads = await this.#uploads(streamId, Number(serial));
        return { serial, alias, loggerSerial: serial, ...uploads };
      },
    };
  }

  /**
   * Makes a logger with a key of its own. Returns functions that upload as this logger through the upload endpoint. A snapshot without
   * GMT_UNIX gets the present time, or a second more than the previous snapshot, because the portal keeps only the first of two
   * snapshots with the same time.
   */
  async #uploads(streamId: number, logger: number): Promise<Pick<Machine, 'report' | 'upload' | 'put'>> {
    const { pool } = await this.database();
    const loggerSerial = String(logger);
    const writerId = await createWriter(pool, { streamId, loggerSerial, at: new Date() });
    const { accessKey, secret } = await createKey(pool, await this.#opened(), writerId);
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${this.#port}`,
      region: 'eu-central-1',
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    });
    const put = async (name: string, Body: string): Promise<void> => {
      const Key = `E2E_SN${loggerSerial}/${name}`;
      await client.send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body }));
    };
    let second = 0;
    return {
      put,
      upload: (file, document) => put(file, JSON.stringify(document)),
      report: (signals) => {
        second = signals.GMT_UNIX ?? Math.max(second + 1, Math.floor(Date.now() / 1000));
        return put('snapshot.json', JSON.stringify({ ...signals, GMT_UNIX: second }));
      },
    };
  }
}

/**
 * Makes the sign-in of a person older than 10 minutes, and waits until the portal, which caches sessions, uses
 * the new time.
 */
export async function expireReauthentication(page: Page, portal: E2ePortal, email: string): Promise<void> {
  const { pool } = await portal.database();
  await pool.query(
    `update session set proved_at = now() - interval '11 minutes'
     where account_id = (select id from account where email = $1)`,
    [email],
  );
  // The missing body of this call does not matter, because re-authentication is checked before the body, with status 403.
  const empty = () => page.request.post('/api/account/factors/totp/confirm', { headers: SCRIPT_HEADERS });
  await expect.poll(async () => (await empty()).status()).toBe(403);
}

/** Signs in by a call, for tests that do not begin at the sign-in page. */
export async function signInByApi(page: Page, email: string, password = PASSWORD): Promise<void> {
  const answer = await page.request.post('/api/auth/login', {
    data: { email, password },
    headers: SCRIPT_HEADERS,
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Signs in by the form, which leads to the map. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Inloggen', exact: true }).click();
  await expect(page).not.toHaveURL(/signin/);
}

/** Removes the session from the browser and leaves the portal's page, which would poll. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Expects that axe finds nothing (WCAG 2.2 AA and best practices), in light and, for colours, in dark (docs/design.md section 10). */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothingFound(page, what);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNothingFound(page, `${what}, in the dark`, {
    runOnly: ['color-contrast', 'link-in-text-block'],
  });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNothingFound(
  page: Page,
  what: string,
  options: { runOnly?: string[] } = {},
): Promise<void> {
  // An element that is fading in has too little contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (runOptions) => (await window.axe!.run({ resultTypes: ['violations'], ...runOptions })).violations,
    options,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, what).toEqual([]);
}

type TestFixtures = {
  /** Expects console messages of this pattern; all other warnings and errors fail the test. */
  readonly expectConsole: (pattern: RegExp) => void;
};

/** The portal of a worker, in the state after the first `npm start`. */
export const workerPortalFixture: [WorkerFixture<E2ePortal, object>, { scope: 'worker'; timeout: number }] = [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
  async ({}, use) => {
    const portal = await E2ePortal.start();
    await use(portal);
    await portal.close();
  },
  { scope: 'worker', timeout: 200_000 },
];

export const test = base.extend<TestFixtures, { portal: E2ePortal }>({
  portal: workerPortalFixture,
  baseURL: ({ portal }, use) => use(portal.address),
  context: async ({ context, serviceWorkers }, use) => {
    // Playwright would log to the console each service worker that it blocks.
    if (serviceWorkers === 'block')
      await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
    await use(context);
  },
  expectConsole: [
    async ({ page }, use) => {
      const expected = [OF_OTHER_TESTS];
      const said: string[] = [];
      page.on('console', (message: ConsoleMessage) => {
        if (['warning', 'error'].includes(message.type()))
          said.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => said.push(String(error)));
      await use((pattern) => expected.push(pattern));
      expect(said.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens the mailed link, confirms the address and opens the portal. */
export async function confirmAddress(page: Page, portal: E2ePortal, email: string): Promise<void> {
  await page.goto(await waitForMailedLink(portal, email, 'bevestigen'));
  await page.getByRole('button', { name: 'Bevestig' }).click();
  await page.getByRole('link', { name: 'Naar het portaal' }).click();
  await expect(page).toHaveURL('/');
}

/** Waits for a mail to that address with a link to `path`. @returns path and hash of the link in the newest such mail */
export async function waitForMailedLink(portal: E2ePortal, email: string, path: string): Promise<string> {
  const pattern = new RegExp(`http://\\S+/${path}#\\S+`);
  let found: string | undefined;
  await expect
    .poll(
      () => {
        const links = portal.mailsTo(email).map(({ text }) => pattern.exec(text)?.[0]);
        found = links.findLast((link) => link !== undefined);
        return found;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  const link = new URL(found as unknown as string);
  // Leaves out the origin, because the link in the mail begins with PUBLIC_URL, which may differ from the address that the test uses.
  return link.pathname + link.hash;
}
