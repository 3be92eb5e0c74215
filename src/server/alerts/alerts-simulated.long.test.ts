import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Portal } from '#server/portal.ts';
import { type AlertKind, type RuleSettings, usualSettings } from '#shared/domain/alerts/kinds.ts';
import { type OracleEpisode, oracle } from '#shared/domain/alerts/test/oracle.ts';
import { READING_KINDS, randomCourse } from '#shared/domain/alerts/test/random-course.ts';
import type { WatchedRule } from '#shared/domain/alerts/watch.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { AlertDesk, at, START } from './test/alert-desk.ts';

/**
 * Days of a fleet whose readings come late, out of order and twice, looked at by two processes that are stopped, and whose
 * connections break, in the middle of it: what is recorded is what the oracle says of all readings in their order.
 */

const MACHINES = 24;
const DAYS = Number(process.env.DAYS ?? 5);
/** Over the night in which summer time begins, and Easter Monday, a day off; minutes after START. */
const BEGIN = (Date.UTC(2027, 2, 25, 13) - START) / 60_000;
const END = BEGIN + DAYS * 24 * 60;
const TICK = 5;

let d: AlertDesk;
beforeAll(async () => {
  d = await AlertDesk.open();
}, 60_000);
afterAll(() => d.close());

type Arrival = { readonly minute: number; readonly streamId: number; readonly reading: Reading };

/** In stretches of days that were drawn for themselves, one after the other. */
function readingsOf(random: Random): Reading[] {
  const readings: Reading[] = [];
  for (let from = BEGIN + random.whole(1, 300); from < END; ) {
    const course = randomCourse(random.whole(1, 1_000_000)).readings;
    const shift = at(from) - (course[0]?.time ?? 0);
    readings.push(...course.map(({ time, signals }) => ({ time: time + shift, signals })));
    from = ((readings.at(-1)?.time ?? 0) - START) / 60_000 + random.whole(1, 400);
  }
  return readings.filter(({ time }) => time < at(END));
}

/** When each comes in: mostly at once, 3 in 10 later, some after hours without a network, some twice. */
function arrivalsOf(random: Random, streamId: number, readings: readonly Reading[]): Arrival[] {
  let offlineUntil = 0;
  return readings.flatMap((reading) => {
    const measured = (reading.time - START) / 60_000;
    if (random.chance(0.002)) offlineUntil = measured + random.whole(10, 600);
    const late = random.chance(0.3) ? random.pick([1, 3, 20, 200]) * random.whole(0, 100) * 0.01 : 0;
    const minute = Math.max(measured + late, measured < offlineUntil ? offlineUntil : 0);
    const again = random.chance(0.02) ? [{ minute: minute + random.whole(1, 600), streamId, reading }] : [];
    return [{ minute, streamId, reading }, ...again];
  });
}

const HOUR_IN_AMSTERDAM = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Amsterdam',
  hourCycle: 'h23',
  weekday: 'short',
  hour: 'numeric',
  day: 'numeric',
});
/** Monday to Friday from 7 to 17, but for Easter Monday. */
function isWorkTime(ms: number): boolean {
  const parts = new Map(HOUR_IN_AMSTERDAM.formatToParts(ms).map(({ type, value }) => [type, value]));
  const isOff = ['Sat', 'Sun'].includes(parts.get('weekday') ?? '') || parts.get('day') === '29';
  const hour = Number(parts.get('hour'));
  return !isOff && hour >= 7 && hour < 17;
}

test('16.3l what two processes record through stops, broken connections and late readings is what the oracle says', async () => {
  const random = new Random(16);
  d.setClock(BEGIN);
  const asked: [AlertKind, RuleSettings, 'always' | 'work'][] = READING_KINDS.flatMap((kind) => [
    [kind, usualSettings(kind), kind === 'speeding' ? 'work' : 'always'],
    [kind, { ...usualSettings(kind), ...(usualSettings(kind).hold !== undefined && { hold: 0 }) }, 'always'],
  ]);
  const machines = [];
  for (let n = 0; n < MACHINES; n += 1) {
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, [{ time: at(BEGIN - 1), signals: {} }]);
    machines.push({ streamId, readings: readingsOf(random) });
  }
  const rules: WatchedRule[] = [];
  for (const [kind, settings, hours] of asked)
    rules.push({
      key: `${await d.rule(kind, { ruleName: `${kind} ${rules.length}`, settings, hours })}.1`,
      kind: kind as WatchedRule['kind'],
      settings,
      inWorkOnly: hours === 'work' && kind !== 'moved',
      from: at(BEGIN),
    });
  const arrivals = machines
    .flatMap(({ streamId, readings }) => arrivalsOf(random, streamId, readings))
    .sort((a, b) => a.minute - b.minute);

  let other: Portal = await d.desk.anotherProcess();
  const looks = { stopped: 0, broken: 0 };
  for (let minute = BEGIN, next = 0; minute < END + 700; minute += TICK) {
    const batch: Arrival[] = [];
    for (; (arrivals[next]?.minute ?? Number.POSITIVE_INFINITY) <= minute; next += 1)
      batch.push(arrivals[next] as Arrival);
    for (const [streamId, come] of Map.groupBy(batch, (one) => one.streamId))
      await d.desk.store(
        streamId,
        come.map(({ reading }) => reading),
      );
    if (random.chance(0.01)) {
      await other.close();
      other = await d.desk.anotherProcess();
      looks.stopped += 1;
    }
    const breaks = random.chance(0.05) ? breakOne(random.whole(1, 30)) : undefined;
    const looked = await Promise.allSettled([d.look(minute, d.desk.portal.portal, other)]);
    await breaks;
    if (looked[0]?.status === 'rejected') looks.broken += 1;
    if (minute % 60 < TICK) await d.tell(minute + 1).catch(() => undefined);
  }
  expect(looks.stopped).toBeGreaterThan(0);
  expect(looks.broken).toBeGreaterThan(0);

  const { rows } = await d.pool.query<OracleEpisode & { streamId: number; until: number | null }>(
    `select stream_id as "streamId", rule_id || '.' || version as key, extract(epoch from since)::float8 * 1000 as since,
       extract(epoch from at)::float8 * 1000 as at, extract(epoch from until)::float8 * 1000 as until
     from alert where withdrawn_at is null`,
  );
  const recorded = Map.groupBy(rows, ({ streamId }) => streamId);
  for (const { streamId, readings } of machines) {
    const whole = [{ time: at(BEGIN - 1), signals: {} }, ...readings];
    const expected = oracle(whole, { rules, isWorkTime }).map(inWords).sort();
    expect((recorded.get(streamId) ?? []).map(inWords).sort(), `machine ${streamId}`).toEqual(expected);
  }
  // Who is told, is told once: an alert is in one message of a person and channel, and that is one mail.
  const ids = (await d.mails()).map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(0);
}, 1_800_000);

const inWords = ({
  key,
  since,
  at: opened,
  until,
}: Omit<OracleEpisode, 'until'> & { until?: number | null }) =>
  [key, ...[since, opened, until].map((ms) => (ms == null ? '-' : new Date(ms).toISOString()))].join(' ');

/** A moment later the connection of a look is gone, as when its process is killed. */
async function breakOne(ms: number): Promise<void> {
  await wait(ms);
  await d.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid <> pg_backend_pid() and datname = current_database() and query ~ 'alert|reading|stream' and state <> 'idle'`,
  );
}
