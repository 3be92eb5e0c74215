import { chmod, chown, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  canDieWithParent,
  DIE_WITH_PARENT_PREFIX,
  listCandidateAccounts,
  type PostgresAccount,
  type ProgramResult,
  runAs,
} from './account.ts';
import type { DataFolder } from './data-folder.ts';
import {
  copyPrograms,
  type PostgresPrograms,
  packagedPrograms,
  postgresProgramPath,
  runnablePrograms,
} from './programs.ts';
import { DatabaseStartError, programFailedError } from './start-error.ts';

/** How PostgreSQL runs on this system, found by trying. */
export type PostgresRunner = {
  readonly account: PostgresAccount;
  readonly programs: PostgresPrograms;
  /** Prefix for a program that must not outlive this process; empty if the system has no such means. */
  readonly prefix: readonly string[];
};

/**
 * Returns the first account and copy of the programs that work on this system with this data folder.
 * @throws DatabaseStartError that names everything that was tried
 */
export async function findPostgresRunner(
  data: DataFolder,
  packaged = packagedPrograms(),
): Promise<PostgresRunner> {
  const programs = await runnablePrograms(packaged, data.programs);
  const accounts = await listCandidateAccounts(data.path, data.cluster);
  const refusals: string[] = [];
  let printed = '';
  for (const account of accounts) {
    const prefix = await usablePrefix(account);
    if (account.become !== undefined && !(await letIn(data.path, account, prefix))) {
      refusals.push(`${account.name}: cannot enter ${path.dirname(data.path)}`);
      continue;
    }
    let tried = await tryRun(account, prefix, programs, data.path);
    if (tried.ok) return { account, programs, prefix };
    if (account.become !== undefined) {
      // Also tries a copy, because the programs are often in a folder that only root can enter.
      const copy = await copyPrograms(packaged, data.programs);
      tried = await tryRun(account, prefix, copy, data.path);
      if (tried.ok) return { account, programs: copy, prefix };
    }
    printed = tried.printed;
    refusals.push(`${account.name}: ${printed.split('\n')[0]}`);
  }
  if (process.getuid?.() !== 0) throw programFailedError(printed, 'postgres --version');
  throw new DatabaseStartError(
    `PostgreSQL refuses to run as root, and no other account can run it here (${refusals.join('; ')}). ` +
      'Run Werkstroom as a normal user, put DATA_DIR where every user may enter, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Tries whether the program loads, and whether the account can open the data folder. */
function tryRun(
  account: PostgresAccount,
  prefix: readonly string[],
  programs: PostgresPrograms,
  dataDir: string,
): Promise<ProgramResult> {
  const postgres = postgresProgramPath(programs, 'postgres');
  if (process.platform === 'win32') return runAs(account, prefix, [postgres, '--version']);
  const script = 'cd "$1" && exec "$2" --version';
  return runAs(account, prefix, ['sh', '-c', script, 'sh', dataDir, postgres]);
}

async function usablePrefix(account: PostgresAccount): Promise<readonly string[]> {
  if (!canDieWithParent()) return [];
  return (await runAs(account, DIE_WITH_PARENT_PREFIX, ['true'])).ok ? DIE_WITH_PARENT_PREFIX : [];
}

/** Gives another account access to the data folder, through its group; returns false if the account cannot enter the parent folder. */
async function letIn(dataDir: string, account: PostgresAccount, prefix: readonly string[]): Promise<boolean> {
  if (!(await runAs(account, prefix, ['test', '-x', path.dirname(dataDir)])).ok) return false;
  const folder = await stat(dataDir);
  if (folder.uid === account.uid || (folder.mode & 0o001) !== 0) return true;
  await chown(dataDir, folder.uid, account.gid);
  await chmod(dataDir, (folder.mode & 0o7777) | 0o010);
  return true;
}
