import { ConfigError } from '#server/config.ts';
import { MigrationError } from '#server/platform/migrate.ts';
import { DatabaseStartError } from '#server/platform/postgres/start-error.ts';
import { SecretsKeyError } from '#server/platform/secrets.ts';

/** A reason that a backup cannot be made, read or restored, which a person can do something about; shown without a stack. */
export class BackupError extends Error {}

/** @returns the one argument of the command @throws BackupError with how it is used */
export function fileArgument(usage: string): string {
  const [file, ...more] = process.argv.slice(3);
  if (!file || file.startsWith('-') || more.length > 0) throw new BackupError(usage);
  return file;
}

/**
 * Runs a command to its end; what a person can act on is one sentence. SIGINT and SIGTERM break it off, and it clears
 * up behind itself.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  try {
    process.stdout.write(`${await work(stop.signal)}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(
      `${stop.signal.aborted ? 'Broken off; nothing is left of it.' : sentenceOf(error)}\n`,
    );
    process.exit(1);
  }
}

function sentenceOf(error: unknown): string {
  if (
    [BackupError, ConfigError, DatabaseStartError, MigrationError, SecretsKeyError].some(
      (kind) => error instanceof kind,
    )
  ) {
    return (error as Error).message;
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code ?? ''))
    return `There is no room for the backup (${message}). Nothing is left of it.`;
  // PostgreSQL's own words, with its code: a disk that is full, a right that is missing.
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `The database refused: ${message} (${code}).`;
  return stack ?? message;
}

/** One line that is written over, on a terminal; elsewhere nothing. */
export function progressOf(what: string): { show(done: number, total: number): void; end(): void } {
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
