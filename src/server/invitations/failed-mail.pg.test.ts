import { expect, test } from 'vitest';
import { startMailServer } from '#server/mail/test/mail-server.ts';
import { testPortal } from '#server/test/portal.ts';

test("an invitation's row shows that the mail is on its way, or that the mail server keeps refusing the mail (55.67)", async () => {
  const server = await startMailServer(0, { refuse: (to) => (to.startsWith('vol') ? 450 : undefined) });
  const portal = await testPortal({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  await portal.user('baas@klant.nl', await portal.organization('klant'), 'beheerder');
  const cookie = await portal.login('baas@klant.nl');
  for (const email of ['vol@elders.nl', 'goed@elders.nl']) {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/invitation/create',
      payload: { email, role: 'kijker' },
      headers: { cookie },
    });
    expect(answer.json()).toEqual({ message: 'De uitnodiging wordt verstuurd.' });
  }
  const failed = async () =>
    (await portal.get('/api/invitation/get', cookie))
      .json()
      .filter(({ mailFailed }: { mailFailed: boolean }) => mailFailed)
      .map(({ email }: { email: string }) => email);
  await expect.poll(failed, { timeout: 20_000 }).toEqual(['vol@elders.nl']);
  await expect
    .poll(() => server.delivered.map(({ to }) => to[0]), { timeout: 20_000 })
    .toEqual(['goed@elders.nl']);
  expect(await failed()).toEqual(['vol@elders.nl']);
  await portal.close();
  await server.close();
});
