import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ConfigError, readConfig } from '#server/config.ts';
import { requireDataFolder, StartError, startOrJoinDatabase } from '#server/open-database.ts';
import { DatabaseStartError } from '#server/platform/postgres/start-error.ts';

/**
 * `npm run psql`: a prompt on the development database, as the role that owns its tables; `-- "select 1"` runs one statement.
 * DATA_DIR names another data folder than data/dev, and DATABASE_URL another database.
 *
 * The embedded PostgreSQL has no psql. Where the computer has none either, a prompt of this file takes its place.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const statement = process.argv.slice(3).join(' ');

function findPsql(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'psql')).find((file) => existsSync(file));
}

/** Runs psql. @returns its exit code */
function runPsql(psql: string, connection: pg.Client): number {
  const { status } = spawnSync(psql, ['-v', 'ON_ERROR_STOP=0', ...(statement ? ['-c', statement] : [])], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PGHOST: connection.host,
      PGPORT: String(connection.port),
      PGUSER: connection.user,
      PGDATABASE: connection.database,
      ...(connection.password ? { PGPASSWORD: String(connection.password) } : {}),
    },
  });
  return status ?? 1;
}

/** Runs SQL and prints its rows. @returns whether the database accepted it */
async function print(client: pg.Client, sql: string): Promise<boolean> {
  try {
    for (const result of [await client.query(sql)].flat()) {
      if (result.fields.length > 0) console.table(result.rows);
      console.log(`${result.command} ${result.rowCount ?? ''}`.trim());
    }
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

/** Reads statements, each up to a line that ends with a semicolon, until the end of the input. */
async function prompt(client: pg.Client): Promise<void> {
  console.log('psql is not installed: this prompt runs SQL that ends with ";" and ends with Ctrl-D.');
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: 'werkstroom=# ' });
  let sql = '';
  // If the input is a pipe, it may have ended before its lines are read, and a closed interface cannot prompt.
  let isOpen = true;
  lines.once('close', () => {
    isOpen = false;
  });
  lines.prompt();
  for await (const line of lines) {
    sql += `${line}\n`;
    if (line.trimEnd().endsWith(';')) {
      await print(client, sql);
      sql = '';
    }
    if (isOpen) lines.prompt();
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  process.env.DATA_DIR ??= resolve(ROOT, 'data/dev');
  const config = readConfig(process.env);
  await requireDataFolder(config).catch(() => {
    throw new StartError(
      `There is no database in ${config.DATA_DIR}: run \`npm run dev -- --demo\` first, or name another data folder with DATA_DIR.`,
    );
  });
  const { owner, stop } = await startOrJoinDatabase(config);
  const client = new pg.Client(owner);
  try {
    const psql = findPsql();
    if (psql) return runPsql(psql, client);
    await client.connect();
    if (statement) return (await print(client, statement)) ? 0 : 1;
    await prompt(client);
    return 0;
  } finally {
    await client.end();
    await stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isKnown = [ConfigError, StartError, DatabaseStartError].some((kind) => error instanceof kind);
  console.error(isKnown ? (error as Error).message : error);
  process.exitCode = 1;
}
