import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Sources of the product, without tests and their helpers. */
const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter(
    (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:test|spec)\.tsx?$/.test(entry.name),
  )
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((file) => !/\/(test|demo|simulator)\//.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

type Rule = {
  /** Line of docs/asvs.md that relies on the rule, and then the rule. */
  readonly rule: string;
  readonly forbidden: RegExp;
  /** Code that the pattern must match. */
  readonly example: string;
  /** Files in which the call is harmless, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
};

const RULES: readonly Rule[] = [
  {
    rule: '1.3.2 no text is run as code',
    forbidden: /\beval\(|new Function\(|node:vm|set(Timeout|Interval)\(\s*['"`]/,
    example: 'new Function(text)',
  },
  {
    rule: '1.2.5 no program is started by a shell',
    forbidden: /\bexec(Sync)?\b[^}]*\} from 'node:child_process'|\bshell:/,
    example: `import { exec, spawn } from 'node:child_process'`,
  },
  {
    rule: '1.2.9 no regular expression is built at run time',
    forbidden: /new RegExp\(/,
    example: 'new RegExp(text)',
    except: {
      'src/server/platform/csv.ts': 'built of constants',
      'src/server/platform/file-name.ts': 'built of an extension that the code names',
      'src/server/platform/outbound-allow.ts': 'built of constants',
      'src/web/features/work-week/work-week-form.tsx': 'built of constants',
    },
  },
  {
    rule: '3.2.2 no text becomes HTML in the browser',
    forbidden:
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|createContextualFragment/i,
    example: 'element.innerHTML = name',
  },
  {
    rule: '5.3.1 5.3.2 no source that takes an uploaded photo or manual writes a file',
    forbidden:
      /\b(?:writeFile|appendFile|copyFile|rename|symlink|link|cp|open|createWriteStream)(?:Sync)?\b[^}]*\} from 'node:fs|import\(['"]node:fs/,
    example: "import { writeFile } from 'node:fs/promises'",
    except: {
      'src/server/auth/first-start.ts': 'the first password',
      'src/server/backup/make-backup.ts': 'a backup, where the operator says',
      'src/server/s3/spool.ts': 'an upload, under a random name, until it is in the database',
      'src/server/import-command.ts': 'reads what the operator names',
      'src/server/mail/mail-transport.ts': 'mails, where the operator sets no mail server',
      'src/server/platform/postgres/cluster.ts': 'files of the embedded PostgreSQL',
      'src/server/platform/postgres/data-folder.ts': 'files of the embedded PostgreSQL',
      'src/server/platform/postgres/owner-lock.ts': 'files of the embedded PostgreSQL',
      'src/server/platform/postgres/postmaster.ts': 'files of the embedded PostgreSQL',
      'src/server/platform/postgres/programs.ts': 'files of the embedded PostgreSQL',
      'src/server/platform/secrets.ts': 'the key of all secrets',
      'src/server/platform/sync-folder.ts': 'opens a folder to sync it',
    },
  },
  {
    rule: '4.2.1 HTTP is parsed strictly',
    forbidden: /insecureHTTPParser/,
    example: 'insecureHTTPParser: true',
  },
  {
    rule: '6.5.3 11.5.1 no value comes from a random generator that can be predicted',
    forbidden: /Math\.random/,
    example: 'Math.random()',
    except: { 'src/web/live/live-fetcher.ts': 'a version of live data inside one browser' },
  },
  {
    rule: '11.3.1 11.3.2 the only cipher is AES-256-GCM',
    forbidden: /create(Cipher|Decipher)(iv)?\((?!'aes-256-gcm')|publicEncrypt|privateDecrypt/,
    example: `createCipheriv('aes-256-ecb', key, null)`,
  },
  {
    rule: '11.4.1 11.4.3 hashes and MACs are SHA-256',
    forbidden: /\bcreateH(ash|mac)\((?!'sha256')/,
    example: `createHash('sha1')`,
    except: {
      'src/server/s3/digest.ts': 'checksums of the S3 protocol, which a client chooses',
      'src/server/live/live-data-cache.ts': 'an ETag',
    },
  },
  {
    rule: '12.3.2 nothing turns off the check of certificates',
    forbidden: /rejectUnauthorized:(?!\s*true)|NODE_TLS_REJECT_UNAUTHORIZED\s*=|checkServerIdentity/,
    example: 'rejectUnauthorized: false',
  },
];

test.each(RULES)('the sources obey the rule of docs/asvs.md $rule', ({ forbidden, example, except = {} }) => {
  expect(sources.length).toBeGreaterThan(500);
  expect(example).toMatch(forbidden);
  const found = sources.filter(({ text }) => forbidden.test(text)).map(({ file }) => file);
  expect(found.sort()).toEqual(Object.keys(except).sort());
});
