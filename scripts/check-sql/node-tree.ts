/** Reads the parse trees that PostgreSQL prints with `debug_print_parse` (nodes/outfuncs.c). */

export type TreeNode = { readonly type: string; readonly [field: string]: TreeValue };
export type TreeValue = string | null | TreeNode | readonly TreeValue[];

/** Parses a tree. @param text such as `{CONST :consttype 23 :constvalue 4 [ 1 0 0 0 ]}`; a field of several words becomes a list */
export function parseTree(text: string): TreeValue {
  const tokens = text.match(/[{}()]|"(?:[^"\\]|\\[\s\S])*"|(?:[^\s{}()\\"]|\\[\s\S])+/g) ?? [];
  let at = 0;
  const read = (): TreeValue => {
    const token = tokens[at++] as string;
    if (token === '{') {
      const node: Record<string, TreeValue> = { type: tokens[at++] as string };
      while (tokens[at] !== '}') {
        const field = (tokens[at++] as string).slice(1);
        const values: TreeValue[] = [];
        while (tokens[at] !== '}' && !/^:[a-zA-Z_]/.test(tokens[at] as string)) values.push(read());
        node[field] = values.length === 1 ? (values[0] as TreeValue) : values;
      }
      at += 1;
      return node as TreeNode;
    }
    if (token === '(') {
      const list: TreeValue[] = [];
      while (tokens[at] !== ')') list.push(read());
      at += 1;
      return list;
    }
    if (token === '<>') return null;
    return token.startsWith('"') ? token.slice(1, -1) : token;
  };
  return read();
}

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the nodes of a list; a missing list is empty. */
export const filterTreeNodes = (value: TreeValue | undefined): readonly TreeNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];
