import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { SECRETS_KEY } from '#server/test/portal.ts';
import { type Receiver, startReceiver } from '#server/webhooks/test/receiver.ts';
import type { AlertKind } from '#shared/domain/alerts/kinds.ts';
import { type OracleEpisode, readingAlertOracle } from '#shared/domain/alerts/test/oracle.ts';
import { timerAlertOracle } from '#shared/domain/alerts/test/timer-alert-oracle.ts';
import { withoutUnusedValues } from '#shared/domain/test/oracle/counting.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { makeFleet } from './test/fleet-with-rules.ts';
import {
  isWorkTime,
  type ReadingArrival,
  readingArrivalsOf,
  shiftStartsIn,
  simulatedReadings,
} from './test/simulated-fleet.ts';
import { TwoProcesses } from './test/two-processes.ts';

/**
 * Simulates days of a fleet whose readings arrive late, out of order and twice, while the clock jumps and the two portal processes that
 * evaluate and notify are killed. The recorded alerts must be those of the oracles, and each must be notified once.
 */

const MACHINES = 24;
/** Number of days to simulate: `DAYS=30` simulates a month. */
const DAYS = Number(process.env.DAYS ?? 5);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The range contains the start of summer time, and Easter Monday as a day off. No shift begins at the time of an evaluation. */
const BEGIN = Date.UTC(2027, 2, 25, 13, 3);
const END = BEGIN + DAYS * DAY;
/** End of the simulation: by then all readings have been evaluated and notified. */
const LAST = END + 2 * DAY;
const TICK = 10 * MINUTE;
/**
 * Numbers of ticks between two evaluations of readings (LOOK), clock jumps, kills of processes, restarts of one process, and kills of
 * both processes while they send (HOLD).
 */
const EVERY = { LOOK: 3, JUMP: 151, KILL: 97, RESTART: 401, HOLD: 251 };
/** Period in which all machines are silent; they fall silent together at its start. */
const REST = { from: BEGIN + 0.6 * DAYS * DAY, to: BEGIN + 0.6 * DAYS * DAY + 26 * HOUR };
const FLAPPING = 2;
const FLAPS_AT = BEGIN + 0.3 * DAYS * DAY;
/** Time in ms from the arrival of readings to their evaluation, because earlier readings may still arrive. */
const SETTLED = 30_000;
const JUMPS = [3 * HOUR, 20 * MINUTE, -2 * HOUR, -20 * MINUTE] as const;
/** Maximum mails and webhook messages that a killed process may have sent without having got the answer. */
const IN_HAND = 8;

const HOOK = '/in';
/** While `isOn`, the mail server and the webhook receiver give no answer. */
const held = { isOn: false, mails: 0 };
let folder: string;
let database: TestDatabase;
let mails: MailServer;
let receiver: Receiver;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-simulated-'));
  database = await testDatabase();
  receiver = await startReceiver(false);
  mails = await startMailServer(0, {
    taken() {
      if (!held.isOn) return undefined;
      held.mails += 1;
      return new Promise(() => {});
    },
  });
}, 60_000);
afterAll(async () => {
  await mails.close();
  await receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** When new readings arrived, by machine, and when rules were evaluated. */
type Lived = { readonly lastSeen: ReadonlyMap<number, number[]>; readonly evaluations: readonly number[] };

async function live(
  arrivals: readonly ReadingArrival[],
  machines: readonly number[],
  portals: TwoProcesses,
): Promise<Lived> {
  const random = new Random(16);
  const lastSeen = new Map(machines.map((streamId) => [streamId, [BEGIN]]));
  const evaluations: number[] = [];
  let downUntil = 0;
  let next = 0;
  for (let now = BEGIN + TICK; now < LAST || !(await isAllSent()); now += TICK) {
    const tick = (now - BEGIN) / TICK;
    const isOver = now >= END;
    // At the end both portals are killed, because new processes take over at once the jobs that killed processes were running.
    if (now === END) await portals.killBoth();
    // A portal that is down receives nothing: loggers send it later.
    if (now < downUntil) continue;
    const come = next;
    while ((arrivals[next]?.time ?? Number.POSITIVE_INFINITY) <= now) next += 1;
    await store(arrivals.slice(come, next), now, lastSeen);
    if (tick % EVERY.JUMP === 50) {
      const wrong = now + random.pick(JUMPS);
      evaluations.push(wrong);
      await portals.round({ now: wrong, evaluatesReadings: true });
    }
    evaluations.push(now + SETTLED);
    const evaluatesReadings = tick % EVERY.LOOK === 0;
    const killAfterMs = tick % EVERY.KILL === 0 && !isOver ? random.whole(0, 60) : undefined;
    const who = evaluatesReadings || killAfterMs !== undefined ? 'both' : 'one';
    await portals.round({ now: now + SETTLED, evaluatesReadings }, who, killAfterMs);
    if (tick % EVERY.RESTART === 80) await portals.restart(random.whole(0, 1));
    if (tick % EVERY.HOLD === 20 && !isOver) hold(true);
    if (held.mails > 0) {
      await portals.killBoth();
      hold(false);
      downUntil = now + random.pick([0, 40, 120]) * MINUTE;
    }
  }
  return { lastSeen, evaluations };
}

/** Waits until nothing is queued or being sent. */
async function isAllSent(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select from pgboss.job where name like 'alert-%' and state in ('created', 'retry', 'active')
     union all select from webhook_delivery where next_try_at is not null
     union all select from alert_outbox where message_id is null`,
  );
  return rowCount === 0;
}

function hold(isOn: boolean): void {
  Object.assign(held, { isOn, mails: 0 });
  receiver.answers = isOn ? { [HOOK]: undefined } : {};
}

async function store(
  arrivals: readonly ReadingArrival[],
  now: number,
  lastSeen: Lived['lastSeen'],
): Promise<void> {
  if (arrivals.length === 0) return;
  const { pool } = database;
  await pool.query('update simulated_clock set now = $1', [new Date(now)]);
  await storeReadings(
    pool,
    arrivals.map(({ streamId, reading }) => ({ streamId, ...reading })),
  );
  const fresh = arrivals.filter(({ isReplay }) => !isReplay);
  for (const streamId of new Set(fresh.map((one) => one.streamId))) lastSeen.get(streamId)?.push(now);
}

type Recorded = OracleEpisode & {
  readonly id: string;
  readonly kind: AlertKind;
  readonly streamId: number | null;
  readonly until: number | null;
  readonly notifies: boolean;
  readonly isOwn: boolean;
  readonly isWithdrawn: boolean;
};

async function readRecorded(): Promise<Recorded[]> {
  const ms = (column: string) => `extract(epoch from x.${column})::float8 * 1000 as ${column}`;
  const { rows } = await database.pool.query<Recorded>(
    `select x.id, x.kind, x.stream_id as "streamId", x.rule_id || '.' || x.version as key, ${ms('since')}, ${ms('at')}, ${ms('until')},
       x.is_news as "notifies", r.account_id is not null as "isOwn", x.withdrawn_at is not null as "isWithdrawn"
     from alert x join alert_rule r on r.id = x.rule_id`,
  );
  return rows;
}

const inWords = ({ key, since, at, until }: Omit<OracleEpisode, 'until'> & { until?: number | null }) =>
  [key, ...[since, at, until].map((ms) => (ms == null ? '-' : new Date(ms).toISOString()))].join(' ');

test('two portals record the alerts that the oracles find and notify of each once, through kills, clock jumps and late readings (16.3l)', async () => {
  const { machines, ofReadings, ofTheClock, recipients } = await makeFleet(database.pool, {
    count: MACHINES,
    hookUrl: `http://localhost:${receiver.port}${HOOK}`,
    range: { from: BEGIN, to: LAST },
  });
  const readings = new Map(
    machines.map((streamId, n) => {
      const flapsAt = n < FLAPPING ? FLAPS_AT : undefined;
      return [streamId, simulatedReadings(n, { from: BEGIN, to: END }, REST, flapsAt)];
    }),
  );
  const arrivals = machines
    .flatMap((streamId, n) => readingArrivalsOf(100 + n, streamId, readings.get(streamId) ?? []))
    .sort((a, b) => a.time - b.time);
  const portals = new TwoProcesses(database, folder, {
    SECRETS_KEY,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    PUBLIC_URL: 'https://portaal.nl',
    OUTBOUND_ALLOW_WEBHOOKS: `http://localhost:${receiver.port}`,
    NOW: String(BEGIN),
  });
  const { lastSeen, evaluations } = await live(arrivals, machines, portals);
  const { killed, restarted } = portals;
  await portals.close();
  expect(restarted).toBeGreaterThan(DAYS / 5);
  expect(killed).toBeGreaterThan(DAYS * 2);

  const recorded = await readRecorded();
  const stands = recorded.filter(({ isWithdrawn }) => !isWithdrawn);
  const ofMachine = Map.groupBy(stands, ({ streamId }) => streamId);
  for (const streamId of machines) {
    const whole = [{ time: BEGIN - MINUTE, signals: {} }, ...(readings.get(streamId) ?? [])];
    const course = {
      lastSeen: lastSeen.get(streamId) ?? [],
      evaluations,
      shifts: shiftStartsIn({ from: BEGIN, to: LAST + DAY }),
    };
    const expected = [
      ...readingAlertOracle(withoutUnusedValues(whole), { rules: ofReadings, isWorkTime }),
      ...timerAlertOracle(ofTheClock, course),
    ];
    const found = ofMachine.get(streamId) ?? [];
    expect(found.map(inWords).sort(), `machine ${streamId}`).toEqual(expected.map(inWords).sort());
  }
  // During REST all machines fell silent at once.
  const together = (ofMachine.get(null) ?? []).filter(({ at }) => REST.from < at && at < REST.to);
  const silent = ofTheClock.filter(({ kind }) => kind === 'silent').map(({ key }) => key);
  expect(together.map(({ key }) => key).sort()).toEqual(silent.sort());

  expectWebhookDeliveries(recorded);
  await expectPeopleNotified(recorded, recipients);
  // Only mails and webhook messages that had no answer yet when their process was killed were sent again.
  expect(repeated(messageIds())).toBeGreaterThan(0);
  expect(repeated([...messageIds(), ...hookKeys()])).toBeLessThanOrEqual(killed * IN_HAND);
}, 3_600_000);

const repeated = (ids: readonly string[]): number => ids.length - new Set(ids).size;
const hookKeys = (): string[] => receiver.at(HOOK).map(({ headers }) => String(headers['webhook-id']));
const messageIds = (): string[] =>
  mails.delivered.map(({ source }) => /^Message-ID: <(.*)@portaal\.nl>/im.exec(source)?.[1] ?? '');

/** Expects webhook events of each alert of the organization that notifies: one when it opened, one about how it ended; and no others. */
function expectWebhookDeliveries(recorded: readonly Recorded[]): void {
  const notifying = recorded.filter(({ notifies, isOwn }) => notifies && !isOwn);
  const due = notifying.flatMap(({ id, until, isWithdrawn }) => {
    const end = isWithdrawn ? ['withdrawn'] : until === null ? [] : ['closed'];
    return ['opened', ...end].map((step) => `alert-${id}-${step}`);
  });
  // An alert that was withdrawn or reopened may have resolved before that, which sent a 'closed' event.
  const allowed = new Set([...due, ...notifying.map(({ id }) => `alert-${id}-closed`)]);
  const keys = new Set(hookKeys());
  expect(due.filter((key) => !keys.has(key))).toEqual([]);
  expect([...keys].filter((key) => !allowed.has(key))).toEqual([]);
}

/** Expects one mail per message, to the recipients of the rule, and a mail about each alert that lasted a day. */
async function expectPeopleNotified(
  recorded: readonly Recorded[],
  recipients: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows: messages } = await database.pool.query<{ id: string }>(
    `select id from alert_message where channel = 'mail' and sent_at is not null`,
  );
  expect([...new Set(messageIds())].sort()).toEqual(messages.map(({ id }) => id).sort());
  const { rows } = await database.pool.query<{ id: string; accountId: number }>(
    `select b.alert_id as id, b.account_id as "accountId" from alert_outbox b join alert_message m on m.id = b.message_id
     where b.channel = 'mail' and b.step = 'opened' and m.sent_at is not null`,
  );
  const accountOf = new Map(rows.map(({ id, accountId }) => [id, accountId]));
  expect(accountOf.size).toBe(rows.length);
  for (const { id, key, kind, at, until, notifies, isWithdrawn } of recorded) {
    const account = accountOf.get(id);
    if (account !== undefined) expect([id, account]).toEqual([id, recipients.get(key)]);
    // Alerts of the kind `silent` are excluded, because many machines that fall silent at once cause one alert together.
    const isLong = notifies && !isWithdrawn && kind !== 'silent' && (until ?? LAST) - at > DAY;
    if (isLong) expect([id, key, account]).toEqual([id, key, recipients.get(key)]);
  }
}
