import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { chooseSeeds, Random } from '#shared/domain/test/oracle/random-machine.ts';
import { createOutboxMessages } from './outbox.store.ts';
import { AlertTestPortal, ANNA_EMAIL, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
beforeEach(async () => {
  await d.reset();
  await d.pool.query('update project set deleted_at = to_timestamp(0)');
  await d.pool.query('delete from assignment');
});
afterAll(() => d.close());

/** Latitudes of three places, in degrees. */
const HOME = 52;
const KADE = 52.005;
const SLUIS = 52.01;
const LON = 5.1;
const spot = (minute: number, latitude: number): Reading => ({
  time: testMinuteMs(minute),
  signals: { LATITUDE: latitude, LONGITUDE: LON },
});
/** Returns a position per minute. */
const stay = (from: number, to: number, latitude: number): Reading[] =>
  Array.from({ length: to - from }, (_, n) => spot(from + n, latitude));

const fields = (projectName: string, latitude: number, changed: object = {}) => ({
  projectName,
  projectNumber: '',
  client: '',
  firstDay: '2026-01-01',
  lastDay: null,
  areas: [{ centre: { lat: latitude, lon: LON }, radiusMetres: 100 }],
  ...changed,
});
async function project(projectName: string, latitude: number, changed: object = {}): Promise<number> {
  const { status, json } = await d.call<{ _id: number }>(
    'POST',
    '/api/project/create',
    BEHEERDER_EMAIL,
    fields(projectName, latitude, changed),
  );
  expect(status).toBe(200);
  return json._id;
}
const edit = async (_id: number, version: number, body: object): Promise<void> => {
  expect((await d.call('POST', '/api/project/edit', BEHEERDER_EMAIL, { ...body, _id, version })).status).toBe(
    200,
  );
};

/** Stores readings, computes the presences and evaluates the rules. */
async function come(streamId: number, minute: number, readings: readonly Reading[] = []): Promise<void> {
  await d.desk.store(streamId, readings);
  d.setClock(minute);
  await computeUntilUpToDate(d.pool);
  await d.desk.portal.portal.alerts.evaluatePresences();
}
const subjects = async (): Promise<string[]> =>
  (await d.mails()).map(({ subject }) => subject.replace(/:.*/, ''));

async function rules(kinds: readonly ('arrived' | 'left')[] = ['arrived', 'left'], more = {}): Promise<void> {
  for (const kind of kinds) await d.rule(kind, more);
}

test('the evaluation of timer rules does not change an open alert about an arrival (16.3p)', async () => {
  await project('Kade', KADE);
  await rules(['arrived']);
  await d.rule('silent');
  const { streamId } = await d.machine();
  await come(streamId, 10, stay(0, 10, HOME));
  await come(streamId, 13, stay(10, 13, KADE));
  await d.evaluateClock(14);
  expect(await d.recorded(streamId)).toEqual(['arrived 10…']);
});

test('an arrival and a departure notify once each, also across midnights, and late positions withdraw them (16.3p)', async () => {
  await project('Kade', KADE);
  await rules();
  const { streamId } = await d.machine();
  await come(streamId, 10, stay(0, 10, HOME));
  await come(streamId, 12, stay(10, 12, KADE));
  expect(await d.alerts()).toEqual([]);
  await come(streamId, 13, stay(12, 13, KADE));
  expect(await d.alerts()).toMatchObject([
    { kind: 'arrived', words: 'op Kade', since: new Date(testMinuteMs(10)).toISOString(), isNew: true },
  ]);
  await d.notify(14.1);
  expect(await subjects()).toEqual(['Aangekomen']);
  // These positions lie around two midnights in Amsterdam.
  for (const minute of [600, 620, 1_400, 2_100, 2_120])
    await come(streamId, minute + 1, [spot(minute, KADE)]);
  expect(await d.recorded(streamId)).toEqual(['arrived 10-1450']);
  await come(streamId, 2_130, stay(2_124, 2_130, HOME));
  await d.notify(2_140);
  expect(await d.recorded(streamId)).toEqual(['arrived 10-1450', 'left 2124…']);
  expect(await subjects()).toEqual(['Aangekomen', 'Vertrokken']);
  // Late positions withdraw the departure: with them one position in three lies inside the area.
  await come(streamId, 2_132, [
    spot(2_125.5, KADE),
    spot(2_127.1, KADE),
    spot(2_128.7, KADE),
    ...stay(2_130, 2_132, KADE),
  ]);
  expect(await d.recorded(streamId)).toEqual(['arrived 10-1450', '!left 2124…']);
  await d.notify(2_160);
  expect((await d.mails()).at(-1)?.subject).toMatch(/bleek niet zo$/);
  await come(streamId, 2_170);
  expect(await d.recorded(streamId)).toHaveLength(2);
});

test('evaluating presences and making messages do not block each other (16.3p)', async () => {
  await project('Kade', KADE);
  await rules();
  const { streamId } = await d.machine();
  await come(streamId, 10, stay(0, 10, HOME));
  const { pool } = d;
  const { alerts } = d.desk.portal.portal;
  // While the transaction that makes messages is open, the evaluation finds an arrival.
  await inTransaction(pool, async (client) => {
    expect(await createOutboxMessages(client, testMinuteMs(10))).toEqual([]);
    await come(streamId, 13, stay(10, 13, KADE));
    expect(await d.recorded(streamId)).toEqual(['arrived 10…']);
  });
  // While the evaluation waits for a lock on the table `project`, messages are made, which does not read that table.
  const blocker = await pool.connect();
  try {
    await blocker.query('begin; lock table project in access exclusive mode');
    const looking = alerts.evaluatePresences();
    await expect
      .poll(async () => {
        const waiting = await pool.query(
          `select from pg_locks where locktype = 'relation' and not granted and relation = 'project'::regclass`,
        );
        return waiting.rowCount;
      })
      .toBe(1);
    const made = await inTransaction(pool, (client) => createOutboxMessages(client, testMinuteMs(20)));
    expect(made.map(({ channel }) => channel).sort()).toEqual(['mail', 'push']);
    await blocker.query('rollback');
    await looking;
  } finally {
    blocker.release(true);
  }
});

test('an old log and late positions record past arrivals and departures, and send no messages (16.3p)', async () => {
  await project('Kade', KADE);
  await rules();
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, HOME));
  await come(streamId, 100, [...stay(5, 20, KADE), ...stay(20, 95, HOME)]);
  expect(await d.recorded(streamId)).toEqual(['arrived 5-20', 'left 20…']);
  await come(streamId, 120, [...stay(110, 120, HOME)]);
  await come(streamId, 121, stay(100, 108, KADE));
  expect(await d.recorded(streamId)).toEqual(['arrived 5-20', 'left 20-100', 'arrived 100-110', 'left 110…']);
  await d.notify(130);
  expect(await d.mails()).toEqual([]);
});

test('drawing, moving, ending or deleting an area, and a manual assignment, cause no notification (16.3p)', async () => {
  const kade = await project('Kade', KADE);
  await rules();
  const { streamId, serial } = await d.machine();
  await come(streamId, 10, stay(1, 10, SLUIS));
  const sluis = await project('Sluis', SLUIS);
  await come(streamId, 12, stay(10, 12, SLUIS));
  expect(await d.recorded(streamId)).toEqual(['arrived 1…']);
  // The area is moved away from the machine, and back.
  await edit(sluis, 1, fields('Sluis', HOME));
  await come(streamId, 14, stay(12, 14, SLUIS));
  await edit(sluis, 2, fields('Sluis', SLUIS));
  await come(streamId, 16, stay(14, 16, SLUIS));
  // The machine is assigned to the project manually, and the assignment is removed again.
  const body = {
    _id: kade,
    serial,
    from: new Date(testMinuteMs(17)).toISOString(),
    until: new Date(testMinuteMs(20)).toISOString(),
  };
  expect((await d.call('POST', '/api/project/assign', BEHEERDER_EMAIL, body)).status).toBe(200);
  for (const minute of [18, 19, 20, 21, 22, 23, 24, 25])
    await come(streamId, minute, [spot(minute - 1, SLUIS)]);
  expect((await d.call('POST', '/api/project/delete', BEHEERDER_EMAIL, { _id: sluis })).status).toBe(200);
  await d.pool.query('update project set deleted_at = $1 where id = $2', [new Date(testMinuteMs(25)), sluis]);
  for (const minute of [26, 28, 30]) await come(streamId, minute, stay(minute - 2, minute, SLUIS));
  await d.notify(40);
  expect(await d.mails()).toEqual([]);
  expect((await d.alerts('firing')).filter(({ isNew }) => isNew)).toEqual([]);
  // Moves of the machine itself do notify.
  await come(streamId, 45, stay(40, 45, KADE));
  await d.notify(47);
  expect(await subjects()).toEqual(['Aangekomen']);
});

test('an exception that takes a machine off its project raises no departure alert at its begin, and no arrival alert at its end (53.17)', async () => {
  const _id = await project('Kade', KADE);
  await rules();
  const { streamId, serial } = await d.machine();
  await come(streamId, 10, stay(0, 10, HOME));
  await come(streamId, 20, stay(10, 20, KADE));
  const except = {
    _id,
    serial,
    from: new Date(testMinuteMs(15)).toISOString(),
    until: new Date(testMinuteMs(30)).toISOString(),
  };
  expect((await d.call('POST', '/api/project/except', BEHEERDER_EMAIL, except)).status).toBe(200);
  for (const minute of [21, 25, 29]) await come(streamId, minute, stay(minute - 1, minute, KADE));
  expect(await d.recorded(streamId)).toEqual(['arrived 10…']);
  await come(streamId, 40, stay(29, 40, KADE));
  await d.notify(42);
  expect(await subjects()).toEqual(['Aangekomen']);
  expect((await d.recorded(streamId)).filter((alert) => alert.includes('left'))).toEqual([]);
});

test('the buyer of a machine gets no alerts of the seller, and no arrival in an area where the machine already was (16.3p)', async () => {
  await project('Kade', KADE);
  await rules();
  const { streamId } = await d.machine();
  await come(streamId, 10, [...stay(0, 5, HOME), ...stay(5, 10, KADE)]);
  await d.pool.query('update ownership set valid_to = $2 where stream_id = $1', [
    streamId,
    new Date(testMinuteMs(11)),
  ]);
  const elsewhere = await d.desk.portal.organization(`koper`);
  await d.desk.portal.user('baas@koper.nl', elsewhere, 'beheerder');
  await d.pool.query('insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)', [
    streamId,
    elsewhere,
    new Date(testMinuteMs(11)),
  ]);
  await d.call('POST', '/api/project/create', 'baas@koper.nl', fields('Kade van de koper', KADE));
  await d.saveRule('arrived', {}, 'baas@koper.nl');
  await come(streamId, 12, [spot(11.5, KADE)]);
  await come(streamId, 20, stay(12, 20, KADE));
  await d.notify(30);
  expect((await d.mails()).filter(({ to }) => to !== BEHEERDER_EMAIL)).toEqual([]);
});

test('a rule about arrivals or departures raises alerts only for its projects and in its hours, and its preview finds the same alerts (16.3p)', async () => {
  const kade = await project('Kade', KADE);
  await project('Sluis', SLUIS);
  await d.rule('arrived', { machines: { by: 'projects', ids: [kade] } });
  await d.rule('left', { hours: 'work', people: [ANNA_EMAIL] });
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, HOME));
  for (const [minute, latitude] of [
    [5, KADE],
    [15, SLUIS],
    [25, HOME],
    [35, KADE],
    [250, HOME],
  ] as const)
    await come(streamId, minute + 6, stay(minute, minute + 6, latitude));
  // START is Friday 14:00: 250 minutes later is outside working hours.
  expect(await d.recorded(streamId)).toEqual(['arrived 5-15', 'left 15-15', 'left 25-35', 'arrived 35-250']);
  const preview = async (kind: 'arrived' | 'left', asked: object) =>
    (
      await d.call<AlertPreview>('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, {
        kind,
        settings: {},
        hours: 'always',
        machines: { by: 'all' },
        isOwn: false,
        ...asked,
      })
    ).json;
  const found = await preview('arrived', { machines: { by: 'projects', ids: [kade] } });
  expect(found.alerts.map(({ words, at: opened }) => [words, Date.parse(opened)])).toEqual([
    ['op Kade', testMinuteMs(35)],
    ['op Kade', testMinuteMs(5)],
  ]);
  expect((await preview('left', { hours: 'work' })).count).toBe(2);
  expect((await preview('left', {})).count).toBe(3);
});

/** Oracle by docs/figures.md section 13 and docs/alerts.md, for two areas far apart and positions in order of time. */
function oracle(positions: readonly Reading[]): string[] {
  const places = positions.map(({ time, signals }) => ({
    time,
    place: [KADE, SLUIS].indexOf(signals.LATITUDE ?? 0),
  }));
  const runs: { place: number; from: number; last: number }[] = [];
  for (const { time, place } of places) {
    const run = runs.at(-1);
    if (run?.place === place) run.last = time;
    else runs.push({ place, from: time, last: time });
  }
  const visits: { place: number; from: number }[] = [{ place: -1, from: 0 }];
  let outSince: number | undefined;
  for (const { place, from, last } of runs) {
    const on = visits.at(-1)?.place ?? -1;
    if (place === on) {
      outSince = undefined;
      continue;
    }
    if (on >= 0) outSince ??= from;
    const stays = last - from >= 120_000;
    if (outSince !== undefined && last - outSince >= 120_000 && !(place >= 0 && stays && outSince === from)) {
      visits.push({ place: -1, from: outSince });
      outSince = undefined;
    }
    if (place >= 0 && stays) {
      visits.push({ place, from });
      outSince = undefined;
    }
  }
  return visits.slice(1).flatMap(({ place, from }, n) => {
    const before = visits[n]?.place ?? -1;
    const minute = (ms: number) => Math.round((ms - testMinuteMs(0)) / 6_000) / 10;
    return [
      ...(before >= 0 ? [`left ${before} ${minute(from)}`] : []),
      ...(place >= 0 ? [`arrived ${place} ${minute(from)}`] : []),
    ];
  });
}

const SEEDS = chooseSeeds([1], 20);
test('random positions that arrive late, twice and out of order give the alerts that the oracle finds in order of time, on projects and terreinen (16.3p, 53.12)', async () => {
  await project('0', KADE);
  await project('1', SLUIS);
  for (const [terreinName, lat] of [
    ['0', KADE],
    ['1', SLUIS],
  ] as const) {
    const areas = [{ centre: { lat, lon: LON }, radiusMetres: 100 }];
    const body = { terreinName, terreinKind: 'depot', areas };
    expect((await d.call('POST', '/api/terrein/create', BEHEERDER_EMAIL, body)).status).toBe(200);
  }
  await rules();
  for (const seed of SEEDS) {
    const random = new Random(seed);
    d.setClock(0);
    const { streamId } = await d.machine();
    const track: Reading[] = stay(0, 3, HOME);
    while (track.length < 200) {
      const place = random.pick([HOME, KADE, SLUIS]);
      for (let left = random.whole(1, 12); left > 0; left -= 1)
        track.push(
          spot(((track.at(-1)?.time ?? 0) - testMinuteMs(0)) / 60_000 + random.pick([0.5, 0.5, 1, 3]), place),
        );
    }
    const arrivals = track.flatMap((reading) => {
      const minute = (reading.time - testMinuteMs(0)) / 60_000;
      const late = random.chance(0.3) ? random.whole(1, 90) : 0;
      return [minute + late, ...(random.chance(0.05) ? [minute + random.whole(1, 120)] : [])].map((come) => ({
        come,
        reading,
      }));
    });
    const last = Math.max(...arrivals.map(({ come }) => come));
    for (let minute = 0; minute <= last + 20; minute += 20)
      await come(
        streamId,
        minute + 20,
        arrivals.filter(({ come: at }) => at >= minute && at < minute + 20).map(({ reading }) => reading),
      );
    for (const places of ['project p on p.id::text', `terrein p on 't' || p.id`]) {
      const { rows } = await d.pool.query<{ kind: string; place: string; at: Date }>(
        `select x.kind, p.name as place, x.at from alert x join ${places} = x.subject
         where x.stream_id = $1 and x.withdrawn_at is null order by x.at, x.kind desc`,
        [streamId],
      );
      const recorded = rows.map(
        ({ kind, place, at: when }) =>
          `${kind} ${place} ${Math.round((when.getTime() - testMinuteMs(0)) / 6_000) / 10}`,
      );
      expect([seed, recorded]).toEqual([seed, oracle(track)]);
      expect(recorded.length).toBeGreaterThan(3);
    }
  }
});
