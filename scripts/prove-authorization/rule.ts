import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A text that stands in the source exactly once, white space aside: what is ⟦in these⟧ is taken out, and of ⟦this→that⟧
 * the second comes in the place of the first. In whatever file: one that is moved or laid out anew moves no rule.
 */
export type Cut = string;

/** One authorization rule, and how to show that a test needs it. */
export type Rule = {
  /** What it says, in a few words. */
  readonly rule: string;
  /** Takes the rule out. */
  readonly out: readonly Cut[];
  /** Switches off a second layer that would hide that the rule is gone; the tests that miss it too do not count. */
  readonly hiding: readonly Cut[];
  /** The name of the test file of which at least one test must fail. */
  readonly test: string;
  /** A pattern for the titles of these tests, where a file has many others. */
  readonly only: string | undefined;
};

type Told = Cut | readonly Cut[] | { readonly out: Cut; readonly hiding: Cut | readonly Cut[] };

/** Rules by what they say. `by`: the test file that needs them, or of it the tests with such titles: 'file > pattern'. */
export function proved(by: string, rules: Readonly<Record<string, Told>>): Rule[] {
  const [test = '', only] = by.split(' > ');
  return Object.entries(rules).map(([rule, told]) => {
    const [out, hiding] = typeof told === 'object' && 'hiding' in told ? [told.out, told.hiding] : [told, []];
    return { rule, out: [out].flat(), hiding: [hiding].flat(), test, only };
  });
}

/** A text as it stands, and without white space. */
export type Source = { readonly text: string; readonly bare: string };
/** By file. */
export type Sources = ReadonlyMap<string, Source>;

export const bare = (text: string): string => text.replaceAll(/\s/g, '');
export const sourceOf = (text: string): Source => ({ text, bare: bare(text) });

/** What runs in production, on the server. */
export function readSources(root: string): Sources {
  const files = globSync(['migrations/**/*.sql', 'src/{server,shared}/**/*.{sql,ts}'], { cwd: root })
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .sort();
  return new Map(files.map((file) => [file, sourceOf(readFileSync(join(root, file), 'utf8'))]));
}

/** Where a cut is, in the text without white space. @throws Error when it is not there exactly once */
export function placeOf(sources: Sources, cut: Cut): { file: string; from: number; to: number } {
  const sought = partsOf(cut).reduce((all, [text]) => all + bare(text), '');
  const places = [...sources].flatMap(([file, source]) => {
    const from = source.bare.indexOf(sought);
    if (from < 0) return [];
    const place = { file, from, to: from + sought.length };
    return source.bare.includes(sought, from + 1) ? [place, place] : [place];
  });
  const [place] = places;
  if (!place || places.length > 1)
    throw new Error(`${place ? 'More than once' : 'Not'} in the source: ${cut}`);
  return place;
}

/**
 * The files that are others when all of these are cut out, one after the other.
 * @throws Error when one is not there exactly once, or changes nothing
 */
export function without(sources: Sources, cuts: readonly Cut[]): Map<string, Source> {
  const changed = new Map<string, Source>();
  for (const cut of cuts) {
    const now = new Map([...sources, ...changed]);
    const { file } = placeOf(now, cut);
    const text = now.get(file)?.text ?? '';
    const after = cutOut(text, cut);
    if (after === text) throw new Error(`It takes nothing out: ${cut}`);
    changed.set(file, sourceOf(after));
  }
  return changed;
}

/** Pieces as they stand, and what takes their place: undefined outside the brackets. */
const partsOf = (cut: Cut): [text: string, instead: string | undefined][] =>
  cut.split(/[⟦⟧]/).map((part, n) => {
    const [text = '', instead = ''] = part.split('→');
    if (n % 2 === 0) return [text, undefined];
    return [text, text === '' ? ` ${instead} ` : instead];
  });

function cutOut(source: string, cut: Cut): string {
  const parts = partsOf(cut);
  const groups = parts.map(
    ([text]) => `(${[...bare(text)].map((sign) => sign.replace(/\W/, '\\$&')).join('\\s*')})`,
  );
  // Groups: a part, the space after it, the next part, and so on.
  return source.replace(new RegExp(groups.join('(\\s*)')), (_whole, ...found: string[]) =>
    found
      .slice(0, 2 * parts.length - 1)
      .map((kept, n) => parts[n / 2]?.[1] ?? kept)
      .join(''),
  );
}
