import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, expect } from 'vitest';
import { isStrayEnglish } from '#shared/domain/test/english.ts';

/** Returns the sentences of an answer that are shown to people: its message and the error messages of form fields. */
function sentencesOf(payload: string): string[] {
  let answer: { message?: unknown; faults?: readonly { message?: unknown }[] };
  try {
    answer = JSON.parse(payload) ?? {};
  } catch {
    return [];
  }
  const faults = Array.isArray(answer.faults) ? answer.faults : [];
  return [answer.message, ...faults.map(({ message }) => message)].filter((one) => typeof one === 'string');
}

/** Key on `globalThis` of the set of English sentences found, because test files that run in one worker share its process. */
const KEY = Symbol.for('werkstroom:answered-texts');
const shared = globalThis as { [KEY]?: Set<string> };
if (!shared[KEY]) {
  const found = new Set<string>();
  shared[KEY] = found;
  subscribe('fastify.initialization', (started) =>
    (started as { fastify: FastifyInstance }).fastify.addHook('onSend', async (request, reply, payload) => {
      const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
      if (!isJson || typeof payload !== 'string' || !request.url.startsWith('/api/')) return;
      for (const sentence of sentencesOf(payload).filter(isStrayEnglish))
        found.add(`${request.method} ${request.routeOptions.url}: ${sentence}`);
    }),
  );
}

/** Checks that every answer in any server test is in Dutch, except the sentences of the specification (55.41). */
afterAll(() => {
  const english = [...(shared[KEY] ?? [])];
  shared[KEY]?.clear();
  expect(english, 'English sentences in answers').toEqual([]);
});
