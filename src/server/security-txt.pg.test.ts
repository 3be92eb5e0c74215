import { expect, test } from 'vitest';
import { testPortal } from './test/portal.ts';

const PATH = '/.well-known/security.txt';

test('security.txt names the security contact, and without a contact the call for security.txt returns 404 (13.10g)', async () => {
  const now = Date.UTC(2026, 10, 22, 15);
  const portal = await testPortal(
    { SECURITY_CONTACT: 'lek@klant.nl', PUBLIC_URL: 'https://portaal.klant.nl' },
    () => now,
  );
  const answer = await portal.get(PATH);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.body).toBe(
    'Contact: mailto:lek@klant.nl\nExpires: 2027-05-21T00:00:00.000Z\nPreferred-Languages: nl, en\n' +
      'Canonical: https://portaal.klant.nl/.well-known/security.txt\n',
  );
  await portal.close();
  const without = await testPortal({ ADMIN_EMAIL: 'baas@klant.nl', ADMIN_PASSWORD: 'een lang wachtwoord' });
  const none = await without.get(PATH);
  expect([none.statusCode, none.body.includes('baas@klant.nl')]).toEqual([404, false]);
  await without.close();
});
