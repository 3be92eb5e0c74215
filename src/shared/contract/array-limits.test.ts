import { expect, test } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import type { Endpoint } from './endpoint.ts';

type Schema = { readonly type?: unknown; readonly items?: unknown; readonly maxItems?: number };

/** Returns the paths of the arrays in a JSON schema that have no maximum length although the server checks each entry. */
function endlessArrays(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, items, maxItems } = schema as Schema;
  const checks = typeof items === 'object' && items !== null && Object.keys(items).length > 0;
  const isEndless = type === 'array' && checks && maxItems === undefined;
  const inside = Object.entries(schema).flatMap(([name, part]) => endlessArrays(part, `${path}.${name}`));
  return isEndless ? [path, ...inside] : inside;
}

const schemaOf = (part: z.ZodType) => z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' });

test('every list in the input of a call has a maximum length (41.1)', () => {
  const endless = Object.entries<Endpoint>(api).flatMap(([key, { query, params, body }]) =>
    [query, params, body].flatMap((part) => (part ? endlessArrays(schemaOf(part), key) : [])),
  );
  expect(endless).toEqual([]);
  // Shows that endlessArrays finds a list without a limit.
  const list = z.object({ a: z.object({ b: z.array(z.object({ c: z.number() })) }).optional() });
  expect(endlessArrays(schemaOf(list), '')).toEqual(['.properties.a.properties.b']);
});
