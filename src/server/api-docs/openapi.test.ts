import { describe, expect, test } from 'vitest';
import { API_TOPICS } from '#server/modules.ts';
import { type ApiKey, api } from '#shared/contract/api.ts';
import { buildOpenApiDocument } from './openapi.ts';
import { openApiErrors } from './test/openapi-rules.ts';

/** All callers with a session, in the order of the document. */
const SIGNED_IN = [
  ...['kijker', 'gebruiker', 'beheerder'].flatMap((role) => [role, `lmb-${role}`]),
  'technicus',
  'administrator',
];
const PORTAL = {
  url: 'https://portaal.example.nl',
  version: '1.2.3',
  cookie: '__Host-werkstroom',
  topics: API_TOPICS,
};
type Operation = Record<string, unknown> & { responses: Record<string, unknown> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown> };
};
const make = () => structuredClone(buildOpenApiDocument(PORTAL)) as Document;
const operationOf = (document: Document, key: ApiKey): Operation => {
  const [method = '', path = ''] = key.split(' ');
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
};

const set = (document: Document, key: ApiKey, part: object) =>
  Object.assign(operationOf(document, key), part);

describe('the OpenAPI document', () => {
  test('the OpenAPI document contains exactly the calls of the contract (API-01)', () => {
    const { paths } = make();
    const found = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(found.sort()).toEqual(Object.keys(api).sort());
  });

  test('the OpenAPI document marks exactly the calls that require re-authentication (13.6f, API-01)', () => {
    const document = make();
    const needing = (Object.keys(api) as ApiKey[]).filter(
      (key) => 'x-needs-proof' in (operationOf(document, key) as object),
    );
    expect(needing).toContain('DELETE /api/machine/delete');
    expect(needing).toEqual((Object.keys(api) as ApiKey[]).filter((key) => 'proof' in api[key]));
  });

  test('the OpenAPI document follows the rules of OpenAPI 3.1 (API-01)', () => {
    expect(openApiErrors(make())).toEqual([]);
    expect(JSON.parse(JSON.stringify(make()))).toEqual(make());
  });

  const LIVE = 'GET /api/live';
  const NO_SCHEMA = { 200: { description: '', content: { 'application/json': {} } } };
  const GONE = { 200: { $ref: '#/components/responses/Gone' } };
  test.each<[string, (document: Document) => object]>([
    ['is no 3.1', (document) => Object.assign(document, { openapi: '3.0.3' })],
    ['has an unknown field', (document) => Object.assign(document, { swagger: '2.0' })],
    ['serial of its path', (document) => set(document, 'GET /api/img/:serial', { parameters: [] })],
    ['operationId is not unique', (document) => set(document, LIVE, { operationId: 'getDocs' })],
    ['its security scheme', (document) => set(document, LIVE, { security: [{ token: [] }] })],
    ['has no success', (document) => set(document, LIVE, { responses: {} })],
    ['has no schema', (document) => set(document, LIVE, { responses: NO_SCHEMA })],
    ['refers to nothing', (document) => set(document, LIVE, { responses: GONE })],
    ['has a body', (document) => set(document, LIVE, { requestBody: { content: { 'text/plain': {} } } })],
  ])('the check of an OpenAPI document finds an error: %s (API-01)', (message, spoil) => {
    const document = make();
    spoil(document);
    expect(openApiErrors(document).join('\n')).toContain(message);
  });

  test('the OpenAPI document lists the roles, parameters, body and answer of a call (API-01, API-02)', () => {
    const document = make();
    expect(document.components.securitySchemes.session).toMatchObject({
      in: 'cookie',
      name: '__Host-werkstroom',
    });
    expect(operationOf(document, 'GET /api/health')).toMatchObject({
      security: [],
      'x-roles': ['anonymous', ...SIGNED_IN],
    });
    expect(operationOf(document, 'GET /api/live')).toMatchObject({
      operationId: 'getLive',
      tags: ['live'],
      security: [{ session: [] }],
      'x-roles': SIGNED_IN,
    });
    expect(operationOf(document, 'GET /api/img/:serial/:hash')).toMatchObject({
      'x-roles': ['kijker', 'gebruiker', 'beheerder', 'technicus', 'administrator'],
      parameters: [
        { name: 'serial', in: 'path', required: true, schema: { type: 'string', maxLength: 200 } },
        { name: 'hash', in: 'path', required: true },
      ],
      responses: { 200: { content: { 'image/webp': {} } } },
    });
    expect(operationOf(document, 'POST /api/manual/upload')).toMatchObject({
      'x-roles': ['technicus', 'administrator'],
      'x-changes-state': true,
      requestBody: {
        content: { 'application/json': { schema: { required: ['name', 'serial', 'file'] } } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { required: ['url', 'size'] } } } },
        413: { $ref: '#/components/responses/Problem' },
      },
    });
  });
});
