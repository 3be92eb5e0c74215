import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Matches text files. The tests require that whatever documents, comments and test titles refer to exists: the ids of
 * docs/requirements.md, the sections of docs/design.md, and every document.
 */
const TEXT = /\.(?:tsx?|m?js|css|sql|html|svg|ya?ml|service|md|example)$|Dockerfile$/;
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
const readAll = (files: readonly string[]) =>
  files.filter((file) => TEXT.test(file)).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const SELF = 'scripts/documents.test.ts';
const FOLDERS = ['src', 'migrations', 'scripts', 'bench', 'e2e', 'deploy', 'docs'];
const AT_THE_TOP = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const names = FOLDERS.flatMap(filesIn);
const basenames = new Set([...names, ...AT_THE_TOP].map((file) => basename(file)));
const everything = readAll([...names.filter((file) => file !== SELF), '.env.example', ...AT_THE_TOP]);
const documents = everything.filter(({ file }) => AT_THE_TOP.includes(file) || file.startsWith('docs/'));
const code = everything.filter(({ file }) => !file.endsWith('.md'));
const tests = code.filter(({ file }) => /\.(?:test|spec)\.tsx?$/.test(file));

const requirements = readFileSync('docs/requirements.md', 'utf8');
const ids = new Set([...requirements.matchAll(/^- ([A-Z]+-\d\d|\d\d\.\w+) /gm)].map(([, id = '']) => id));
const areas = [...new Set([...ids].flatMap((id) => /^([A-Z]+)-/.exec(id)?.[1] ?? []))].join('|');

/** Returns `file: match` for every match of the pattern that fails the check. */
const wrong = (
  places: readonly { file: string; text: string }[],
  pattern: RegExp,
  isRight: (found: string, file: string) => boolean,
): string[] =>
  places.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)]
      .map(([all, found = all]) => found)
      .filter((found) => !isRight(found, file))
      .map((found) => `${file}: ${found}`),
  );

/** Folders from which documents and comments may name a file or folder. */
const ROOTS = ['', 'src', 'src/server', 'src/web', 'src/shared', 'src/server/telemetry'];
const isThere = (path: string): boolean =>
  path.includes('/') ? ROOTS.some((root) => existsSync(join(root, path))) : basenames.has(path);

test('every requirement that code names is in docs/requirements.md (11.10)', () => {
  expect(ids.size).toBeGreaterThan(100);
  expect(wrong(code, new RegExp(`\\b(?:${areas})-\\d\\d\\b`, 'g'), (id) => ids.has(id))).toEqual([]);
  // A title ends with its requirements in brackets, before the tags of a browser test.
  const cited = /\(((?:(?:[A-Z]+-|\d\d\.)\w+(?:, )?)+)\)(?=['"`]| @)/g;
  expect(wrong(tests, cited, (list) => list.split(', ').every((id) => ids.has(id)))).toEqual([]);
});

test('every requirement of docs/requirements.md has a test that names it', () => {
  const named = new Set(
    [...tests, ...readAll([SELF])].flatMap(
      ({ text }) =>
        text.match(/\b[A-Z]+-\d\d\b|(?<=\((?:[A-Z]+-\d\d, |\d\d\.\w+, )*)\d\d\.[A-Z]?\d+[a-z]?(?=[,)])/g) ??
        [],
    ),
  );
  expect([...ids].filter((id) => !named.has(id))).toEqual([]);
});

const byName = /(?<![\w./*@-])((?:[\w-]+\/)*[\w-][\w.-]*\.(?:tsx?|sql|css))(?![\w/])/g;

/** Files that are not in the repository: an operator's own, and deleted ones that decision 19 and an applied migration name. */
const ELSEWHERE = new Set([
  'deploy/.env',
  'history/history-scope.ts',
  'src/server/writers/undecoded-files.ts',
]);

test('every file that a document names exists (11.10)', () => {
  const inFolders = /(?<![\w./@-])((?:src|scripts|bench|e2e|migrations|deploy|docs)\/[\w./-]*\w)/g;
  // A decision may be named by its number, as in docs/decisions/0006.
  const exists = (path: string) => isThere(path) || isDecision(path) || ELSEWHERE.has(path);
  expect([...wrong(documents, inFolders, exists), ...wrong(documents, byName, exists)]).toEqual([]);
});

test('every file that a comment names exists (11.10)', () => {
  const comments = code.map(({ file, text }) => ({
    file,
    text: text.match(/^\s*(?:\*|\/\/|\/\*|--).*$|\s\/\/\s.*$/gm)?.join('\n') ?? '',
  }));
  const isBeside = (path: string, from: string) =>
    isThere(path) || ELSEWHERE.has(path) || existsSync(join(dirname(from), path));
  expect(wrong(comments, byName, isBeside)).toEqual([]);
});

test('every link of a document has a target (11.10)', () => {
  const sluggish = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
  const leads = (link: string, from: string): boolean => {
    if (/^https?:/.test(link)) return true;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? from : join(dirname(from), path);
    if (!existsSync(file)) return false;
    const headings = anchor === undefined ? [] : (readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? []);
    return anchor === undefined || headings.some((line) => sluggish(line.replace(/^#+ /, '')) === anchor);
  };
  expect(wrong(documents, /(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)/g, leads)).toEqual([]);
});

test('every document that code names exists, with its section (11.10)', () => {
  const sections = new Set(readFileSync('docs/design.md', 'utf8').match(/^## \d+/gm));
  const design =
    /docs\/design\.md(?:\s*\n\s*(?:\*|\/\/|--))?\s+sections?(?:\s*\n\s*(?:\*|\/\/|--))?\s+(\d+(?: and \d+)?)/g;
  const hasSections = (list: string) => list.split(' and ').every((number) => sections.has(`## ${number}`));
  expect(wrong(everything, design, hasSections)).toEqual([]);
  expect(wrong(code, /docs\/decisions\/[\w.-]*\w/g, isDecision)).toEqual([]);
  expect(wrong(code, /(?<![\w/.])((?:[\w-]+\/)*[\w-]+\.md)\b/g, isThere)).toEqual([]);
});

test('no file refers to files outside the repository (11.10)', () => {
  expect(
    wrong(everything, /DESIGN\.md|REQUIREMENTS\.md|SPECIFICATION\.md|\breference\//g, () => false),
  ).toEqual([]);
});

const decisions = filesIn('docs/decisions').sort();
const isDecision = (path: string): boolean => decisions.some((file) => file.startsWith(path));

test('decisions are numbered without gaps, and each has a status (11.10)', () => {
  const numbers = decisions.map((file) => Number(basename(file).slice(0, 4)));
  const missing = Array.from({ length: Math.max(...numbers) }, (_, n) => n + 1).filter(
    (n) => !numbers.includes(n),
  );
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(missing).toEqual([]);
  const unclear = decisions.filter(
    (file, n) =>
      !new RegExp(`^# ${numbers[n]}\\. .+\\n\\n\\*\\*Status\\.\\*\\* \\w`).test(readFileSync(file, 'utf8')),
  );
  expect(unclear).toEqual([]);
});

test('the messages in the tables of docs/operations.md are those of the portal', () => {
  const [, trouble = ''] = readFileSync('docs/operations.md', 'utf8').split('## Something is wrong\n');
  const cells = [...(trouble.split('\n## ', 1)[0] ?? '').matchAll(/^\| (.*?) \|/gm)].map(
    ([, cell = '']) => cell,
  );
  const messages = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  const sources = code.filter(
    ({ file }) => /^src\/(?:server|shared)\//.test(file) && !tests.some((test) => test.file === file),
  );
  const isSaid = (text: string) => sources.some((source) => source.text.includes(text));
  const parts = messages.flatMap((message) => message.replace(/[.:]?$/, '').split('…'));
  expect(messages.length).toBeGreaterThan(15);
  expect(parts.map((part) => part.trim()).filter((part) => !isSaid(part))).toEqual([]);
});
