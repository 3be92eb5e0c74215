/**
 * Alerts (docs/performance.md, docs/alerts.md). Measures:
 *
 * 1. The time from an upload to the mail server's 250 and the push service's 201, minus the minute for which messages are grouped:
 *    60 machines of 60 people.
 * 2. Uploads per second of 10,000 machines (or ALERT_MACHINES) of 20 organizations with 10 rules each, compared with the same load
 *    with all rules off.
 * 3. With all rules on, the time of the evaluation that a timer starts each minute, also after all loggers have stopped sending.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { evaluateTimerRules } from '#server/alerts/evaluate-timer-rules.ts';
import { createOutboxMessages } from '#server/alerts/outbox.store.ts';
import { addRule, type RuleFields } from '#server/alerts/rules.store.ts';
import { createAccount } from '#server/auth/new-account.ts';
import type { UsualDaysCache } from '#server/fleet-figures/usual-days.ts';
import { startMailServer } from '#server/mail/test/mail-server.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { PUSH_PROCESS_ARGUMENTS, startPushService } from '#server/push/test/push-service.ts';
import { cheaplyHashed } from '#server/test/passwords.ts';
import { SHARED_SILENCE_WINDOW_MS } from '#shared/domain/alerts/kinds/silent.ts';
import {
  type AlertKind,
  defaultSettings,
  MACHINE_ALERT_KINDS,
  type MachineAlertKind,
} from '#shared/domain/alerts/kinds.ts';
import type { BenchContext } from './context.ts';
import { startLoadClient } from './load-client.ts';
import { openConnectionPool } from './open-loop.ts';
import { type BenchPortal, startBenchPortal } from './portal.ts';
import { type Bench, type BenchRow, rateRow, timeRow, wholeNumber } from './report.ts';
import { uploadSigner } from './signed-uploads.ts';
import { comparePairs, percentile, runInPairs } from './statistics.ts';

export const alerts: Bench = async (context) => [
  await untilNotified(context),
  ...(await manyMachines(context)),
];

const PEOPLE = 60;
/** Time over which the uploads are spread. */
const SPREAD_MS = 40_000;
const GROUP_MS = 60_000;
const NOTIFIED_MS = 5_000;

const rule = (kind: AlertKind, fields: Partial<RuleFields> = {}): RuleFields => ({
  ruleName: kind,
  kind,
  settings: defaultSettings(kind),
  hours: 'always',
  machines: 'all',
  ids: [],
  severity: 'urgent',
  accounts: [],
  roles: ['beheerder'],
  tellsEnd: false,
  isOn: true,
  ...fields,
});

async function untilNotified(context: BenchContext): Promise<BenchRow> {
  const mailed = new Map<string, number>();
  const mailServer = await startMailServer(0, {
    async taken(n) {
      const [to] = mailServer.delivered[n - 1]?.to ?? [];
      if (to !== undefined) mailed.set(to, Date.now());
    },
  });
  context.onClose(() => mailServer.close());
  const service = await startPushService();
  context.onClose(() => service.close());
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    PUSH_SERVICE: service.origin,
    PUBLIC_URL: 'https://bench.example',
  };
  const portal = await startBenchPortal(context, settings, PUSH_PROCESS_ARGUMENTS);
  const { pool } = portal;
  const loggers = await portal.machines(PEOPLE);
  await portal.report(loggers, 0, Date.now() - 10_000, () => ({ Soc1: 80 }));
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'bench'`);
  const organizationId = rows[0]?.id as number;
  const passwordHash = await cheaplyHashed('not used to sign in');
  const people: { email: string; path: string }[] = [];
  for (const { streamId } of loggers) {
    const email = `p${streamId}@bench.example`;
    const account = await createAccount(pool, { email, passwordHash, organizationId, isConfirmed: true });
    const { subscription, path } = service.device();
    people.push({ email, path });
    await pool.query(
      `with s as (
         insert into session (token_hash, account_id, expires_at) values (sha256($2::text::bytea), $1, now() + interval '1 day') returning id
       ) insert into push_subscription (session_id, endpoint, p256dh, auth) select id, $2, $3, $4 from s`,
      [account, subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth],
    );
    const low = { threshold: 20, clear: 25, hold: 0, clearHold: 0 };
    // Not urgent, because urgent alerts are sent without waiting to be grouped.
    const own = rule('low', {
      machines: 'chosen',
      ids: [streamId],
      roles: [],
      settings: low,
      severity: 'notice',
    });
    await addRule(pool, organizationId, account as number, own, new Date());
  }
  // Waits for the first evaluation of every machine. The first evaluation starts at the newest reading, so that it opens no alert.
  while (((await pool.query('select from alert_cursor')).rowCount ?? 0) < PEOPLE) await wait(100);

  const lines = openConnectionPool(portal.port, 8);
  context.onClose(async () => lines.close());
  const sign = uploadSigner(loggers, `127.0.0.1:${portal.port}`);
  const sentAt = await Promise.all(
    loggers.map(async (_, machine) => {
      await wait((machine * SPREAD_MS) / PEOPLE);
      const send = async (Soc1: number): Promise<number> => {
        const GMT_UNIX = Math.floor(Date.now() / 1000);
        await lines.send(sign(machine, JSON.stringify({ GMT_UNIX, Soc1 }), Date.now()));
        return GMT_UNIX * 1_000;
      };
      await send(12);
      await wait(2_000);
      return send(11);
    }),
  );
  const deadline = Date.now() + GROUP_MS + 60_000;
  const pushed = new Map<string, number>();
  while (Date.now() < deadline && (mailed.size < PEOPLE || pushed.size < PEOPLE)) {
    await wait(20);
    for (const { path } of service.taken) if (!pushed.has(path)) pushed.set(path, Date.now());
  }
  const late = (notifiedAt: (person: { email: string; path: string }) => number | undefined): number[] =>
    people.map((person, n) => (notifiedAt(person) ?? Number.POSITIVE_INFINITY) - (sentAt[n] ?? 0) - GROUP_MS);
  const both = [late(({ email }) => mailed.get(email)), late(({ path }) => pushed.get(path))];
  const p95 = both.map((times) => percentile(times, 0.95));
  return {
    what: 'p95 from an upload to the mail server’s 250, and to the push service’s 201, without the minute of group wait',
    measured: p95.map((ms) => `${wholeNumber(ms)} ms`).join(', '),
    toReach: `<= ${wholeNumber(NOTIFIED_MS)} ms`,
    reached: Math.max(...p95) <= NOTIFIED_MS,
    details: both.map(
      (times) => `each, from the whole second of the reading, ms: ${times.map(wholeNumber).join(' ')}`,
    ),
  };
}

const MACHINES = Number(process.env.ALERT_MACHINES ?? 10_000);
const OWNERS = 20;
const RULES = 200;
const PAIRS = Number(process.env.ALERT_PAIRS ?? 5);
const SECONDS = 20;
const CLOCK_MS = 1_000;
const PAST_SECONDS = 6 * 3_600;
const EVALUATIONS = 5;

async function manyMachines(context: BenchContext): Promise<BenchRow[]> {
  const portal = await startBenchPortal(context);
  const { pool } = portal;
  context.log(`Making ${wholeNumber(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  await shareOut(
    pool,
    loggers.map(({ streamId }) => streamId),
  );
  const client = startLoadClient(context);
  const firstSeconds = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  let [from, expected] = [0, 8_000];
  const run = (isOn: boolean) => async (): Promise<number> => {
    await pool.query('update alert_rule set is_on = $1', [isOn]);
    const count = Math.ceil(2.5 * expected * SECONDS);
    const host = `127.0.0.1:${portal.port}`;
    await client.sign({ loggers, host, from, count, firstSeconds, signedAt: Date.now() });
    from += count;
    const load = { port: portal.port, connections: 128, status: 200, once: true };
    // Discards the first seconds, in which the alerts evaluate the machines for the first time.
    await client.closedLoop({ ...load, seconds: SECONDS / 2 });
    const { perSecond } = await client.closedLoop({ ...load, seconds: SECONDS });
    expected = perSecond;
    context.log(`${isOn ? 'with' : 'without'} rules: ${wholeNumber(perSecond)}/s`);
    return perSecond;
  };
  await run(false)();
  const comparison = comparePairs(await runInPairs(PAIRS, run(true), run(false)));
  await pool.query('update alert_rule set is_on = true');
  return [
    rateRow(`acknowledged uploads of ${wholeNumber(MACHINES)} machines with ${RULES} rules`, comparison, {
      unit: '/s',
      beside: 'without rules',
      leastRatio: 0.9,
    }),
    await timeOfClock(portal),
    await messagesOfSilence(portal),
  ];
}

/**
 * Divides the machines equally over organizations. Each organization has rules of the kinds that customers have, and notifies one
 * person, its beheerder (manager).
 */
async function shareOut(pool: Pool, streams: readonly number[]): Promise<void> {
  const passwordHash = await cheaplyHashed('not used to sign in');
  for (let n = 0; n < OWNERS; n += 1) {
    const name = `owner-${n}`;
    const organizationId = await createOrganization(pool, { name, clean: name, isLmbCustomer: false });
    await createAccount(pool, {
      email: `${name}@bench.example`,
      passwordHash,
      organizationId,
      isConfirmed: true,
    });
    const own = streams.filter((_, at) => at % OWNERS === n);
    await pool.query('update ownership set organization_id = $1 where stream_id = any ($2)', [
      organizationId,
      own,
    ]);
    for (let one = 0; one < RULES / OWNERS; one += 1) {
      const kind = MACHINE_ALERT_KINDS[one % MACHINE_ALERT_KINDS.length] as MachineAlertKind;
      await addRule(pool, organizationId, null, rule(kind, { isOn: false }), new Date());
    }
  }
}

/** Cache that stays between evaluations, as in the server's process. */
const usualDays: UsualDaysCache = new Map();

const runClock = (pool: Pool, now: () => number) => {
  const webhooks = {
    async queue() {
      throw new Error('No organization has a webhook here.');
    },
  };
  return evaluateTimerRules({ pool, webhooks, now }, usualDays);
};

async function timeOfClock({ pool }: BenchPortal): Promise<BenchRow> {
  await pool.query(`update alert_clock set since = now() - interval '1 hour'`);
  const times: number[] = [];
  for (let n = 0; n < EVALUATIONS; n += 1) {
    const began = performance.now();
    await runClock(pool, Date.now);
    times.push(performance.now() - began);
  }
  return timeRow(
    `evaluation of the rules that a timer triggers, ${wholeNumber(MACHINES)} machines`,
    times,
    CLOCK_MS,
  );
}

/**
 * Evaluates the alert rules at a time three days from now, at which every machine is silent.
 * @returns the result row: the largest number of mails to one person
 */
async function messagesOfSilence({ pool }: BenchPortal): Promise<BenchRow> {
  const later = Date.now() + 3 * 86_400_000;
  await pool.query('update alert_clock set looked_at = to_timestamp($1), since = to_timestamp($1 - 3600)', [
    later / 1000 - 60,
  ]);
  await runClock(pool, () => later);
  const made = new Map<number, number>();
  for (let minute = 0; minute <= SHARED_SILENCE_WINDOW_MS / 60_000; minute += 1) {
    const now = later + minute * 60_000;
    await runClock(pool, () => now);
    for (const { id } of await inTransaction(pool, (client) => createOutboxMessages(client, now))) {
      const { rows } = await pool.query<{ account: number }>(
        `select account_id as account from alert_message m where id = $1 and channel = 'mail' and exists (
           select from alert_outbox b join alert x on x.id = b.alert_id where b.message_id = m.id and x.kind = 'silent')`,
        [id],
      );
      for (const { account } of rows) made.set(account, (made.get(account) ?? 0) + 1);
    }
  }
  const most = Math.max(0, ...made.values());
  return {
    what: `${wholeNumber(MACHINES)} loggers become silent at once: largest number of messages to one person`,
    measured: wholeNumber(most),
    toReach: '1',
    reached: most === 1,
    details: [`${made.size} of ${OWNERS} people were notified`],
  };
}
