import { type CallExpression, type Node, SyntaxKind } from 'typescript/unstable/ast';
import { type Type, TypeFlags } from 'typescript/unstable/sync';
import { replaceTelemetrySchema } from '#server/platform/shards.ts';
import { firstTypeArgument, parameterProblems, rowProblems, rowTypeOf } from './compare.ts';
import type { CheckServer, StatementDescription } from './database.ts';
import { type StatementVariant, statementVariants, UnresolvedStatement } from './evaluate.ts';
import { EXCEPTIONS, type SqlCheckException } from './exceptions.ts';
import { type AnySyntaxNode, isFunction, locationOf, type ServerSource, walk } from './program.ts';
import type { SnapshotStatement } from './snapshot.ts';

/** A call of `query`, its file (path below src/server), and the name of the outermost function around the call. */
type Statement = { readonly call: CallExpression; readonly file: string; readonly name: string };
export type SqlProblem = { readonly place: string; readonly problem: string };

/**
 * Compares the SQL statements of source files with PostgreSQL: their columns with the types of the rows, their parameters with the
 * types of the values that the calls give.
 * @param files absolute paths; undefined: all files of src/server
 */
export async function checkStatements(
  source: ServerSource,
  server: CheckServer,
  files?: readonly string[],
): Promise<{ readonly problems: readonly SqlProblem[]; readonly shown: readonly SnapshotStatement[] }> {
  const problems: SqlProblem[] = [];
  const shown: SnapshotStatement[] = [];
  const used = new Set<SqlCheckException>();
  const resolved: (Statement & { readonly variants: readonly StatementVariant[] })[] = [];
  for (const statement of findStatements(source, files ?? source.files))
    try {
      resolved.push({ ...statement, variants: statementVariants(source, statement.call) });
    } catch (error) {
      if (!(error instanceof UnresolvedStatement)) throw error;
      const exception = exceptionOf(statement);
      if (exception) used.add(exception);
      else
        problems.push({
          place: locationOf(statement.call),
          problem: `its text is not known before it runs: ${error.message}`,
        });
    }
  for (const { variants } of resolved)
    for (const { text } of variants)
      if (/^\s*create temp/i.test(text)) await server.run(replaceTelemetrySchema(text, 'public'));
  for (const { variants, ...statement } of resolved) {
    const found = new Map<string, number>();
    for (const [n, variant] of variants.entries()) {
      const name =
        variants.length > 1 ? `${statement.name} (${n + 1} of ${variants.length})` : statement.name;
      try {
        const description = await describe(server, replaceTelemetrySchema(variant.text, 'public'));
        shown.push({
          ...statement,
          name,
          text: variant.text,
          signature: description && signatureOf(description),
        });
        for (const problem of description ? problemsOf(source, statement.call, variant, description) : [])
          found.set(problem, (found.get(problem) ?? 0) + 1);
      } catch (error) {
        found.set(`PostgreSQL refuses it: ${(error as Error).message}`, variants.length);
      }
    }
    for (const [problem, count] of found) {
      // Reports 'is never null' only if it is true of all variants of the statement.
      if (count < variants.length && / is never null/.test(problem)) continue;
      const exception = exceptionOf(statement, problem);
      if (exception) used.add(exception);
      else problems.push({ place: locationOf(statement.call), problem });
    }
  }
  if (!files)
    for (const exception of EXCEPTIONS)
      if (!used.has(exception))
        problems.push({
          place: 'scripts/check-sql/exceptions.ts',
          problem: `nothing needs the exception of ${exception.of}`,
        });
  return { problems, shown };
}

function findStatements(source: ServerSource, files: readonly string[]): Statement[] {
  const found: Statement[] = [];
  for (const path of files) {
    const root = source.project.program.getSourceFile(path);
    if (!root) continue;
    walk(root, (node: AnySyntaxNode) => {
      if (
        node.kind !== SyntaxKind.CallExpression ||
        node.expression.kind !== SyntaxKind.PropertyAccessExpression
      )
        return;
      if (node.expression.name.text !== 'query' || !rowTypeOf(source.checker, node)) return;
      found.push({ call: node, file: path.replace(/^.*\/src\/server\//, ''), name: nameAround(node) });
    });
  }
  return found;
}

/** Returns the name of the outermost function around a node. */
function nameAround(node: Node): string {
  let name = '';
  for (let at: AnySyntaxNode = node; at; at = at.parent) {
    if (isFunction(at))
      name = (at as AnySyntaxNode).name?.text ?? (at as AnySyntaxNode).parent.name?.text ?? name;
    if (at.kind === SyntaxKind.VariableDeclaration && at.name.text) name = at.name.text;
  }
  return name;
}

/** Returns the entry of EXCEPTIONS that permits a statement whose text is not known, or that permits this problem of a statement. */
function exceptionOf({ file, name }: Statement, problem?: string): SqlCheckException | undefined {
  return EXCEPTIONS.find(({ of, columns }) => {
    if (of !== file && of !== `${file} ${name}`) return false;
    if (!columns) return problem === undefined || problem.startsWith('PostgreSQL refuses it: function');
    return columns.some((column) => problem?.startsWith(`column "${column}" may be null`));
  });
}

function problemsOf(
  { checker }: ServerSource,
  call: CallExpression,
  { values, caller }: StatementVariant,
  description: StatementDescription,
): string[] {
  const own = rowTypeOf(checker, call) as Type;
  const row = isTyped(own) ? own : caller && rowOfCaller(checker, caller);
  const hasRows = description.columns.length > 0 && usesRows(call);
  return [
    ...parameterProblems(checker, values, description.parameters),
    ...(row ? rowProblems(checker, row, description) : hasRows ? ['its rows have no type'] : []),
  ];
}

const SYNTAX_ERROR = '42601';

/**
 * Describes a statement. Checks a text of several statements one by one, and returns undefined for it.
 * @returns undefined if the parameters and columns are not known before the statement runs
 * @throws Error with the reason why PostgreSQL refuses the statement
 */
async function describe(server: CheckServer, text: string): Promise<StatementDescription | undefined> {
  // The server knows the columns of a cursor only once it is open.
  if (/^\s*fetch\b/i.test(text)) return undefined;
  const cursor = /^\s*declare\b.*?\bfor\b/is.exec(text);
  if (cursor) return server.describe(text.slice(cursor[0].length));
  try {
    return await server.describe(text);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== SYNTAX_ERROR || !message.startsWith('cannot insert multiple commands')) throw error;
    for (const one of text.split(';')) if (one.trim() !== '') await server.describe(one);
    return undefined;
  }
}

/** Returns one line with the parameters and columns of a statement. */
function signatureOf({ parameters, columns }: StatementDescription): string | undefined {
  if (parameters.length === 0 && columns.length === 0) return undefined;
  const given = parameters.map(({ type }) => type).join(', ');
  const received = columns.map(({ name, type, nullability }) => {
    const isNull = nullability === 'maybe' || nullability === 'always';
    return `${name} ${type}${isNull ? ' null' : nullability === 'unknown' ? ' ?' : ''}`;
  });
  return `(${given})${received.length > 0 ? ` -> ${received.join(', ')}` : ''}`;
}

const isTyped = (row: Type): boolean => (row.flags & (TypeFlags.Any | TypeFlags.TypeParameter)) === 0;

/** Returns the type Row if `caller`, a call of the function that runs the statement, has the type Promise<Row[]>. */
function rowOfCaller(checker: ServerSource['checker'], caller: CallExpression): Type | undefined {
  const promised = checker.getTypeAtLocation(caller);
  const rows = promised && firstTypeArgument(checker, promised);
  const row = rows && checker.isArrayType(rows) ? firstTypeArgument(checker, rows) : undefined;
  return row && isTyped(row) ? row : undefined;
}

/** Returns whether the program reads the rows of a result. */
function usesRows(call: CallExpression): boolean {
  let at: AnySyntaxNode = call.parent;
  while (at.kind === SyntaxKind.AwaitExpression || at.kind === SyntaxKind.ParenthesizedExpression)
    at = at.parent;
  return /\brows\b/.test(
    at.kind === SyntaxKind.VariableDeclaration ? at.name.getText() : (at.name?.getText() ?? ''),
  );
}
