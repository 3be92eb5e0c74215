import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CHARGER_OFF,
  CHARGER_ON,
  ChargingTestPortal,
  readingsDuring,
} from '#server/alerts/test/charging-desk.ts';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { parseMail } from '#server/mail/test/mailbox.ts';

/**
 * Seconds for which the mail server is unavailable, by the clock of the job queue, which the test moves forward to each next attempt to
 * send. FAULT_SMTP_MINUTES sets the minutes; `npm run faults` sets 60.
 */
const GONE_S = Number(process.env.FAULT_SMTP_MINUTES ?? 1) * 60;

let desk: ChargingTestPortal;
let back: MailServer | undefined;
beforeAll(async () => {
  desk = await ChargingTestPortal.open();
});
afterAll(async () => {
  await desk.close();
  await back?.close();
});

const waiting = async (): Promise<{ id: string; state: string; inS: number }[]> =>
  (
    await desk.portal.pool.query(
      `select id, state || ' ' || retry_count as state, extract(epoch from start_after - now())::float8 as "inS" from pgboss.job
       where state in ('created', 'retry', 'active') and name not like '\\_\\_%' and name <> 'alert-push' order by id`,
    )
  ).rows;

/** Moves the times of the waiting jobs back by `s` seconds, as if that much time had passed. */
const pass = (s: number) =>
  desk.portal.pool.query(
    `update pgboss.job set start_after = start_after - d, created_on = created_on - d, started_on = started_on - d,
       keep_until = keep_until - d
     from (select make_interval(secs => $1) as d) as passed where state in ('created', 'retry')`,
    [s],
  );

test('every e-mail is delivered once after the mail server was unavailable for a long time (MAIL-01)', async () => {
  await desk.portal.user('bert@klant.nl', desk.klant);
  const machine = await desk.machine('anna@klant.nl', 'bert@klant.nl');
  await desk.server.close();
  await desk.live(machine.streamId, [
    ...readingsDuring(0, 10, CHARGER_OFF),
    ...readingsDuring(10, 30, CHARGER_ON),
    ...readingsDuring(30, 35, CHARGER_OFF),
  ]);
  expect(await desk.post('/api/auth/forgot-password', 'anna@klant.nl', { email: 'bert@klant.nl' })).toBe(200);
  const jobs = (await waiting()).map(({ id }) => id);
  expect(jobs).toHaveLength(5);

  let gone = 0;
  for (let tries = 0; gone < GONE_S; tries++) {
    await expect
      .poll(async () => (await waiting()).map(({ state }) => state), { timeout: 15_000 })
      .toEqual(jobs.map(() => `retry ${tries}`));
    // Jumps to the time at which all jobs are due.
    const due = Math.max(...(await waiting()).map(({ inS }) => inS));
    expect(due).toBeLessThan(3_700);
    await pass(due);
    gone += due;
  }
  back = await startMailServer(desk.server.port);
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  const mails = back.delivered.map(({ source }) => parseMail(source));
  const about = mails.map(({ to, subject }) => `${to}: ${subject.split(': ', 2)[1] ?? 'code'}`).sort();
  expect(about).toEqual([
    'anna@klant.nl: laden begonnen',
    'anna@klant.nl: laden gestopt',
    'bert@klant.nl: code',
    'bert@klant.nl: laden begonnen',
    'bert@klant.nl: laden gestopt',
  ]);
  await new Promise((later) => setTimeout(later, 2_500)); // one more poll of the jobs
  expect(back.delivered).toHaveLength(5);
}, 180_000);
