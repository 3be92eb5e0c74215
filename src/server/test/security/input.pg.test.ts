import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { FieldError } from '#shared/contract/problem.ts';
import { type Operation, operationsOf, type Schema } from './fuzz/document.ts';

/** Tests that every call refuses input outside its contract (OWASP ASVS 5.0, V2.2.2, V15.3.5, V15.3.7). */
let a: AdminTestPortal;
let operations: readonly Operation[];
beforeAll(async () => {
  a = await AdminTestPortal.open();
  operations = await operationsOf(a.portal.address);
});
afterAll(() => a.close());

/** Sends a request as an administrator who signed in a moment ago; path parameters are `x`. */
const send = async (
  { method, path }: Operation,
  search: string,
  payload?: string,
  type = 'application/json',
) => {
  const answer = await a.portal.app.inject({
    method: method as 'POST',
    url: `${path.replace(/\{\w+\}/g, 'x')}${search}`,
    headers: { cookie: a.admin, ...(payload !== undefined && { 'content-type': type }) },
    ...(payload !== undefined && { payload }),
  });
  return { status: answer.statusCode, text: answer.body };
};
/** Returns the names of the fields that an answer refuses. */
const refusedFields = (text: string): string[] =>
  ((JSON.parse(text).faults ?? []) as FieldError[]).map(({ field }) => field);
const isPlain = ({ type, anyOf }: Schema): boolean =>
  anyOf ? anyOf.every(isPlain) : ['string', 'number', 'integer', 'boolean', 'null'].includes(type ?? '');

test('every call with a body refuses a body that is no JSON object (API-03)', async () => {
  const withBody = operations.filter(({ body }) => body !== undefined);
  expect(withBody.length).toBeGreaterThan(60);
  for (const operation of withBody)
    for (const [payload, type] of [
      ['[]', 'application/json'],
      ['"x"', 'application/json'],
      ['{}', 'text/plain'],
      ['a=1', 'application/x-www-form-urlencoded'],
      ['O:8:"stdClass":0:{}', 'application/octet-stream'],
    ] as const)
      expect([operation.name, type, (await send(operation, '', payload, type)).status]).toEqual([
        operation.name,
        type,
        400,
      ]);
});

test('every call refuses a parameter of the query that comes twice (API-03)', async () => {
  let tried = 0;
  for (const operation of operations)
    for (const { name } of operation.parameters.filter((one) => one.in === 'query')) {
      const { status, text } = await send(operation, `?${name}=1&${name}=1`);
      expect([operation.name, name, status]).toEqual([operation.name, name, 400]);
      expect([operation.name, refusedFields(text)]).toEqual([operation.name, expect.arrayContaining([name])]);
      tried += 1;
    }
  expect(tried).toBeGreaterThan(60);
});

test('every plain field of a body refuses a list and an object (API-03)', async () => {
  let tried = 0;
  for (const operation of operations)
    for (const [name, schema] of Object.entries(operation.body?.properties ?? {}).filter(([, one]) =>
      isPlain(one),
    ))
      for (const value of [['1'], { toString: '1' }]) {
        const { status, text } = await send(operation, '', JSON.stringify({ [name]: value }));
        expect([operation.name, name, schema, status]).toEqual([operation.name, name, schema, 400]);
        expect([operation.name, refusedFields(text)]).toEqual([
          operation.name,
          expect.arrayContaining([name]),
        ]);
        tried += 1;
      }
  expect(tried).toBeGreaterThan(100);
});

/** Fields that are stored as bigint, so that the contract allows any integer that JavaScript represents exactly. */
const BIGINT = new Set(['POST /api/machine/writer/take-over id']);

test('every integer field of a body or query refuses a number that exceeds a PostgreSQL integer (API-03)', async () => {
  const tried: string[] = [];
  const taken: string[] = [];
  const check = async (operation: Operation, name: string, search: string, payload?: string) => {
    const { status, text } = await send(operation, search, payload);
    if (BIGINT.has(`${operation.name} ${name}`)) return;
    const call = `${operation.name} ${name} ${search}${payload ?? ''}`;
    tried.push(call);
    if (status !== 400 || !refusedFields(text).includes(name)) taken.push(`${status} ${call}`);
  };
  for (const operation of operations)
    for (const value of [2 ** 31, -(2 ** 31) - 1, 2 ** 53]) {
      for (const [name, { type }] of Object.entries(operation.body?.properties ?? {}))
        if (type === 'integer') await check(operation, name, '', JSON.stringify({ [name]: value }));
      for (const { name, in: place, schema } of operation.parameters)
        if (place === 'query' && schema.type === 'integer') await check(operation, name, `?${name}=${value}`);
    }
  expect(taken).toEqual([]);
  expect(tried.length).toBeGreaterThan(60);
});

test('a path that is percent-encoded twice is decoded once (API-03)', async () => {
  await a.machine('A-1');
  const status = async (serial: string) =>
    (await a.portal.get(`/api/machine/get/serial?serialNumber=${serial}`, a.admin)).statusCode;
  expect([await status('A%2D1'), await status('A%252D1')]).toEqual([200, 404]);
  const ofPath = async (serial: string) =>
    (await a.portal.get(`/api/influx/driverhours/${serial}`, a.admin)).statusCode;
  expect([await ofPath('A%2D1'), await ofPath('A%252D1')]).toEqual([200, 404]);
});
