/**
 * Alerts (docs/design.md section 11, docs/alerts.md).
 *
 * 1. From the upload by which something is so to the mail server's 250 and the push service's 201, beside the minute that messages wait
 *    for each other: 60 machines of 60 people.
 * 2. 10,000 machines of 20 organizations with 10 rules each, whose loggers upload as fast as they get answers; beside the same without a
 *    rule that is on. With the rules, what the minute clock takes; then all loggers fall silent.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { lookAtClock } from '#server/alerts/clock.ts';
import { makeMessages } from '#server/alerts/outbox.store.ts';
import { addRule, type RuleFields } from '#server/alerts/rules.store.ts';
import { createAccount } from '#server/auth/new-account.ts';
import type { UsualDays } from '#server/fleet-figures/usual-days.ts';
import { startMailServer } from '#server/mail/test/mail-server.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { START_WITH_PUSH, startPushService } from '#server/push/test/push-service.ts';
import { cheaplyHashed } from '#server/test/passwords.ts';
import {
  type AlertKind,
  MACHINE_KINDS,
  type MachineKind,
  usualSettings,
} from '#shared/domain/alerts/kinds.ts';
import { SILENT_TOGETHER_MS } from '#shared/domain/alerts/standing.ts';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { startLoadClient } from './load-client.ts';
import { median, percentile } from './median.ts';
import { compare, inPairs } from './pairs.ts';
import { uploadSigner } from './presigned-uploads.ts';
import { type Bench, type Row, whole } from './row.ts';
import { openUploadLines } from './upload-lines.ts';
import type { Workplace } from './workplace.ts';

export const alerts: Bench = async (place) => {
  const rows: Row[] = [];
  for (const part of [untilTold, manyMachines])
    for (const row of await part(place)) {
      place.say(`${row.what}: ${row.measured}`);
      rows.push(row);
    }
  return rows;
};

const PEOPLE = 60;
/** ms; over so long they come in. */
const SPREAD_MS = 40_000;
const GROUP_MS = 60_000;
const REACH_TOLD_MS = 5_000;

const rule = (kind: AlertKind, fields: Partial<RuleFields> = {}): RuleFields => ({
  ruleName: kind,
  kind,
  settings: usualSettings(kind),
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

async function untilTold(place: Workplace): Promise<Row[]> {
  const mailed = new Map<string, number>();
  const mailServer = await startMailServer(0, {
    async taken(n) {
      const [to] = mailServer.delivered[n - 1]?.to ?? [];
      if (to !== undefined) mailed.set(to, Date.now());
    },
  });
  place.onClose(() => mailServer.close());
  const service = await startPushService();
  place.onClose(() => service.close());
  const portal = await startBenchPortal(
    place,
    {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      PUSH_SERVICE: service.origin,
      PUBLIC_URL: 'https://bench.example',
    },
    START_WITH_PUSH,
  );
  const { pool } = portal;
  const loggers = await portal.machines(PEOPLE);
  // Not charging, as some of the others would.
  await portal.report(loggers, 0, Date.now() - 10_000, () => ({ Soc1: 80 }));
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'bench'`);
  const organizationId = rows[0]?.id as number;
  const passwordHash = await cheaplyHashed('nobody signs in');
  const devices: string[] = [];
  for (const { streamId } of loggers) {
    const email = `p${streamId}@bench.example`;
    const account = await createAccount(pool, { email, passwordHash, organizationId, isConfirmed: true });
    const { subscription, path } = service.device();
    devices.push(path);
    await pool.query(
      `with s as (
         insert into session (token_hash, account_id, expires_at) values (sha256($2::text::bytea), $1, now() + interval '1 day') returning id
       ) insert into push_subscription (session_id, endpoint, p256dh, auth) select id, $2, $3, $4 from s`,
      [account, subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth],
    );
    const settings = { threshold: 20, clear: 25, hold: 0, clearHold: 0 };
    const own = rule('low', { machines: 'chosen', ids: [streamId], roles: [], settings });
    await addRule(pool, organizationId, account as number, own, new Date());
  }

  // What is looked at for the first time begins with its newest reading, which opens nothing.
  const begun = 'select from alert_cursor';
  while (((await pool.query(begun)).rowCount ?? 0) < PEOPLE) await wait(100);

  const lines = openUploadLines(portal.port, 8);
  place.onClose(async () => lines.close());
  const sign = uploadSigner(loggers, `127.0.0.1:${portal.port}`);
  const sent = await Promise.all(
    loggers.map(async (_, machine) => {
      await wait((machine * SPREAD_MS) / PEOPLE);
      const low = (Soc1: number): string => JSON.stringify({ GMT_UNIX: Math.floor(Date.now() / 1000), Soc1 });
      await lines.send(sign(machine, low(12), Date.now()));
      await wait(2_000);
      const body = low(11);
      await lines.send(sign(machine, body, Date.now()));
      return (JSON.parse(body) as { GMT_UNIX: number }).GMT_UNIX * 1_000;
    }),
  );
  const deadline = Date.now() + GROUP_MS + 60_000;
  const pushed = new Map<string, number>();
  while (Date.now() < deadline && (mailed.size < PEOPLE || pushed.size < PEOPLE)) {
    await wait(20);
    for (const { path } of service.taken) if (!pushed.has(path)) pushed.set(path, Date.now());
  }
  const late = (told: (machine: number) => number | undefined): number[] =>
    sent.map((at, machine) => (told(machine) ?? Number.POSITIVE_INFINITY) - at - GROUP_MS);
  const mails = late((machine) => mailed.get(`p${loggers[machine]?.streamId}@bench.example`));
  const pushes = late((machine) => pushed.get(devices[machine] as string));
  const [mail, push] = [percentile(mails, 0.95), percentile(pushes, 0.95)];
  return [
    {
      what: 'from an upload to the mail server’s 250 and the push service’s 201, p95 beside the minute that they wait',
      measured: `${whole(mail)} ms, ${whole(push)} ms`,
      reach: `<= ${whole(REACH_TOLD_MS)} ms`,
      reached: mail <= REACH_TOLD_MS && push <= REACH_TOLD_MS,
      notes: [
        `${PEOPLE} alerts of ${PEOPLE} people; median ${whole(median(mails))} and ${whole(median(pushes))} ms, longest ${whole(Math.max(...mails))} and ${whole(Math.max(...pushes))} ms; from the second of the reading, which the logger tells in whole seconds`,
      ],
    },
  ];
}

const MACHINES = Number(process.env.ALERT_MACHINES ?? 10_000);
const OWNERS = 20;
const PAIRS = 5;
const SECONDS = 20;
const CONNECTIONS = 128;
const REACH_RATIO = 0.9;
const REACH_CLOCK_MS = 1_000;
const PAST_SECONDS = 6 * 3_600;
const LOOKS = 5;

async function manyMachines(place: Workplace): Promise<Row[]> {
  const portal = await startBenchPortal(place);
  const { pool } = portal;
  place.say(`Making ${whole(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  const rules = await shareOut(
    pool,
    loggers.map(({ streamId }) => streamId),
  );
  const client = startLoadClient(place);
  const firstSeconds = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  let from = 0;
  let expected = 8_000;
  let lookedAt = 0;
  async function run(isOn: boolean): Promise<number> {
    await pool.query('update alert_rule set is_on = $1', [isOn]);
    // Both begin with some seconds that do not count: what is new of the machines is looked at once.
    const count = Math.ceil(2.5 * expected * SECONDS);
    await client.sign({
      loggers,
      host: `127.0.0.1:${portal.port}`,
      from,
      count,
      firstSeconds,
      signedAt: Date.now(),
    });
    from += count;
    const load = { port: portal.port, connections: CONNECTIONS, once: true };
    await client.run(200, { ...load, seconds: SECONDS / 2 });
    const { perSecond } = await client.run(200, { ...load, seconds: SECONDS });
    expected = perSecond;
    place.say(`${isOn ? 'with' : 'without'} rules: ${whole(perSecond)}/s`);
    if (isOn) lookedAt = await countLookedAt(pool);
    return perSecond;
  }
  await run(false);
  const { ours, reference, ratio, rounds } = compare(
    await inPairs(
      PAIRS,
      () => run(true),
      () => run(false),
    ),
    (perSecond) => perSecond,
  );
  await pool.query('update alert_rule set is_on = true');
  return [
    {
      what: `acknowledged uploads of ${whole(MACHINES)} machines while ${rules} rules look at them`,
      measured: `${whole(ours)}/s`,
      reference: `${whole(reference)}/s without rules`,
      ratio,
      reach: `>= ${REACH_RATIO} x`,
      reached: ratio >= REACH_RATIO,
      notes: [`pairs, uploads per second: ${rounds}`, `${whole(lookedAt)} machines were looked at`],
    },
    await theClock(portal),
    await allSilent(portal),
  ];
}

async function countLookedAt(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from alert_cursor where state is not null',
  );
  return rows[0]?.n ?? 0;
}

/** Organizations with as many machines each, and a rule of each kind that customers have, told to a beheerder. @returns how many */
async function shareOut(pool: Pool, streams: readonly number[]): Promise<number> {
  const passwordHash = await cheaplyHashed('nobody signs in');
  let rules = 0;
  for (let n = 0; n < OWNERS; n += 1) {
    const name = `owner-${n}`;
    const organizationId = await createOrganization(pool, { name, clean: name, isLmbCustomer: false });
    await createAccount(pool, {
      email: `${name}@bench.example`,
      passwordHash,
      organizationId,
      isConfirmed: true,
    });
    const own = streams.filter((_, place) => place % OWNERS === n);
    await pool.query('update ownership set organization_id = $1 where stream_id = any ($2)', [
      organizationId,
      own,
    ]);
    for (let one = 0; one < 200 / OWNERS; one += 1) {
      const kind = MACHINE_KINDS[one % MACHINE_KINDS.length] as MachineKind;
      await addRule(pool, organizationId, null, rule(kind, { isOn: false }), new Date());
      rules += 1;
    }
  }
  return rules;
}

const noWebhooks = {
  async queue() {
    throw new Error('Nobody has a webhook here.');
  },
};

/** As a process keeps them. */
const usualDays: UsualDays = new Map();

async function theClock({ pool }: BenchPortal): Promise<Row> {
  await pool.query(`update alert_clock set since = now() - interval '1 hour'`);
  const times: number[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    const began = performance.now();
    await lookAtClock({ pool, webhooks: noWebhooks, now: Date.now }, usualDays);
    times.push(performance.now() - began);
  }
  const ms = median(times);
  return {
    what: `the minute clock, ${whole(MACHINES)} machines`,
    measured: `${whole(ms)} ms`,
    reach: `<= ${whole(REACH_CLOCK_MS)} ms of database time`,
    reached: ms <= REACH_CLOCK_MS,
    notes: [`whole looks, our own time included: ${times.map(whole).join(' ')} ms`],
  };
}

/** Three days later nothing has come in. */
async function allSilent({ pool }: BenchPortal): Promise<Row> {
  const later = Date.now() + 3 * 86_400_000;
  await pool.query('update alert_clock set looked_at = to_timestamp($1), since = to_timestamp($1 - 3600)', [
    later / 1000 - 60,
  ]);
  const began = performance.now();
  await lookAtClock({ pool, webhooks: noWebhooks, now: () => later }, usualDays);
  const took = performance.now() - began;
  const made = new Map<number, number>();
  for (let minute = 0; minute <= SILENT_TOGETHER_MS / 60_000; minute += 1) {
    const now = later + minute * 60_000;
    await lookAtClock({ pool, webhooks: noWebhooks, now: () => now }, usualDays);
    for (const { id } of await inTransaction(pool, (client) => makeMessages(client, now))) {
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
    what: `${whole(MACHINES)} loggers silent at once: messages about it, most per person`,
    measured: whole(most),
    reach: '1',
    reached: most === 1,
    notes: [`${made.size} of ${OWNERS} people were told; the look that found them took ${whole(took)} ms`],
  };
}
