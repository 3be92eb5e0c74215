import type { Proof } from './prove.ts';
import type { Rule } from './rule.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** One line for the terminal. */
export const lineOf = ({ rule, failed, why }: Proof): string =>
  `${failed.length > 0 ? 'ok ' : 'NOT'} ${rule.rule}: ${failed.length > 0 ? `${failed.length} failed` : why}`;

/**
 * docs/authorization.md. Rules that were not proved anew keep the row that they have in the page of before.
 * @param at when it was run
 */
export function pageOf(rules: readonly Rule[], proofs: readonly Proof[], at: Date, before: string): string {
  const day = at.toISOString().slice(0, 10);
  const rows = rules.map((rule) => {
    const proof = proofs.find((one) => one.rule.rule === rule.rule);
    return proof ? rowOf(proof, day) : (rowBefore(before, rule) ?? `${startOf(rule)} not run | **no** | |`);
  });
  const proved = rows.filter(isProved).length;
  return `${HEAD}
${proved} of ${rules.length} rules proved.

| rule | taken out in | tests that failed | ok | on |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** Whether the page says that this rule is proved. */
export const saysProved = (page: string, rule: Rule): boolean => isProved(rowBefore(page, rule) ?? '');

const isProved = (row: string): boolean => row.includes(' | yes | ');
const rowBefore = (page: string, rule: Rule): string | undefined =>
  page.split('\n').find((line) => line.startsWith(startOf(rule)));

function startOf({ rule, out }: Rule): string {
  const files = [...new Set(out.map(([file]) => `\`${file.replace('src/server/', '')}\``))];
  return `| ${cell(rule)} | ${files.join(', ')} |`;
}

function rowOf({ rule, failed, why }: Proof, day: string): string {
  const [first = ''] = failed;
  const file = first.split(' > ', 1)[0]?.split('/').at(-1);
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
  const told = failed.length > 0 ? `\`${file}\`: ${first.slice(first.indexOf(' > ') + 3)}${more}` : why;
  return `${startOf(rule)} ${cell(told)} | ${failed.length > 0 ? 'yes' : '**no**'} | ${day} |`;
}

const HEAD = `# Authorization: who may do what, and how we know

- **Who may call what** is one table, written by hand: \`src/server/test/security/principals/table.ts\` (every route x nobody,
  user, logger user, administrator, both kinds of another organization, a disabled organization, a deleted account, and
  the administrator's browser on a page of another site). Its test makes every call, as HEAD too, in another
  organization's name and about what nobody has; looks for planted identifiers in every answer; compares the rows with
  the contract and with Fastify's own routes; and loosens each access, right and protection of the contract, one at a
  time, to see that the table notices. \`door.pg.test.ts\` beside it has the upload door's table.
- **That each rule is needed** is shown below: \`npm run prove\` takes the rules out one at a time in a copy of the working
  tree, with any second layer that would hide it switched off too, and runs the tests that must fail then.
- \`npm run prove -- door: keys:\` proves only the rules whose text has one of these words; the others keep their rows.
  The list is \`scripts/prove-authorization/rules/\`. \`npm test\` checks that every rule of it still stands in the source
  exactly once, that every place where a store uses a scope is in it, and that each has its row here with a yes.
`;
