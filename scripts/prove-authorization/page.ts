import type { Proof } from './prove.ts';
import type { Rule } from './rule.ts';

/** One line for the terminal. */
export const lineOf = ({ rule, failed, why }: Proof): string =>
  `${failed.length > 0 ? 'ok ' : 'NOT'} ${rule.rule}: ${failed.length > 0 ? `${failed.length} failed` : why}`;

/**
 * docs/authorization.md: what stands in it before the table stays, and so do the rows of rules that were not proved anew.
 * @param at when it was run
 * @param before the page as it was
 */
export function pageOf(rules: readonly Rule[], proofs: readonly Proof[], at: Date, before: string): string {
  const day = at.toISOString().slice(0, 10);
  const rows = rules.map((rule) => {
    const proof = proofs.find((one) => one.rule.rule === rule.rule);
    return proof ? rowOf(proof, day) : (rowBefore(before, rule) ?? `${startOf(rule)} | not run | **no** | |`);
  });
  return `${before.split(/^\d+ of \d+ rules/m)[0]}${rows.filter(isProved).length} of ${rules.length} rules proved.

| rule | taken out in | tests that failed | ok | on |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** Whether the page says that this rule is proved. */
export const saysProved = (page: string, rule: Rule): boolean => isProved(rowBefore(page, rule) ?? '');

/** The rules whose proof is the oldest; one without any is older still. */
export const oldestOf = (page: string, rules: readonly Rule[], count: number): Rule[] => {
  const provedOn = (rule: Rule): string =>
    /(\d{4}-\d\d-\d\d) \|$/.exec(rowBefore(page, rule) ?? '')?.[1] ?? '';
  return rules.toSorted((a, b) => provedOn(a).localeCompare(provedOn(b))).slice(0, count);
};

const isProved = (row: string): boolean => row.includes(' | yes | ');
const rowBefore = (page: string, rule: Rule): string | undefined =>
  page.split('\n').find((line) => line.startsWith(startOf(rule)));

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const startOf = ({ rule }: Rule): string => `| ${cell(rule)} |`;

/** Characters of a test's name that a row shows: some names list every call. */
const MOST_SHOWN = 160;
const short = (name: string): string => (name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name);

function rowOf({ rule, files, failed, why }: Proof, day: string): string {
  const [first = ''] = failed;
  const file = first.split(' > ', 1)[0]?.split('/').at(-1);
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
  const told =
    failed.length > 0 ? `\`${file}\`: ${short(first.slice(first.indexOf(' > ') + 3))}${more}` : why;
  const where = files.map((one) => `\`${one.replace('src/server/', '')}\``).join(', ');
  return `${startOf(rule)} ${where} | ${cell(told)} | ${failed.length > 0 ? 'yes' : '**no**'} | ${day} |`;
}
