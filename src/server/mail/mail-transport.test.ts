import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isPermanent } from '#server/platform/job-failure.ts';
import { openMailTransport } from './mail-transport.ts';
import { startMailServer } from './test/mail-server.ts';
import { parseMail, readMailbox } from './test/mailbox.ts';

const message = {
  to: 'anna@klant.nl',
  subject: 'Één accu is vol',
  text: 'De accu is vol – morgen weer.\n',
  html: '<p>De accu is vol</p>',
};
const settings = { PUBLIC_URL: 'https://portaal.nl', DATA_DIR: '/nowhere' };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('a mail has text and HTML, the portal’s sender, one recipient and a stable id (MAIL-02)', async () => {
  const server = await startMailServer();
  closers.push(server.close);
  const transport = openMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  await transport.send(message, 'job-1');
  const [mail] = server.delivered;
  expect(mail).toMatchObject({ from: 'noreply@portaal.nl', to: ['anna@klant.nl'] });
  expect(mail?.source).toMatch(/^From: Werkstroom <noreply@portaal.nl>$/im);
  expect(mail?.source).toMatch(/^Message-ID: <job-1@portaal.nl>$/im);
  expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated$/im);
  expect(mail?.source).toMatch(/^Content-Type: text\/html; charset=utf-8$/im);
  expect(parseMail(mail?.source ?? '').text).toBe(message.text);
});

test.each(['Kraan (2), "de Reus" <x@y.nl>', "d'n Graver 2,5T & co; =?utf-8?q?a?=", '#1/2 + Bcc: x@y.nl'])(
  'the name %j in a subject adds no header and no recipient (52.9)',
  async (name) => {
    const server = await startMailServer();
    closers.push(server.close);
    const transport = openMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    await transport.send({ ...message, subject: `${name}: opladen begonnen` }, 'job-2');
    const [mail] = server.delivered;
    expect(mail?.to).toEqual(['anna@klant.nl']);
    expect(mail?.source).not.toMatch(/^(?:Bcc|Cc):/im);
    expect(mail?.source.match(/^Subject:/gim)).toHaveLength(1);
  },
);

test('a permanently refused recipient is a permanent failure, and a temporarily refused one is not (MAIL-01, 12.C9)', async () => {
  const server = await startMailServer(0, { refuse: (to) => (to.startsWith('gone') ? 550 : 450) });
  closers.push(server.close);
  const transport = openMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  await expect(transport.send({ ...message, to: 'gone@klant.nl' }, '1')).rejects.toSatisfy(isPermanent);
  const later = transport.send({ ...message, to: 'full@klant.nl' }, '2');
  await expect(later).rejects.toThrow(/450/);
  await expect(later).rejects.not.toSatisfy(isPermanent);
});

test('a mail server that hangs times out (MAIL-01)', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  closers.push(() => new Promise((closed) => silent.close(closed)));
  const { port } = silent.address() as { port: number };
  const transport = openMailTransport({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` }, 300);
  await expect(transport.send(message, '1')).rejects.toThrow(/timeout|greeting/i);
});

test('without a mail server mails become .eml files that only the portal can read (MAIL-01)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-mail-'));
  closers.push(() => rm(dataDir, { recursive: true }));
  const transport = openMailTransport({ ...settings, DATA_DIR: dataDir, MAIL_FROM: 'Portaal <p@b.nl>' });
  await transport.send(message, 'a');
  await transport.send(message, 'b');
  const names = await readdir(join(dataDir, 'mail'));
  expect(names).toHaveLength(2);
  expect((await stat(join(dataDir, 'mail', names[0] as string))).mode & 0o777).toBe(0o600);
  const [mail] = await readMailbox(dataDir);
  expect(mail).toMatchObject({ to: 'anna@klant.nl', text: message.text });
  expect(mail?.source).toMatch(/^From: Portaal <p@b.nl>$/im);
});
