import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Markers in the source name the authorization rules that `npm run prove` takes out, in TypeScript and in SQL alike:
 *
 *     if (/*rule:gate-session*\/ !caller /*=false*\/) throw unauthenticated();
 *     where s.id = $1 and /*rule:stream-organization*\/ w.organization_id = any ($2) /*=true*\/
 *
 * The text between both comments is the rule. The second comment holds the text that takes its place, which is empty in `/*=*\/`. A rule
 * with several places has a marker with the same id at each of them. Markers are not nested.
 */
export type Marker = { readonly file: string; readonly id: string };

/** Source text by file. */
export type SourceTexts = ReadonlyMap<string, string>;

const COMMENT = /\/\*(rule:|=)([^*]*)\*\//g;
const ID = /^[a-z][a-z0-9-]*$/;

/** Returns the source that runs on the server, without tests. Applied migrations are left out: they cannot get markers. */
export function readSources(root: string): SourceTexts {
  const files = globSync('src/{server,shared}/**/*.{sql,ts}', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Returns all markers. @throws Error for a marker without an end, an end without a marker, and a malformed id */
export const findRuleMarkers = (sources: SourceTexts): Marker[] =>
  [...sources].flatMap(([file, text]) => findPairs(text).map(({ id }) => ({ file, id })));

/** Returns the files that change when these rules are taken out. @throws Error for an id without a marker */
export function removeRules(sources: SourceTexts, ids: readonly string[]): Map<string, string> {
  const missing = new Set(ids);
  const changed = new Map<string, string>();
  for (const [file, text] of sources) {
    const pairs = findPairs(text).filter(({ id }) => ids.includes(id));
    for (const { id } of pairs) missing.delete(id);
    const after = pairs.reduceRight(
      (rest, { from, to, replacement }) => rest.slice(0, from) + replacement + rest.slice(to),
      text,
    );
    if (pairs.length > 0) changed.set(file, after);
  }
  if (missing.size > 0) throw new Error(`No marker in the source: ${[...missing].join(', ')}`);
  return changed;
}

function findPairs(text: string): { id: string; from: number; to: number; replacement: string }[] {
  const comments = [...text.matchAll(COMMENT)];
  if (comments.length % 2 === 1) throw new Error(`A marker without an end: ${comments.at(-1)?.[0]}`);
  return comments.flatMap((begin, n) => {
    if (n % 2 === 1) return [];
    const end = comments[n + 1] as RegExpExecArray;
    const [whole, kind, id = ''] = begin;
    if (kind !== 'rule:' || end[1] !== '=' || !ID.test(id))
      throw new Error(`Markers that do not form a pair: ${whole} … ${end[0]}`);
    const to = end.index + end[0].length;
    return [{ id, from: begin.index, to, replacement: end[2] as string }];
  });
}
