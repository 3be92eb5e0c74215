import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { openApiErrors } from './test/openapi-rules.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'https://portaal.example.nl' });
});
afterAll(() => portal.close());

describe('every call of the contract', () => {
  test.each(Object.entries<Endpoint>(api))(
    'the call %s is served, and requires a session unless it is public (API-01, API-02)',
    async (key, endpoint) => {
      const [method = '', route = ''] = key.split(' ');
      const answer = await fetch(portal.address + route.replace(/:\w+/g, 'onbekend'), {
        method,
        redirect: 'manual',
        ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
      });
      const text = await answer.text();
      if (endpoint.access !== 'public') {
        expect([answer.status, JSON.parse(text).code]).toEqual([401, 'unauthenticated']);
      } else {
        // A missing route would answer 404; the test's input may be refused with 400.
        expect([200, 303, 400]).toContain(answer.status);
      }
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

describe('the API documentation', () => {
  test('the OpenAPI document is served without a session, with the server’s address and cookie (API-01)', async () => {
    const answer = await portal.get('/api/openapi.json');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const document = answer.json();
    expect(openApiErrors(document)).toEqual([]);
    expect(document.servers).toEqual([{ url: 'https://portaal.example.nl' }]);
    expect(document.components.securitySchemes.session.name).toBe('__Host-werkstroom');
  });

  test('the page of the API is served as HTML under the portal’s own content security policy (API-01)', async () => {
    const answer = await portal.get('/api/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
    expect(answer.body).toMatch(/^<!doctype html>/);
    expect(answer.body).toContain('https://portaal.example.nl/api/live');
  });
});
