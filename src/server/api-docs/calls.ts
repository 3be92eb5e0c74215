import { z } from 'zod';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import {
  ADMIN_ORGANIZATION,
  ADMIN_ROLES,
  CUSTOMER_ROLES,
  isActionAllowed,
  type Member,
  type Role,
} from '#shared/domain/access.ts';

/** A JSON schema as zod writes it: draft 2020-12, the version that OpenAPI 3.1 uses. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** `anonymous`: without a session; `lmb-…`: a role of an LMB logging customer. */
export type CallerKind = Role | `lmb-${(typeof CUSTOMER_ROLES)[number]}` | 'anonymous';

export type CallParameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
};

/** One call of the contract as data, from which the OpenAPI document and the page are made. */
export type DocumentedCall = {
  /** As in the contract: 'GET /api/img/:serial'. */
  readonly key: string;
  readonly method: string;
  /** As OpenAPI writes it: '/api/img/{serial}'. */
  readonly path: string;
  /** First part of the path after /api, such as 'img'. */
  readonly noun: string;
  readonly summary: string;
  readonly dutch: string;
  readonly changes: boolean;
  /** Whether the call requires re-authentication (POST /api/account/proof) once the sign-in is more than ten minutes ago. */
  readonly proof: boolean;
  readonly who: readonly CallerKind[];
  /** Name of a bearer token that is accepted instead of a session. */
  readonly token: string | undefined;
  readonly parameters: readonly CallParameter[];
  readonly body: JsonSchema | undefined;
  /** Bytes; undefined for the default of 1 MiB. */
  readonly bodyLimit: number | undefined;
  readonly media: readonly string[];
  /** Schema of a JSON answer; undefined for a file. */
  readonly answer: JsonSchema | undefined;
};

const MEMBERS: readonly (readonly [CallerKind, Member])[] = [
  ...CUSTOMER_ROLES.toReversed().flatMap((role): [CallerKind, Member][] => [
    [role, { organization: '', isLmbCustomer: false, role }],
    [`lmb-${role}`, { organization: '', isLmbCustomer: true, role }],
  ]),
  ...ADMIN_ROLES.toReversed().map((role): [CallerKind, Member] => [
    role,
    { organization: ADMIN_ORGANIZATION, isLmbCustomer: false, role },
  ]),
];

/** Returns every call of the contract, in its order. */
export const listApiCalls = (): DocumentedCall[] =>
  Object.entries<Endpoint>(api).map(([key, endpoint]) => toCall(key, endpoint));

function toCall(key: string, endpoint: Endpoint): DocumentedCall {
  const [method, route] = key.split(' ') as [string, string];
  const { summary, dutch, token, changes, proof, params, query, body, bodyLimit, media } = endpoint;
  return {
    key,
    method,
    path: route.replace(/:(\w+)/g, '{$1}'),
    noun: nounOfPath(route),
    summary,
    dutch,
    changes,
    proof: proof !== undefined,
    who: whoMay(endpoint),
    token,
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    body: body && jsonSchema(body, 'input'),
    bodyLimit,
    media: [media ?? 'application/json'].flat(),
    answer: media === undefined ? jsonSchema(endpoint.response, 'output') : undefined,
  };
}

/** Returns the noun of a path: 'machine' of '/api/machine/get'. */
function nounOfPath(path: string): string {
  if (path === '/metrics') return 'health';
  const word = path.split('/')[2] ?? '';
  return word === 'openapi.json' ? 'docs' : word;
}

function whoMay({ access, needs }: Endpoint): CallerKind[] {
  const signedIn = MEMBERS.filter(([, member]) => needs === undefined || isActionAllowed(member, needs)).map(
    ([kind]) => kind,
  );
  return access === 'public' ? ['anonymous', ...signedIn] : signedIn;
}

function parametersOf(place: CallParameter['in'], schema: z.ZodType | undefined): CallParameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, part]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: part,
  }));
}

/**
 * Returns the JSON schema of a zod type.
 * @param io `input`: what a client sends, where fields with a default are optional; `output`: what the server answers
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return rest;
}

/** Removes the bounds of JavaScript's safe integers, which are no rule of the contract. */
function tidy({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Returns the error statuses that every call of this shape can have; single calls may have more. */
export const problemStatuses = ({ who, changes, parameters, body }: DocumentedCall): number[] => [
  ...(parameters.length > 0 || body ? [400] : []),
  ...(who.includes('anonymous') ? [] : [401]),
  ...(changes || !who.includes('anonymous') ? [403] : []),
  ...(parameters.length > 0 || body ? [404] : []),
  ...(body ? [413] : []),
];
