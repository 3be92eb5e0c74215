import { pino } from 'pino';
import { ConfigError, secretTextsOf } from './config.ts';
import { StartError } from './open-database.ts';
import { ApplicationRoleError } from './platform/application-role.ts';
import { logAudit } from './platform/audit.ts';
import { openLog } from './platform/log.ts';
import { MigrationError } from './platform/migrate.ts';
import { DatabaseStartError } from './platform/postgres/start-error.ts';
import { SecretsKeyError } from './platform/secrets.ts';
import type { Settings } from './settings.ts';

/**
 * Writes the settings that the command uses, and each row that it adds to the log as a line of JSON, to standard error. Standard output
 * only has the result.
 */
export function beginCommand({ config, source }: Settings): void {
  process.stderr.write(`${source}\n`);
  const standardError = pino.destination({ fd: 2, sync: true });
  logAudit(openLog(config.LOG_LEVEL, secretTextsOf(config), standardError));
}

/** An error that the person who typed the command can act on; it is shown without a stack. */
export class CommandError extends Error {}

/**
 * Runs a command to its end and shows errors that a person can act on as one sentence. SIGINT and SIGTERM abort it, after which it
 * cleans up.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  try {
    process.stdout.write(`${await work(stop.signal)}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(
      `${stop.signal.aborted ? 'Broken off; nothing is left of it.' : errorSentence(error)}\n`,
    );
    process.exit(1);
  }
}

const KNOWN = [
  CommandError,
  ConfigError,
  StartError,
  DatabaseStartError,
  ApplicationRoleError,
  MigrationError,
  SecretsKeyError,
];

/** Returns the sentence for an error. @param kinds errors whose message is a sentence, beside those that every command has */
export function errorSentence(
  error: unknown,
  kinds: readonly (new (...args: never[]) => Error)[] = [],
): string {
  if ([...KNOWN, ...kinds].some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code ?? ''))
    return `There is no room for the backup (${message}). Nothing is left of it.`;
  // A message of PostgreSQL with its code, for example about a full disk or a missing right.
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `The database refused: ${message} (${code}).`;
  return stack ?? message;
}

/** Returns a progress line that is overwritten on a terminal and absent elsewhere. */
export function createProgressLine(what: string): { show(done: number, total: number): void; end(): void } {
  let shown = '';
  return {
    show(done, total) {
      if (!process.stderr.isTTY) return;
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
      const line = `\r${what.padEnd(10)} [${bar}] ${Math.round(part * 100)} % `;
      if (line === shown) return;
      shown = line;
      process.stderr.write(line);
    },
    end() {
      if (shown) process.stderr.write('\n');
    },
  };
}
