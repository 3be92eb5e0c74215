import { expect, test } from 'vitest';
import { openLog } from './log.ts';

function lineOf(
  write: (log: ReturnType<typeof openLog>) => void,
  secrets: string[] = [],
): Record<string, unknown> {
  const lines: string[] = [];
  write(openLog('trace', secrets, { write: (line: string) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] as string);
}

test('an error is logged by kind, code, message, stack and causes, without its other fields', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(x) exists',
  });
  const error = Object.assign(new Error('It failed', { cause }), { rejected: ['x'], response: '550 x' });
  const { err } = lineOf((log) => log.error({ err: error }, 'Something'));
  expect(err).toEqual({
    type: 'Error',
    message: 'It failed',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'Error', code: '23505', message: 'duplicate key', stack: expect.any(String) },
  });
});

test('the log masks a value that PostgreSQL quotes in an error message', () => {
  const error = Object.assign(new Error('invalid input syntax for type integer: "Ja\\"n 12"'), {
    severity: 'ERROR',
  });
  const { err } = lineOf((log) => log.error({ err: error }, 'x'));
  expect((err as Error).message).toBe('invalid input syntax for type integer: "[…]"');
  expect((err as Error).stack).not.toContain('Ja');
});

test.each<[string, object]>([
  ['what is no error', { err: { password: 'geheim' } }],
  ['a request', { req: { url: '/x?geheim', headers: { cookie: 'geheim' } } }],
  ['fields with telling names', { body: { x: 'geheim' }, user: { password: 'geheim', email: 'geheim' } }],
  ['a known secret, anywhere', { deep: [{ er: ['een geheim-woord'] }] }],
])('a line of the log does not contain %s', (_what, fields) => {
  const line = lineOf((log) => log.warn(fields, 'geheim-woord'), ['geheim-woord']);
  expect(JSON.stringify(line)).not.toContain('geheim');
  expect(line).toMatchObject({ level: 40, time: expect.any(Number), msg: '[secret]' });
});
