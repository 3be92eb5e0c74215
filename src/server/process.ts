import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { addFirstOperatorRules } from './alerts/operator-rules.ts';
import { buildApp } from './app.ts';
import { ensureAdministrator, WeakPasswordError } from './auth/first-start.ts';
import { backupScheduleOf, startScheduledBackups } from './backup/scheduled-backups.ts';
import { type Config, ConfigError, configWarnings, secretTextsOf } from './config.ts';
import { type OpenedDatabase, openDatabase, StartError } from './open-database.ts';
import { type OutboundClients, openOutboundClients } from './outbound-ways.ts';
import { ApplicationRoleError } from './platform/application-role.ts';
import { logAudit } from './platform/audit.ts';
import type { Pool } from './platform/database.ts';
import { openLog } from './platform/log.ts';
import { MigrationError } from './platform/migrate.ts';
import { endPools, openPools } from './platform/pools.ts';
import { DatabaseStartError } from './platform/postgres/start-error.ts';
import {
  activateNextKey,
  deriveSecrets,
  isKeyOfDatabase,
  openSecrets,
  readKeyFile,
  readNextKey,
  type Secrets,
  SecretsKeyError,
} from './platform/secrets.ts';
import { isCluster } from './platform/shards.ts';
import { rateLimitedWarnings } from './platform/warn.ts';
import { openPortal } from './portal.ts';
import type { Settings } from './settings.ts';
import { stopInOrder, stopOnSignals } from './stop.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts the portal and runs it until SIGINT, SIGTERM or SIGHUP. If it cannot start, it prints the reason in one or two sentences. */
export async function startProcess(
  settings: () => Settings,
  outbound: (config: Config) => OutboundClients = openOutboundClients,
): Promise<void> {
  try {
    await run(settings(), outbound);
  } catch (error) {
    const known = [
      ConfigError,
      StartError,
      MigrationError,
      ApplicationRoleError,
      DatabaseStartError,
      SecretsKeyError,
      WeakPasswordError,
    ].some((kind) => error instanceof kind);
    process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

async function run(
  { config, source }: Settings,
  outbound: (config: Config) => OutboundClients,
): Promise<void> {
  const log = openLog(config.LOG_LEVEL, secretTextsOf(config));
  logAudit(log);
  log.info(source);
  // Node would print every field of the error, including those that log.ts leaves out.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'The portal stops after an unexpected error');
    process.exit(1);
  });
  await prepareDataDir(config.DATA_DIR);
  const database = await openDatabase(config, log);
  try {
    await serve(config, database, log, outbound(config));
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(
  config: Config,
  database: OpenedDatabase,
  log: Logger,
  outbound: OutboundClients,
): Promise<void> {
  const isOnCluster = await isCluster(database.pool);
  if (config.BACKUP_DIR && isOnCluster)
    throw new StartError(
      'BACKUP_DIR is set, but the database is a cluster: that is backed up by `npm run backup` while no portal runs. Take BACKUP_DIR out of the settings.',
    );
  const firstAdmin = await ensureAdministrator(database.pool, config, addFirstOperatorRules);
  const secrets = await openKey(database.pool, config);
  const pools = openPools({ pages: database.pool, owner: database.owner }, database.connection, (message) =>
    log.warn(message),
  );
  const portal = await openPortal(config, pools, database.connection, secrets, log, Date.now, outbound);
  const app = await buildApp(portal, `${ROOT}dist`);
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await portal.close();
    await endPools(pools);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.PORT} of ${config.HOST} is in use. Stop that program, or set PORT to another.`,
      );
    }
    throw new StartError(`Cannot listen on ${config.HOST}:${config.PORT}: ${message}`);
  }

  const schedule = backupScheduleOf(config);
  const backups =
    schedule &&
    startScheduledBackups(
      schedule,
      { pool: database.pool, owner: database.ownerConnection },
      rateLimitedWarnings(log, Date.now),
      Date.now,
    );
  const serving = async () => {
    await app.close();
    await backups?.close();
    await portal.close();
    await endPools(pools);
    await database.letGo();
  };
  const end = stopOnSignals(log, () => stopInOrder(serving, database.stop));
  database.whenOwnerGoes?.(end);
  for (const warning of [...configWarnings(config, isOnCluster), ...database.warnings]) log.warn(warning);
  if (firstAdmin) log.info(`The first administrator's e-mail and password are in ${firstAdmin}`);
  log.info(`Werkstroom is open at ${config.PUBLIC_URL}`);
}

/** Opens the encryption key. @throws StartError when it is not the key of this database */
async function openKey(pool: Pool, { SECRETS_KEY, DATA_DIR }: Config): Promise<Secrets> {
  const hasNoKey = !SECRETS_KEY && (await readKeyFile(DATA_DIR)) === undefined;
  if (hasNoKey && (await pool.query('select from secrets_check')).rowCount)
    throw new StartError(
      `The secrets in this database need their key: SECRETS_KEY is not set, and there is no secrets.key in DATA_DIR (${DATA_DIR}). No key was made.`,
    );
  const secrets = await openSecrets(SECRETS_KEY, DATA_DIR);
  if (await isKeyOfDatabase(pool, secrets)) return secrets;
  // A key rotation that was killed just after its commit leaves the new key in secrets.key.next.
  const next = SECRETS_KEY ? undefined : await readNextKey(DATA_DIR);
  if (next !== undefined && (await isKeyOfDatabase(pool, deriveSecrets(next)))) {
    await activateNextKey(DATA_DIR);
    return deriveSecrets(next);
  }
  throw new StartError(
    'SECRETS_KEY (or secrets.key in DATA_DIR) is not the key that the secrets in this database were made with. All processes on one database share it.',
  );
}

async function prepareDataDir(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} cannot be written: ${(error as Error).message}. Set DATA_DIR to a folder of your own.`,
    );
  }
}

/** Creates the folder and its parents. Node's `recursive` retries for ever if a folder cannot be created, such as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
