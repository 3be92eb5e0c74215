import { expect, test } from 'vitest';
import { deriveSecrets } from './secrets.ts';

const secrets = deriveSecrets('11'.repeat(32));
const others = deriveSecrets('22'.repeat(32));

test('an encrypted value that is unchanged can be decrypted, but only for its row and column and with its key (13.10d)', () => {
  const sealed = secrets.seal('writer_key.secret', 'WS1', 'geheim');
  expect(secrets.open('writer_key.secret', 'WS1', sealed)).toBe('geheim');
  expect(() => secrets.open('writer_key.secret', 'WS2', sealed)).toThrow();
  expect(() => secrets.open('logger_network.sim_pin', 'WS1', sealed)).toThrow();
  expect(() => others.open('writer_key.secret', 'WS1', sealed)).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    expect(() => secrets.open('writer_key.secret', 'WS1', changed), `byte ${at}`).toThrow();
  }
  for (const short of [0, 12, 16, 27])
    expect(() => secrets.open('writer_key.secret', 'WS1', sealed.subarray(0, short))).toThrow();
});

test('a token can be decrypted for its own purpose only, because every purpose has its own key (13.10d)', () => {
  const token = secrets.token('unsubscribe', '1 2 S-1');
  expect(token).toMatch(/^[\w-]+$/);
  expect(secrets.readToken('unsubscribe', token)).toBe('1 2 S-1');
  expect(secrets.readToken('reset', token)).toBeUndefined();
  expect(others.readToken('unsubscribe', token)).toBeUndefined();
  expect(() => secrets.open('unsubscribe', '', Buffer.from(token, 'base64url'))).toThrow();
  const keys = ['log', 'token unsubscribe', 'unsubscribe', 'database'].map((purpose) =>
    secrets.key(purpose).toString('hex'),
  );
  expect(new Set([...keys, '11'.repeat(32)]).size).toBe(5);
  expect(secrets.key('log')).toEqual(deriveSecrets('11'.repeat(32)).key('log'));
  expect(secrets.key('log')).not.toEqual(others.key('log'));
});
