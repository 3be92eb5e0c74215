import type pg from 'pg';
import { pino } from 'pino';
import { beginCommand, createProgressLine, runCommand } from './command.ts';
import type { Config } from './config.ts';
import { openExisting } from './open-database.ts';
import { audit } from './platform/audit.ts';
import { openClient, withCommitCallbacks } from './platform/database.ts';
import { otherDatabaseClientNames } from './platform/other-database-clients.ts';
import { findLivingOwner } from './platform/postgres/owner-lock.ts';
import {
  activateNextKey,
  createNextKey,
  deriveSecrets,
  isKeyCheckSample,
  isKeyOfDatabase,
  readKeyFile,
  SecretsKeyError,
} from './platform/secrets.ts';
import { lockKeySample, resealAll } from './sealed-columns.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm run rotate-key

  Encrypts every secret in the database with a new key, in one transaction. Stop every portal first. The key of until now is
  SECRETS_KEY_OLD, else the one in DATA_DIR/secrets.key; the new one is SECRETS_KEY, else one that is made up and put into
  DATA_DIR/secrets.key. What is broken off has changed nothing: start it again.`;

const APPLICATION = 'werkstroom rotate-key';
const GONE_WITHIN_MS = 3_000;

/** Runs `npm run rotate-key`. */
await runCommand(async () => {
  const settings = readSettings();
  const { config, words } = settings;
  if (words.length > 0) throw new SecretsKeyError(USAGE);
  beginCommand(settings);
  const owner = config.DATABASE_URL ? undefined : await findLivingOwner(config.DATA_DIR);
  if (owner) throw inUse(`Process ${owner.pid} runs the database in DATA_DIR (${config.DATA_DIR}).`);
  const former = config.SECRETS_KEY_OLD ?? (await readKeyFile(config.DATA_DIR));
  if (former === undefined)
    throw new SecretsKeyError(
      `There is no key to rotate: SECRETS_KEY_OLD is not set, and there is no secrets.key in DATA_DIR (${config.DATA_DIR}). Set SECRETS_KEY_OLD to the key of until now.`,
    );
  const key = config.SECRETS_KEY ?? (await createNextKey(config.DATA_DIR));
  if (key.toLowerCase() === former.toLowerCase())
    throw new SecretsKeyError(
      'The new key is the one of until now. Make another: openssl rand -hex 32. Nothing was changed.',
    );

  const database = await openExisting(config, pino({ level: 'silent' }));
  try {
    if (database.whenOwnerGoes)
      throw inUse(`Another process runs the database in DATA_DIR (${config.DATA_DIR}).`);
    await database.letGo();
    const values = await rotate(database.connection, former, key);
    const kept = config.SECRETS_KEY ? undefined : await activateNextKey(config.DATA_DIR);
    return [
      values === undefined
        ? 'Everything is encrypted with the new key already.'
        : `${values} values are encrypted with the new key now.`,
      whereKeyIs(config, kept),
      'Links in mails of before no longer unsubscribe by themselves. Backups of before open with the former key only: keep it with them, apart from the new one.',
    ].join('\n');
  } finally {
    await database.stop();
  }
});

function inUse(by: string): SecretsKeyError {
  return new SecretsKeyError(
    `${by} Stop every portal first: it would go on encrypting with the former key. Nothing was changed.`,
  );
}

function whereKeyIs({ SECRETS_KEY, DATA_DIR }: Config, kept: string | undefined): string {
  if (SECRETS_KEY) return 'It is SECRETS_KEY of the settings: take SECRETS_KEY_OLD out of them.';
  const former = kept === undefined ? '' : ` The former one is kept as ${kept}.`;
  return `It is in ${DATA_DIR}/secrets.key: keep a copy elsewhere.${former}`;
}

/** Re-encrypts all values. Returns their number; undefined if they are encrypted with the key already. @throws SecretsKeyError */
async function rotate(
  connection: pg.ClientConfig,
  formerKey: string,
  newKey: string,
): Promise<number | undefined> {
  const [former, secrets] = [deriveSecrets(formerKey), deriveSecrets(newKey)];
  const progress = createProgressLine('Encrypting');
  const client = openClient({ ...connection, application_name: APPLICATION });
  await client.connect();
  try {
    await client.query('begin; set local statement_timeout = 0');
    // If the database has no key sample yet, isKeyOfDatabase() stores one of the new key, and no value needs to be encrypted again.
    const sealed = (await isKeyOfDatabase(client, secrets)) ? undefined : await lockKeySample(client);
    if (sealed === undefined) {
      await client.query('commit');
      return undefined;
    }
    if (!isKeyCheckSample(former, sealed))
      throw new SecretsKeyError(
        'The secrets in this database were encrypted with another key than the one of until now (SECRETS_KEY_OLD, or secrets.key in DATA_DIR). Nothing was changed.',
      );
    // The lock on the key sample makes a portal that starts now wait until the rotation ends; then it notices that its key is not valid.
    const others = await whoStays(client);
    if (others.length > 0) throw inUse(`Another client is connected to the database (${others.join(', ')}).`);
    const values = await resealAll(client, former.open, secrets, progress.show);
    await withCommitCallbacks(client, async () => {
      await audit(client, {
        actor: 'rotate-key',
        action: 'secrets.rotate',
        subject: 'SECRETS_KEY',
        data: { values },
      });
      await client.query('commit');
    });
    return values;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    progress.end();
    await client.end().catch(() => {});
  }
}

/**
 * Waits until no other client is connected, or a time limit has passed, and returns the clients that are still connected. The wait is
 * needed because PostgreSQL still lists a connection just after it closed.
 */
async function whoStays(client: pg.Client): Promise<string[]> {
  for (const deadline = performance.now() + GONE_WITHIN_MS; ; ) {
    const others = await otherDatabaseClientNames(client);
    if (others.length === 0 || performance.now() > deadline) return others;
    await new Promise((again) => setTimeout(again, 50));
    // Without this statement the list of clients would stay as the transaction first read it.
    await client.query('select pg_stat_clear_snapshot()');
  }
}
