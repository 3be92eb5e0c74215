import { fileURLToPath } from 'node:url';
import {
  type CallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Checker, type Project, type Symbol as TypeScriptSymbol } from 'typescript/unstable/sync';

/** The server's source, as the compiler of the build sees it. */

export const REPOSITORY_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A node without checks of its fields: a type guard for each kind of node would double the code. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnySyntaxNode = any;

/** A function of any syntax. */
export type FunctionNode = Node & { readonly parameters: readonly Node[]; readonly body?: Node };

export type ServerSource = {
  readonly project: Project;
  readonly checker: Checker;
  /** Files of the server without tests. */
  readonly files: readonly string[];
  /** Returns the node that declares what an identifier names, also in another file. */
  declarationOf(name: Node): Node | undefined;
  /** Returns the calls of a function. */
  callsOf(called: FunctionNode): readonly CallExpression[];
  close(): void;
};

/**
 * Opens the project of the server; takes a few seconds.
 * @param changed texts that replace those of files, by absolute path
 */
export function openServerSource(changed: ReadonlyMap<string, string> = new Map()): ServerSource {
  const api = new API({
    cwd: REPOSITORY_ROOT,
    ...(changed.size > 0 && { fs: { readFile: (path) => changed.get(path) } }),
  });
  const snapshot = api.updateSnapshot({ openProjects: [`${REPOSITORY_ROOT}tsconfig.server.json`] });
  const project = snapshot.getProjects()[0] as Project;
  const { checker } = project;
  const files = project.rootFiles.filter((file) => !/\/test\/|\.test\.ts$|\.d\.ts$/.test(file));
  const declarations = new Map<Node, Node | undefined>();
  const calls = new Map<string, CallExpression[]>();
  for (const file of files)
    walk(project.program.getSourceFile(file) as Node, (node) => {
      if (node.kind !== SyntaxKind.CallExpression) return;
      const name = nameOf((node as CallExpression).expression);
      if (name) calls.set(name.text, [...(calls.get(name.text) ?? []), node as CallExpression]);
    });
  const find = (name: Node): Node | undefined => {
    let symbol: TypeScriptSymbol | undefined =
      name.parent.kind === SyntaxKind.ShorthandPropertyAssignment
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
    if (symbol?.declarations[0]?.kind === SyntaxKind.ImportSpecifier)
      symbol = checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration?.resolve();
  };
  const declarationOf = (name: Node): Node | undefined => {
    if (!declarations.has(name)) declarations.set(name, find(name));
    return declarations.get(name);
  };
  return {
    project,
    checker,
    files,
    declarationOf,
    callsOf(called) {
      const declared = declaredBy(called);
      const name = (declared as { name?: Node & { text?: string } } | undefined)?.name;
      return (calls.get(name?.text ?? '') ?? []).filter(
        (call) => declarationOf(nameOf(call.expression) as Node) === declared,
      );
    },
    close: () => api.close(),
  };
}

/** Returns the declaration by whose name a function is called: the function itself, or the variable or property that holds it. */
const declaredBy = (called: FunctionNode): Node | undefined => {
  if (called.kind === SyntaxKind.FunctionDeclaration || called.kind === SyntaxKind.MethodDeclaration)
    return called;
  const { parent } = called;
  return parent.kind === SyntaxKind.VariableDeclaration || parent.kind === SyntaxKind.PropertyAssignment
    ? parent
    : undefined;
};

const nameOf = (called: Node): (Node & { readonly text: string }) | undefined =>
  isIdentifier(called)
    ? called
    : isPropertyAccessExpression(called)
      ? (called.name as Node & { text: string })
      : undefined;

/** Calls `visit` with a node and all nodes inside it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
    return undefined;
  });
}

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
]);
export const isFunction = (node: Node): node is FunctionNode => FUNCTIONS.has(node.kind);

/** Returns the function around a node; undefined: the file. */
export function enclosingFunctionOf(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at)) return at;
  return undefined;
}

/** Returns the file and line of a node (such as 'scripts/dev.ts:12'), for messages and keys. */
export function locationOf(node: Node): string {
  const file = node.getSourceFile();
  const line = file.text.slice(0, node.getStart()).split('\n').length;
  return `${file.fileName.replace(REPOSITORY_ROOT, '')}:${line}`;
}
