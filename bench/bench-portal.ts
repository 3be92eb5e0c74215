import { pino } from 'pino';
import { createAccount } from '#server/auth/new-account.ts';
import { readConfig } from '#server/config.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { openDatabase } from '#server/open-database.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { cheaplyHashed } from '#server/test/passwords.ts';
import { freePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { signalsOf } from './fleet.ts';
import type { Workplace } from './workplace.ts';

export type BenchLogger = KeyPair & { readonly loggerSerial: string; readonly streamId: number };

/** The portal as in production, as a process of its own with a database of its own. */
export type BenchPortal = {
  readonly pid: number;
  readonly port: number;
  readonly address: string;
  readonly pool: Pool;
  /** Of who owns the tables. */
  readonly owner: Pool;
  /** Starts a second process, on the same database. */
  second(): Promise<{ readonly pid: number; readonly port: number }>;
  /** Machines with a logger and its key each; in order, so that stream ids are too. */
  machines(count: number, definition?: Definition): Promise<BenchLogger[]>;
  /**
   * Stores reading `step` of every machine, at `timeMs`, as if their loggers had sent it.
   * @param signals of machine n, where they are not those of fleet.ts
   */
  report(
    loggers: readonly BenchLogger[],
    step: number,
    timeMs: number,
    signals?: typeof signalsOf,
  ): Promise<void>;
  /** Signs the administrator in. @returns the session's cookie, `name=value` */
  signIn(): Promise<string>;
  /** Signs somebody in whose organization has no machine. */
  signInWithoutMachines(): Promise<string>;
};

const ADMIN_EMAIL = 'bench@werkstroom.example';
const ADMIN_PASSWORD = 'only for the bench';
// Nothing answers there: the map is the built-in one, and nothing waits for the network.
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';
/** Machines per transaction. */
const CHUNK = 100;
const BATCH = 1_000;

/**
 * @param settings beside those of every bench
 * @param words what `node` runs instead of the production process
 */
export async function startBenchPortal(
  place: Workplace,
  settings: Readonly<Record<string, string>> = {},
  words?: readonly string[],
): Promise<BenchPortal> {
  const dataDir = await place.folder();
  const port = await freePort();
  const { NODE_OPTIONS } = process.env; // a profiler's --import, for one
  const start = async (at: number): Promise<RunningPortal> => {
    const environment = {
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
      STREET_TILES_URL: NO_TILES,
      SATELLITE_TILES_URL: NO_TILES,
      ...(NODE_OPTIONS && { NODE_OPTIONS }),
      ...settings,
    };
    const started = startPortal(dataDir, at, environment, words);
    place.onClose(async () => {
      await started.end('SIGTERM');
      // At this log level it is silent when all is well.
      if (started.output()) place.say(`The portal said:\n${started.output()}`);
    });
    await untilHealthy(started);
    return started;
  };
  const portal = await start(port);
  const { pool, owner, close } = await openDatabase(
    readConfig({ DATA_DIR: dataDir, ...settings }),
    pino({ level: 'silent' }),
  );
  place.onClose(close);
  const secrets = await openSecrets(undefined, dataDir);

  return {
    pid: portal.process.pid as number,
    port,
    address: portal.address,
    pool,
    owner,

    async second() {
      const at = await freePort();
      const { process } = await start(at);
      return { pid: process.pid as number, port: at };
    },

    async machines(count, definition) {
      const organizationId = await createOrganization(pool, {
        name: 'bench',
        clean: 'Bench',
        isLmbCustomer: false,
      });
      const loggers: BenchLogger[] = [];
      while (loggers.length < count) {
        const chunk = Array.from(
          { length: Math.min(CHUNK, count - loggers.length) },
          (_, n) => loggers.length + n,
        );
        await inTransaction(pool, async (client) => {
          for (const n of chunk) {
            const streamId = await createMachine(client, {
              serial: `BENCH-${n}`,
              alias: `Graafmachine ${n}`,
              organizationId,
              brand: 'Volta',
              model: 'EX-14',
              macaddress: '',
              batteries: [{ capacity: 130 }, { capacity: 130 }],
              accessories: [{ naam: 'Dieplepelbak', nummer: 1 }],
              initialHours: 0,
            });
            const loggerSerial = String(1_000_000 + n);
            const writerId = await createWriter(client, {
              streamId,
              loggerSerial,
              definition,
              at: new Date(),
            });
            loggers.push({ loggerSerial, streamId, ...(await createKey(client, secrets, writerId)) });
          }
        });
      }
      return loggers;
    },

    async report(loggers, step, time, signals = signalsOf) {
      await openPartitions(pool, Date.now).ensure([time], undefined);
      for (let from = 0; from < loggers.length; from += BATCH) {
        const readings = loggers
          .slice(from, from + BATCH)
          .map(({ streamId }, n) => ({ streamId, time, signals: signals(from + n, step) }));
        const { inserted } = await storeReadings(pool, readings);
        if (inserted !== readings.length)
          throw new Error(`${inserted} of ${readings.length} readings were new.`);
      }
    },

    signIn: () => enter(portal.address, ADMIN_EMAIL),

    async signInWithoutMachines() {
      const email = 'empty@werkstroom.example';
      const organizationId = await createOrganization(pool, {
        name: 'leeg',
        clean: 'Leeg',
        isLmbCustomer: false,
      });
      const passwordHash = await cheaplyHashed(ADMIN_PASSWORD);
      await createAccount(pool, { email, passwordHash, organizationId, isConfirmed: true });
      return enter(portal.address, email);
    },
  };
}

async function enter(address: string, email: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: ADMIN_PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!answer.ok || cookie === undefined) throw new Error(`Signing in failed: ${await answer.text()}`);
  return cookie;
}
