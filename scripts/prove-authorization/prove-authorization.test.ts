import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageOf, saysProved } from './page.ts';
import { PASSED_ON, USES_OF_A_SCOPE } from './places.ts';
import { edited, type Rule } from './rule.ts';
import { RULES } from './rules.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const edits = RULES.flatMap(({ out, hiding = [] }) => [...out, ...hiding]);

test('API-02 each rule of npm run prove still stands in the source, exactly once, and taking it out changes something', () => {
  const wrong = edits.flatMap((edit) => {
    try {
      return edited(read(edit[0]), edit) === read(edit[0]) ? [`${edit[0]}: no change`] : [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  expect(wrong).toEqual([]);
});

test('API-02 the edits of one rule can be made together', () => {
  for (const { rule, out, hiding = [] } of RULES) {
    const texts = new Map<string, string>();
    for (const edit of [...hiding, ...out]) {
      expect(() => texts.set(edit[0], edited(texts.get(edit[0]) ?? read(edit[0]), edit)), rule).not.toThrow();
    }
  }
});

test('API-02 the tests of each rule are there, and no rule is told twice', () => {
  expect(RULES.flatMap(({ tests }) => tests).filter((file) => !globSync(file).length)).toEqual([]);
  const names = RULES.map(({ rule }) => rule);
  expect(new Set(names).size).toBe(names.length);
});

test('API-02 wherever a store uses a scope, a rule takes it out, or it is said why there is nothing to take out', () => {
  const files = globSync(['src/server/**/*.ts', 'src/shared/domain/access.ts']).filter(
    (file) => !/\.test\.ts$|\/test\/|\/security\//.test(file),
  );
  const unexplained: string[] = [];
  for (const file of files) {
    const text = read(file);
    const known = [
      ...edits.filter(([of]) => of === file).map(([, source]) => source),
      ...(PASSED_ON[file] ?? []),
    ];
    for (const line of text.split('\n').map((one) => one.trim())) {
      if (!USES_OF_A_SCOPE.test(line) || /^(import|\*|\/\/|\/\*)/.test(line)) continue;
      if (!known.some((source) => line.includes(source) || source.includes(line)))
        unexplained.push(`${file}: ${line}`);
    }
  }
  expect(unexplained).toEqual([]);
});

test('API-02 what is explained is still there', () => {
  for (const [file, lines] of Object.entries(PASSED_ON))
    for (const line of lines) expect(read(file)).toContain(line);
});

test('API-02 docs/authorization.md says of every rule that it is proved', () => {
  const page = read('docs/authorization.md');
  expect(RULES.filter((rule) => !saysProved(page, rule)).map(({ rule }) => rule)).toEqual([]);
});

test('a rule that was not proved anew keeps its row, and one that no test needs says so', () => {
  const [one, two, three] = ['one', 'two | or', 'three'].map((rule) => ({
    rule,
    out: [['src/server/a.ts', 'x', 'y']],
    tests: ['a.test.ts'],
  })) as unknown as [Rule, Rule, Rule];
  const failed = ['src/server/a.test.ts > it is refused', 'src/server/a.test.ts > so is this'];
  const first = pageOf(
    [one, two],
    [
      { rule: one, failed, why: '' },
      { rule: two, failed, why: '' },
    ],
    new Date('2026-01-02T03:04:05Z'),
    '',
  );
  expect(first).toContain('2 of 2 rules proved.');
  expect(first).toContain('| one | `a.ts` | `a.test.ts`: it is refused and 1 more | yes | 2026-01-02 |');
  const proofs = [{ rule: one, failed: [], why: 'no test failed' }];
  const second = pageOf([one, two, three], proofs, new Date('2026-02-03T00:00:00Z'), first);
  expect(second).toContain('| one | `a.ts` | no test failed | **no** | 2026-02-03 |');
  expect(second).toContain(
    '| two \\| or | `a.ts` | `a.test.ts`: it is refused and 1 more | yes | 2026-01-02 |',
  );
  expect([one, two, three].map((rule) => saysProved(second, rule))).toEqual([false, true, false]);
});
