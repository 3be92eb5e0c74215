import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { type CallerGate, createServeCall } from './serve.ts';

const withoutCaller: CallerGate<never> = {
  bodyLimitOf: () => 1_000,
  callerOf: async () => undefined,
  readAgain: async () => undefined,
  isUnchanged: () => false,
  may: () => false,
  isServed: () => false,
  isReauthenticated: () => false,
  mustChangePassword: () => false,
  mustConfirm: () => false,
  lacksFactor: () => false,
  allowedOrigins: new Set(),
  inLog: (caller) => caller,
  refused: () => {},
};

test('an answer has only the fields of its contract, whatever the handler returns (API-02)', async () => {
  const app = Fastify();
  const stored = { message: 'Verstuurd.', password_hash: 'kanarie' };
  createServeCall(app, withoutCaller)('POST /api/auth/forgot-password', async () => stored);
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/forgot-password',
    payload: { email: 'anna@klant.nl' },
  });
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Verstuurd.' }]);
  await app.close();
});
