import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '#server/auth/new-account.ts';
import { releaseJobsOfKilledProcess, startKillableProcess } from '#server/mail/test/killed-process.ts';
import { type DeliveredMail, startMailServer } from '#server/mail/test/mail-server.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

/** Monday, a minute after reports are mailed. */
const NOW = Date.parse('2026-11-23T06:31:00+01:00');
const SUBSCRIBERS = 24;
/** Concurrent jobs of one process (report-mails.ts). */
const AT_ONCE = 2;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  const organizationId = await createOrganization(pool, {
    name: 'klant',
    clean: 'Klant BV',
    isLmbCustomer: false,
  });
  for (let n = 0; n < SUBSCRIBERS; n += 1)
    await createAccount(pool, {
      email: `lezer${n}@klant.nl`,
      passwordHash: '',
      organizationId,
      role: 'gebruiker',
      isConfirmed: true,
    });
  await pool.query(
    `insert into report_subscription (account_id, organization_id, kind, rhythm, minutes, created_at)
     select id, organization_id, 'dagstaten', 'week', 1, '2026-11-01' from account`,
  );
});
afterAll(() => database.drop());

const startMailing = (port: number) =>
  startKillableProcess(
    new URL('./test/report-mail-process.ts', import.meta.url),
    database,
    String(port),
    String(NOW),
  );

const messageIdOf = ({ source }: DeliveredMail): string => /^Message-ID: (.*)$/im.exec(source)?.[1] ?? '';

test('after two kills of the process that mails reports, every subscriber gets the mail, and one sent twice has the same Message-ID (14.5c)', async () => {
  let taken: (n: number) => Promise<void> | undefined = () => undefined;
  const server = await startMailServer(0, { taken: (n) => taken(n) });
  onTestFinished(server.close);
  const never = new Promise<void>(() => {});
  for (const atKill of [7, 15]) {
    const running = startMailing(server.port);
    await new Promise<void>((struck) => {
      taken = (n) => {
        if (n < atKill) return undefined;
        void running.kill().then(struck);
        return never;
      };
    });
    await releaseJobsOfKilledProcess(database);
  }
  taken = () => undefined;
  startMailing(server.port);
  const sent = async () =>
    (await database.pool.query('select from report_mail where sent_at is not null')).rowCount;
  await expect.poll(sent, { timeout: 60_000 }).toBe(SUBSCRIBERS);

  const messages = new Map<string, Set<string>>();
  for (const mail of server.delivered) {
    const ids = messages.get(mail.to.join()) ?? new Set();
    messages.set(mail.to.join(), ids.add(messageIdOf(mail)));
  }
  expect(messages.size).toBe(SUBSCRIBERS);
  expect([...messages.values()].every((ids) => ids.size === 1 && !ids.has(''))).toBe(true);
  expect(server.delivered.length).toBeLessThanOrEqual(SUBSCRIBERS + 2 * AT_ONCE);
});
