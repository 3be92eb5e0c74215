import { z } from 'zod';
import { PROBLEM_STATUS } from '#shared/contract/problem.ts';
import type { FuzzPrincipal } from './request.ts';

/** The parts of JSON Schema that the portal's OpenAPI document uses. */
export type Schema = {
  readonly type?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
};

/** One operation of /api/openapi.json. */
export type Operation = {
  /** Method and path, for example 'GET /api/img/{serial}'. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly roles: ReadonlySet<FuzzPrincipal>;
  readonly changes: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly media: readonly string[];
  /** Returns a description of the first part of a 200 answer that contradicts the document; undefined if the answer conforms. */
  readonly describes: (answer: unknown) => string | undefined;
};

type Written = {
  readonly 'x-roles': readonly string[];
  readonly 'x-changes-state'?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { schema?: unknown }>> } };
};

/** Returns the operations in the document that the portal serves. @throws Error when the portal serves no document */
export async function operationsOf(address: string): Promise<Operation[]> {
  const answer = await fetch(`${address}/api/openapi.json`);
  if (!answer.ok) throw new Error(`/api/openapi.json answers ${answer.status}.`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Written>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, written]) => toOperation(path, method.toUpperCase(), written)),
  );
}

const PRINCIPAL_OF: Readonly<Record<string, FuzzPrincipal>> = {
  anonymous: 'nobody',
  gebruiker: 'user',
  'lmb-gebruiker': 'logger',
  administrator: 'admin',
};

function toOperation(path: string, method: string, written: Written): Operation {
  const { content } = written.responses[200];
  const media = Object.keys(content);
  const schema = Object.values(content)[0]?.schema;
  const check =
    schema === undefined ? undefined : z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return {
    name: `${method} ${path}`,
    method,
    path,
    roles: new Set(written['x-roles'].flatMap((role) => PRINCIPAL_OF[role] ?? [])),
    changes: written['x-changes-state'] ?? false,
    parameters: written.parameters ?? [],
    body: written.requestBody?.content['application/json'].schema,
    media,
    describes(answer) {
      const result = check?.safeParse(answer);
      return result?.success === false ? JSON.stringify(result.error.issues.slice(0, 3)) : undefined;
    },
  };
}

const Problem = z.strictObject({
  code: z.enum(Object.keys(PROBLEM_STATUS) as [string]),
  message: z.string().min(1),
  faults: z
    .array(z.strictObject({ field: z.string(), message: z.string().min(1), at: z.string().optional() }))
    .optional(),
});

/** Returns what is wrong with the body of an error; undefined if it has the documented shape. */
export function problemBodyError(body: string): string | undefined {
  try {
    return Problem.safeParse(JSON.parse(body)).success ? undefined : 'no {code, message}';
  } catch {
    return 'no JSON';
  }
}
