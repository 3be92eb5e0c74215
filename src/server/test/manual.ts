import { readFileSync } from 'node:fs';

/** Text of docs/operations.md and docs/reverse-proxy.md. */
export const OPERATIONS_MANUAL_TEXT = ['operations', 'reverse-proxy']
  .map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');

/** Returns the SQL in the manual that creates the two roles and their database, with this password for both roles. */
export function roleStatementsOfManual(password: string): string {
  const [, sql] =
    /## Your own PostgreSQL: two roles[\s\S]*?```sql\n([\s\S]*?)```/.exec(OPERATIONS_MANUAL_TEXT) ?? [];
  if (sql === undefined) throw new Error('docs/operations.md has no statements for the two roles.');
  return sql.replaceAll(/--.*$/gm, '').replaceAll("'…'", `'${password}'`);
}

/** Returns the SQL in the manual that creates the database `werkstroom`, with `name` as the name of the database. */
export const databaseStatementOfManual = (name: string): string => {
  const [, rest] = /create database werkstroom (.*);/.exec(OPERATIONS_MANUAL_TEXT) ?? [];
  if (rest === undefined) throw new Error('docs/operations.md makes no database.');
  return `create database ${name} ${rest}`;
};

/** Returns each command of the manual once: the lines of its `sh` blocks, without comments, and inline code that begins with npm. */
export function commandsOfManual(): string[] {
  const blocks = [...OPERATIONS_MANUAL_TEXT.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const lines = blocks.map((line) => line.replace(/\s+#.*$/, '').trim()).filter((line) => line !== '');
  const inText = [...OPERATIONS_MANUAL_TEXT.matchAll(/`(npm [^`\n]*)`/g)].map(([, code = '']) => code);
  return [...new Set([...lines, ...inText])];
}
