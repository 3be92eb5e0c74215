import { expect, test } from 'vitest';
import {
  asStartError,
  DatabaseStartError,
  explainStartFailure,
  isTransientStartError,
  programFailedError,
} from './start-error.ts';

/** Errors as PostgreSQL 18, initdb, the dynamic linker, setpriv and Node print them, each with a part of its explanation. */
const CASES = [
  ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'shared memory'],
  ['FATAL:  could not create shared memory segment: No space left on device', 'shared memory'],
  ['FATAL:  could not create semaphores: No space left on device', 'shared memory'],
  ['initdb: error: could not write file "x": No space left on device', 'disk of DATA_DIR is full'],
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'disk of DATA_DIR is full'],
  ['HINT:  Check free disk space.\nPANIC:  cannot abort transaction 1', 'disk of DATA_DIR is full'],
  ['could not create directory "/mnt/x": Read-only file system', 'read-only'],
  ['FATAL:  database files are incompatible with server', 'another version of PostgreSQL'],
  [
    'postgres: error while loading shared libraries: libicui18n.so.60: cannot open shared object file',
    'npm ci',
  ],
  ['spawn /srv/native/bin/postgres ENOENT', 'needs glibc'],
  ['sh: exec: line 0: /srv/native/bin/postgres: not found', 'needs glibc'],
  ['setpriv: failed to execute postgres: Exec format error', 'needs glibc'],
  ['"root" execution of the PostgreSQL server is not permitted.', 'as root'],
  ['initdb: error: cannot be run as root', 'as root'],
  ['Execution of PostgreSQL by a user with administrative permissions is not permitted.', 'as root'],
  ['initdb: could not look up effective user ID 12345: user does not exist', '/etc/passwd'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'Another PostgreSQL'],
  ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', 'in use by another program'],
  ['PANIC:  could not locate a valid checkpoint record', 'Restore a backup'],
  ['FATAL:  data directory "/x" has wrong ownership', 'Check who owns DATA_DIR'],
  ['FATAL:  could not open file "base/1/1259": Permission denied', 'Check who owns DATA_DIR'],
  ['FATAL:  something nobody foresaw', 'set DATABASE_URL'],
] as const;

test.each(CASES)('the PostgreSQL output %s is explained with the text %s', (printed, text) => {
  expect(explainStartFailure(printed)).toContain(text);
});

test('a start is retried only if a previous process left a lock file or shared memory', () => {
  expect(isTransientStartError('FATAL:  lock file "postmaster.pid" already exists')).toBe(true);
  expect(
    isTransientStartError('FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use'),
  ).toBe(true);
  expect(
    isTransientStartError('FATAL:  could not create lock file "postmaster.pid": No space left on device'),
  ).toBe(false);
  expect(isTransientStartError('FATAL:  data directory "/x" has wrong ownership')).toBe(false);
});

test('the error of a failed PostgreSQL program quotes the last five lines of its output and names their source', () => {
  const { message } = programFailedError('1\n2\n\n3\n4\n5\n6\n', '/data/postgres.log');
  expect(message).toMatch(/\nLast lines of \/data\/postgres\.log:\n {2}2\n {2}3\n {2}4\n {2}5\n {2}6$/);
  expect(programFailedError('', 'initdb').message).not.toContain('Last lines');
});

test('file errors name DATA_DIR and the file, and say what to do', () => {
  const full = Object.assign(new Error('ENOSPC: no space left'), {
    code: 'ENOSPC',
    path: '/data/owner-1.lock',
  });
  const text = asStartError(full, '/data');
  expect(text).toBeInstanceOf(DatabaseStartError);
  expect(text.message).toBe(
    'DATA_DIR (/data) cannot be used: /data/owner-1.lock: the disk is full. Make room and start again.',
  );
  expect(asStartError(new Error('odd'), '/data').message).toContain('could not start: odd');
  expect(asStartError(text, '/data')).toBe(text);
});
