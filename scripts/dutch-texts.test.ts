import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStrayEnglish, SPECIFIED_ENGLISH_TEXTS } from '#shared/domain/test/english.ts';

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:test|spec)\.tsx?$/.test(entry.name),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/\/(test|demo)\//.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '') }));

/** Matches quoted texts; the expressions in a template are not read. */
const QUOTED = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const textsIn = (source: string): string[] =>
  [...source.matchAll(QUOTED)].map(([, one, two, three]) =>
    (one ?? two ?? three ?? '').replaceAll(/\$\{[^{}]*\}/g, '…').replaceAll("\\'", "'"),
  );
const isSentence = (text: string): boolean => /^[A-Z…][\p{L}…’']*[ ,].*[\p{L}.!?…]$/u.test(text);

/** Matches the code right before a text that only a log shows. */
const NOT_SHOWN = /(?:new \w*Error|console\.\w+|warn|throw \w+|report)\(\s*$/;
const NAMES: ReadonlySet<string> = new Set([
  // Messages of errors that reload the app, which no screen shows.
  'Loading chunk … failed',
  'Loading chunk failed',
  // Window titles of ReXdesk in the setup guide.
  'Synchronize with PC',
  'Are you sure?',
  'Drie knoppen in ReXdesk: Format SD met de vraag Are you sure en het antwoord Yes, daaronder Set Time en Synchronize with PC.',
]);

function strayIn(text: string): string[] {
  const shown = [...text.matchAll(QUOTED)]
    .filter(({ index }) => !NOT_SHOWN.test(text.slice(0, index)))
    .flatMap(([quoted]) => textsIn(quoted));
  const inTags = [...text.matchAll(/>\s*([A-Z][^<>{}\n]*[\p{L}.!?])\s*</gu)].map(([, tag]) => tag ?? '');
  return [...shown, ...inTags].filter((one) => isSentence(one) && !NAMES.has(one) && isStrayEnglish(one));
}

test('no screen has an English sentence that the specification does not require (55.41)', () => {
  const found = [...sourcesOf('src/web'), ...sourcesOf('src/shared/domain')].flatMap(({ file, text }) =>
    strayIn(text).map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
});

/** Matches refusals and messages of responses in the server's code. */
const ANSWERED =
  /(?:ProblemError\(\s*'[\w-]+',\s*|\b(?:invalid|notFound|conflict|forbidden|wrongAddress)\(\s*|\bmessage: |\.add\(\s*[\w'`.${}]+,\s*)('(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`)/g;

test('no answer of the server has an English sentence that the specification does not require (55.41)', () => {
  const found = sourcesOf('src/server')
    .filter(({ file }) => !/server\/(s3|platform\/log)\b/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(ANSWERED)]
        .flatMap(([, quoted]) => textsIn(quoted ?? ''))
        .filter(isStrayEnglish)
        .map((one) => `${file}: ${one}`),
    );
  expect(found).toEqual([]);
});

test('the search finds an English sentence on a screen, and skips the sentences that the specification requires (55.41)', () => {
  expect(strayIn(`<p>The machine was not found.</p>`)).toEqual(['The machine was not found.']);
  expect(strayIn(`const X = 'Please try again.';`)).toEqual(['Please try again.']);
  expect(strayIn(`throw new Error('The file cannot be read.')`)).toEqual([]);
  expect(strayIn(`<p>De machine is niet gevonden.</p>`)).toEqual([]);
  for (const sentence of Object.keys(SPECIFIED_ENGLISH_TEXTS))
    expect(strayIn(`const X = \`${sentence}\`;`)).toEqual([]);
});

/** English words of buttons and headings. The specification requires some of them, in the files listed here. */
const ENGLISH_WORDS =
  /(?<![\p{L}-])(?:Delete|Edit|Save|Cancel|Close|Search|Settings|Share|Refresh|Reset|Next|Previous|Submit|Online|Offline|Dashboard|Preview|Export|Feedback|Details?|Overview|Alerts?|Reports?|Projects|Users?|Account settings|Login|Sign in|Sign out|Last seen|Loading|Warning|Error)(?![\p{L}-])/u;
const SPECIFIED_WORDS: Readonly<Record<string, readonly string[]>> = {
  // The specification requires these words (MLIST-02, MEDIT-08); the guides name the button of the list.
  Edit: ['machine-card.tsx', 'setup-guide-page.tsx', 'canedge-guide.tsx'],
  Delete: [
    'delete-button.tsx',
    'accessories.tsx',
    'file-panels.tsx',
    'machine-card.tsx',
    'users-page.tsx',
    'organizations-page.tsx',
    'lmb-loggers-page.tsx',
  ],
  // MDET-08, MDET-10 and APP-04 require this word.
  Error: ['identity.tsx', 'info-panel.tsx', 'file-panels.tsx', 'error-page.tsx'],
  // MDET-01 and APP-01 require this word.
  Loading: ['machine-page.tsx', 'screen.tsx', 'chunk.ts'],
};

/** Returns the English words in a screen's source that the specification does not require there. */
function strayWordsIn(file: string, text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)]
    .filter(({ index }) => !NOT_SHOWN.test(text.slice(0, index)))
    .flatMap(([one]) => textsIn(one));
  const inTags = [...text.matchAll(/>\s*([A-Z][^<>{}]*?)\s*</g)].map(([, tag]) => tag ?? '');
  return [...quoted, ...inTags].filter((one) => {
    const [word] = ENGLISH_WORDS.exec(one) ?? [];
    const isText = /^[A-Z]/.test(one) && !one.startsWith('GET ') && !/^(?:POST|DELETE) /.test(one);
    return (
      word !== undefined &&
      isText &&
      !NAMES.has(one) &&
      !Object.hasOwn(SPECIFIED_ENGLISH_TEXTS, one) &&
      !SPECIFIED_WORDS[word]?.some((name) => file.endsWith(`/${name}`))
    );
  });
}

test('no button or heading has an English word that the specification does not require (53.28)', () => {
  const found = [...sourcesOf('src/web'), ...sourcesOf('src/shared/domain')].flatMap(({ file, text }) =>
    strayWordsIn(file, text).map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
});

test('an English word on a button is found in every file but those with texts of the specification (53.28)', () => {
  expect(strayWordsIn('src/web/a/page.tsx', '<button>Delete</button>')).toEqual(['Delete']);
  expect(strayWordsIn('src/web/a/page.tsx', `const TITLE = 'Laatste Preview';`)).toEqual(['Laatste Preview']);
  expect(strayWordsIn('src/web/a/users-page.tsx', '<button>Delete</button>')).toEqual([]);
  expect(strayWordsIn('src/web/a/page.tsx', '<button>Verwijder</button>')).toEqual([]);
});
