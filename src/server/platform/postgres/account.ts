import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** The operating-system user as which PostgreSQL runs, because it refuses to run as root. */
export type PostgresAccount = {
  /** Name of the account in messages. */
  readonly name: string;
  /** Command prefix that switches to the account. */
  readonly wrap: readonly string[];
  /** User and group that this process switches to for PostgreSQL. */
  readonly become?: { readonly uid: number; readonly gid: number };
  /** User and group that own PostgreSQL's files; these are the ids outside a user namespace. */
  readonly uid: number;
  readonly gid: number;
};

type Named = { readonly name: string; readonly uid: number; readonly gid: number };

/** Parses /etc/passwd (passwd(5)). */
export function parsePasswdUsers(passwd: string): Named[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * Returns the accounts to try, best first. A normal user has only the user's own account. Root has three: the owner of the data,
 * so that a later start without root works; a user namespace, in which root appears as a normal user and still reads root's
 * folders; and the system account `nobody`.
 */
export async function listCandidateAccounts(dataDir: string, cluster: string): Promise<PostgresAccount[]> {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const itself: PostgresAccount = { name: 'this user', wrap: [], uid, gid };
  if (process.platform === 'win32') return [itself];
  const users = parsePasswdUsers(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (uid !== 0) return hasName() ? [itself] : [namespace(users, uid, gid), itself];

  const owner = await ownerOf(users, [cluster, dataDir]);
  const nobody = users.find(({ name }) => name === 'nobody') ?? { name: 'nobody', uid: 65534, gid: 65534 };
  const accounts = [
    owner === undefined ? undefined : become(owner),
    process.platform === 'linux' ? namespace(users, uid, gid) : undefined,
    become(nobody),
  ];
  return accounts.filter((account) => account !== undefined);
}

/**
 * Returns an account that runs PostgreSQL in a user namespace. initdb looks its user up by number, so the namespace shows a user
 * number that has a name on this system.
 */
function namespace(users: readonly Named[], uid: number, gid: number): PostgresAccount {
  const shown = [1000, 65534].find((number) => users.some((user) => user.uid === number));
  const as = shown ?? users.find((user) => user.uid > 0)?.uid ?? 1000;
  return {
    name: 'a user namespace (unshare)',
    wrap: ['unshare', '--user', `--map-user=${as}`, `--map-group=${as}`],
    uid,
    gid,
  };
}

function become({ name, uid, gid }: Named): PostgresAccount {
  return { name: `user ${name}`, wrap: [], become: { uid, gid }, uid, gid };
}

function hasName(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Returns the owner of the first of these files whose owner is not root and has a name in /etc/passwd. */
async function ownerOf(users: readonly Named[], files: readonly string[]): Promise<Named | undefined> {
  for (const file of files) {
    const uid = (await stat(file).catch(() => undefined))?.uid ?? 0;
    const user = users.find((candidate) => candidate.uid === uid);
    if (uid !== 0 && user !== undefined) return user;
  }
  return undefined;
}

/** Command prefix that makes the kernel send SIGINT to a program when this process dies, even by kill -9 (prctl(2), PR_SET_PDEATHSIG). */
export const DIE_WITH_PARENT_PREFIX = ['setpriv', '--pdeathsig', 'INT', '--'];

/**
 * Returns whether DIE_WITH_PARENT_PREFIX may be used. In a worker thread it may not, because the kernel already sends the signal when the
 * thread that started the program ends.
 */
export function canDieWithParent(): boolean {
  return process.platform === 'linux' && isMainThread;
}

/**
 * Environment variables for finding programs, libraries and temporary files. Windows starts no program without SYSTEMROOT and
 * similar variables.
 */
const KEPT = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
];

/** Returns the environment of PostgreSQL, without the portal's settings, some of which are secrets. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.includes(name.toUpperCase()));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', LANG: 'C', TZ: 'UTC' };
}

export type ProgramResult = { readonly ok: boolean; readonly printed: string };

/** Runs a program to its end in this account; `printed` is the program's output, or the reason why it could not run. */
export function runAs(
  account: PostgresAccount,
  prefix: readonly string[],
  command: readonly string[],
): Promise<ProgramResult> {
  const [file = '', ...args] = [...account.wrap, ...prefix, ...command];
  const options = {
    ...account.become,
    env: postgresEnvironment(),
    cwd: path.parse(process.cwd()).root,
    windowsHide: true,
  };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const printed = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, printed: printed === '' ? (error?.message ?? '') : printed });
    });
  });
}
