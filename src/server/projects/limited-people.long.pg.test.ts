import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Alerts } from '#shared/contract/alerts.ts';
import type { AccessLimitInput } from '#shared/contract/limits.ts';
import type { LiveResponse } from '#shared/contract/live.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { DEFAULT_PRIVACY, type Privacy } from '#shared/domain/privacy.ts';
import { chooseSeeds } from '#shared/domain/test/oracle/random-machine.ts';

const SEEDS = chooseSeeds([3, 11], 20);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Thursday, 14:00 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 19, 13);
const MIDNIGHT = Date.UTC(2026, 10, 18, 23);
const BEGIN = MIDNIGHT - 2 * DAY;
const STEP = 4 * MINUTE;
const BOSS = 'baas@klant.nl';

let portal: TestPortal;
let boss: string;
let owner: number;
let clock = NOW;
beforeAll(async () => {
  portal = await testPortal({}, () => clock, pino({ level: 'error' }));
  await portal.portal.alerts.close();
  owner = await portal.organization('klant');
  await portal.user(BOSS, owner, 'beheerder');
  boss = await portal.login(BOSS);
});
afterAll(() => portal.close());

const post = async (url: string, body: object, as = boss) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url,
    headers: { ...SCRIPT_HEADERS, cookie: as },
    payload: body,
  });
  return { status: answer.statusCode, json: answer.json() };
};
const get = async <T>(url: string, as: string): Promise<T> => {
  // The cached snapshot of live data is used for at most a second, so this makes it expire.
  clock += 1_100;
  const answer = await portal.get(url, as);
  expect([url, answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([url, 200, '']);
  return answer.json() as T;
};

/** Returns a function that gives pseudorandom numbers from 0 up to 1. An equal seed gives an equal sequence. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const LON = 5.1;
const PLACES = { kade: 52.01, sluis: 52.02, elsewhere: 52.03 } as const;
type Place = keyof typeof PLACES;

type Machine = { readonly id: number; readonly serial: string; readonly times: readonly number[] };
type World = {
  readonly machines: readonly Machine[];
  readonly kade: number;
  readonly sluis: number;
  readonly label: number;
  readonly labelled: ReadonlySet<number>;
  readonly assigned: readonly {
    readonly streamId: number;
    readonly projectId: number;
    readonly from: number;
    readonly to: number;
  }[];
};
let worlds = 0;

/** Returns a place's latitude. Each generated world has other places, because a machine in two projects' areas is on only one of them. */
const latitudeOf = (place: Place): number => PLACES[place] - worlds * 0.1;

/** Creates machines that move between places for three days, on two projects by position and by hand, some with a label. */
async function makeWorld(random: () => number): Promise<World> {
  worlds += 1;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const project = async (place: Place): Promise<number> =>
    (
      await post('/api/project/create', {
        projectName: `${place} ${worlds}`,
        projectNumber: '',
        client: '',
        firstDay: '2026-11-01',
        lastDay: null,
        areas: [{ centre: { lat: latitudeOf(place), lon: LON }, radiusMetres: 200 }],
      })
    ).json._id;
  const [kade, sluis] = [await project('kade'), await project('sluis')];
  const label = (await post('/api/label/create', { labelName: `Huur ${worlds}`, labelColour: 'blue' })).json
    ._id;
  const labelled = new Set<number>();
  const assigned: World['assigned'][number][] = [];
  const machines: Machine[] = [];
  for (let n = 0; n < 6; n++) {
    const serial = `W${worlds}-${n}`;
    const id = await portal.machine(owner, { serial, alias: `Kraan ${serial}` });
    const times: number[] = [];
    const readings = [];
    let place = pick<Place>(['kade', 'sluis', 'elsewhere']);
    for (let time = BEGIN; time < NOW; time += STEP) {
      if (random() < 0.015) place = pick<Place>(['kade', 'sluis', 'elsewhere']);
      const isRunning = random() < 0.7;
      const signals = {
        LATITUDE: latitudeOf(place),
        LONGITUDE: LON,
        Soc1: 50,
        MotorSpeed: isRunning ? 900 : 0,
      };
      times.push(time);
      readings.push({ time, signals });
    }
    await storeTestReadings(portal.pool, id, readings);
    machines.push({ id, serial, times });
    if (random() < 0.4) {
      const from = BEGIN + Math.floor(random() * 60) * HOUR;
      const to = random() < 0.5 ? Number.POSITIVE_INFINITY : from + HOUR * (1 + Math.floor(random() * 20));
      const projectId = pick([kade, sluis]);
      const { status } = await post('/api/project/assign', {
        _id: projectId,
        serial,
        from: new Date(from).toISOString(),
        until: Number.isFinite(to) ? new Date(to).toISOString() : null,
      });
      expect(status).toBe(200);
      assigned.push({ streamId: id, projectId, from, to });
    }
    if (random() < 0.3) {
      expect((await post('/api/label/assign', { _id: label, serial })).status).toBe(200);
      labelled.add(id);
    }
  }
  await computeUntilUpToDate(portal.pool);
  return { machines, kade, sluis, label, labelled, assigned };
}

type Presence = {
  readonly streamId: number;
  readonly from: number;
  readonly to: number;
  readonly projectId: number;
  readonly byHand: boolean;
};
const presences = (): Promise<Presence[]> =>
  runInAllShards<Presence>(portal.pool, (shard) =>
    shard.query(`select stream_id as "streamId", date_part('epoch', from_time) * 1000 as "from", date_part('epoch', to_time) * 1000 as "to",
       project_id as "projectId", by_hand as "byHand" from telemetry.presence`),
  );

type Limited = { readonly projects: readonly number[]; readonly labels: readonly number[] } | null;

/** Returns which machines a limited person sees, and at what times, computed with other code than the portal's. */
async function visibleMachines(world: World, machines: Limited, onlyToday: boolean) {
  const stays = await presences();
  const seen = new Map<string, (time: number) => boolean>();
  for (const { id, serial } of world.machines) {
    const own = stays.filter(({ streamId }) => streamId === id);
    const hand = world.assigned.find(({ streamId, from, to }) => streamId === id && from <= NOW && NOW < to);
    const last = own.filter(({ byHand }) => !byHand).toSorted((a, b) => b.to - a.to)[0];
    const isThere = last !== undefined && last.to >= NOW - 2 * STEP;
    const projectNow = hand ? hand.projectId : isThere ? last.projectId : 0;
    const isLabelled = world.labelled.has(id) && machines?.labels.includes(world.label) === true;
    if (machines && !isLabelled && !machines.projects.includes(projectNow)) continue;
    seen.set(serial, (time) => {
      if (onlyToday && time < MIDNIGHT) return false;
      if (!machines || isLabelled) return true;
      if (hand && machines.projects.includes(hand.projectId) && time >= hand.from) return true;
      return own.some(
        ({ projectId, from, to }) =>
          machines.projects.includes(projectId) && from <= time && (time < to || to >= NOW - 2 * STEP),
      );
    });
  }
  return seen;
}

let people = 0;
/**
 * Creates an account with an access limit.
 * @returns the cookie of its session
 */
async function person(limit: AccessLimitInput, role: 'gebruiker' | 'kijker'): Promise<string> {
  people += 1;
  const email = `mens-${people}@klant.nl`;
  await portal.user(email, owner, role);
  const { status, json } = await post('/api/user/limit', { email, limit });
  expect([status, json.message]).toEqual([200, undefined]);
  return portal.login(email);
}

const datesIn = (from: number, to: number): string[] => [
  ...new Set([from, to - 1].map((time) => new Date(time + HOUR).toISOString().slice(0, 10))),
];

test.each(SEEDS)(
  'a limited person sees live data, routes, days, reports and alerts of the machines and times of the limit only: seed %i (53.20)',
  async (seed) => {
    const random = numbers(seed);
    const world = await makeWorld(random);
    const { machines, kade, sluis, label } = world;
    const rule = (
      await portal.pool.query<{ id: number }>(
        `insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
         values ($1, 'Laag', 'low', '{}', 'always', 'all', 'notice', '{gebruiker,kijker}', false, true, now()) returning id`,
        [owner],
      )
    ).rows[0]?.id;
    const alerts: { id: string; serial: string; at: number }[] = [];
    for (const { id, serial } of machines)
      for (const _ of [1, 2, 3]) {
        const at = BEGIN + Math.floor(random() * ((NOW - BEGIN) / MINUTE)) * MINUTE;
        const { rows } = await portal.pool.query<{ id: string }>(
          `insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, is_news, made_at)
           values ($1, 1, $2, $3, 'low', 'notice', $4, $5, $5, $5::timestamptz + interval '1 minute', true, $5) returning id::text`,
          [rule, owner, id, `Accu van ${serial}`, new Date(at)],
        );
        alerts.push({ id: rows[0]?.id as string, serial, at });
      }
    // Two alerts that no limited person may see: one about several machines at once, and one whose text names a project.
    const { rows: hidden } = await portal.pool.query<{ id: string }>(
      `insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, is_news, made_at)
       select $1, 1, $2, stream_id, kind, 'notice', 'Geheim', $3, $3, $3::timestamptz + interval '1 minute', true, $3
       from unnest(array[null, $4::int], array['silent', 'arrived']) as of (stream_id, kind) returning id::text`,
      [rule, owner, new Date(NOW - MINUTE), machines[0]?.id],
    );
    const limits: readonly (readonly [Limited, boolean])[] = [
      [{ projects: [kade], labels: [] }, false],
      [{ projects: [kade, sluis], labels: [label] }, false],
      [{ projects: [], labels: [label] }, false],
      [{ projects: [sluis], labels: [] }, true],
      [null, true],
    ];
    for (const [limited, onlyToday] of limits) {
      const as = await person({ machines: limited as never, onlyToday }, onlyToday ? 'kijker' : 'gebruiker');
      const seen = await visibleMachines(world, limited, onlyToday);
      const ours = (serial: string): boolean => machines.some((one) => one.serial === serial);

      const live = await get<LiveResponse>('/api/live', as);
      expect(Object.keys(live).filter(ours).sort()).toEqual([...seen.keys()].sort());
      if (limited) expect(Object.keys(live).filter((serial) => !ours(serial))).toEqual([]);
      for (const [serial, isSeen] of seen) {
        const newest = machines.find((one) => one.serial === serial)?.times.at(-1) as number;
        expect([serial, live[serial]?.liveData.GMT_UNIX]).toEqual([
          serial,
          isSeen(newest) ? newest / 1000 : 0,
        ]);
      }
      const listed = await get<{ serialNumber: string }[]>('/api/machine/get/all', as);
      expect(
        listed
          .map(({ serialNumber }) => serialNumber)
          .filter(ours)
          .sort(),
      ).toEqual([...seen.keys()].sort());
      const figures = await get<Record<string, unknown>>('/api/fleet/figures', as);
      expect(Object.keys(figures).filter(ours).sort()).toEqual([...seen.keys()].sort());

      for (const { serial, times } of machines) {
        const isSeen = seen.get(serial);
        const path = `/api/influx/gps/${serial}?resolution=full&start=${new Date(BEGIN - DAY).toISOString()}`;
        if (!isSeen) {
          for (const url of [
            path,
            `/api/influx/days/${serial}?month=2026-11`,
            `/api/machine/files/${serial}`,
          ])
            expect([url, (await portal.get(url, as)).statusCode]).toEqual([url, 404]);
          continue;
        }
        const points = await get<{ time: string }[]>(path, as);
        expect([serial, points.map(({ time }) => Date.parse(time))]).toEqual([serial, times.filter(isSeen)]);
        const { days } = await get<{ days: { date: string; running: number }[] }>(
          `/api/influx/days/${serial}?month=2026-11`,
          as,
        );
        const allowed = new Set(times.filter(isSeen).flatMap((time) => datesIn(time, time + 1)));
        const running = await runningSeconds(world, limited, onlyToday ? '2026-11-19' : '2026-11-01');
        expect([serial, days.reduce((sum, day) => sum + day.running, 0)]).toEqual([
          serial,
          running.get(serial),
        ]);
        expect([serial, days.map(({ date }) => date).filter((date) => !allowed.has(date))]).toEqual([
          serial,
          [],
        ]);
      }

      const list = await get<Alerts>('/api/alert/get?state=resolved', as);
      expect(list.alerts.filter(({ _id }) => hidden.some(({ id }) => id === _id))).toEqual([]);
      expect(
        new Set(list.alerts.map(({ _id }) => _id).filter((id) => alerts.some((one) => one.id === id))),
      ).toEqual(new Set(alerts.filter((one) => isInStay(seen.get(one.serial), one.at)).map(({ id }) => id)));

      if (onlyToday) {
        expect((await portal.get('/api/report/dagstaten?from=2026-11-17&to=2026-11-19', as)).statusCode).toBe(
          403,
        );
        continue;
      }
      for (const kind of ['dagstaten', 'laadbeurten', 'draaiuren', 'inzet', 'vervoer', 'storingen']) {
        const { columns, rows } = await get<ReportAnswer>(
          `/api/report/${kind}?from=2026-11-17&to=2026-11-19`,
          as,
        );
        const at = columns.findIndex(({ key }) => key === 'serial');
        expect([
          kind,
          [...new Set(rows.map((row) => row[at]))].filter((serial) => !seen.has(String(serial))),
        ]).toEqual([kind, []]);
      }
      const hours = await get<ReportAnswer>('/api/report/draaiuren?from=2026-11-17&to=2026-11-19', as);
      const stored = await runningSeconds(world, limited, '2026-11-01');
      const shown = new Map(
        hours.rows.map((row) => {
          const one = Object.fromEntries(hours.columns.map(({ key }, n) => [key, row[n]]));
          return [one.serial, one.running];
        }),
      );
      for (const serial of seen.keys())
        expect([serial, shown.get(serial)]).toEqual([serial, stored.get(serial) ?? 0]);
    }
  },
  120_000,
);

/**
 * Returns whether a limited person sees an alert of a machine that began at `at`: only if the person sees the machine at every minute from
 * then until now.
 */
const isInStay = (isSeen: ((time: number) => boolean) | undefined, at: number): boolean => {
  if (!isSeen) return false;
  for (let time = at; time < NOW; time += MINUTE) if (!isSeen(time)) return false;
  return true;
};

/**
 * Returns the running time in seconds that a user with an access restriction may see, by serial number: a machine's whole running time if the
 * restriction allows the whole machine, otherwise only its time on the projects of the restriction.
 */
async function runningSeconds({ machines, label, labelled }: World, limited: Limited, firstDay: string) {
  const rows = await runInAllShards<{ id: number; projectId: number; ms: number }>(portal.pool, (shard) =>
    shard.query(
      `select stream_id as id, project_id as "projectId", sum(running_ms)::float8 as ms from telemetry.day_figures
       where day >= $1 group by 1, 2`,
      [firstDay],
    ),
  );
  return new Map(
    machines.map(({ id, serial }) => {
      const isWhole = !limited || (labelled.has(id) && limited.labels.includes(label));
      const of = rows.filter(
        (row) => row.id === id && (isWhole ? row.projectId === 0 : limited.projects.includes(row.projectId)),
      );
      return [serial, of.reduce((sum, { ms }) => sum + ms, 0) / 1000];
    }),
  );
}

test('a person who is limited to deleted projects and labels sees nothing, and a limit without projects and labels is rejected (53.20)', async () => {
  const world = await makeWorld(numbers(5));
  const { machines, kade, label, labelled } = world;
  const [machine] = machines;
  if (!labelled.has(machine?.id as number))
    await post('/api/label/assign', { _id: label, serial: machine?.serial });
  await post('/api/project/assign', {
    _id: kade,
    serial: machines[1]?.serial,
    from: new Date(NOW - HOUR).toISOString(),
    until: null,
  });
  const as = await person({ machines: { projects: [kade], labels: [label] }, onlyToday: false }, 'gebruiker');
  const count = async () => Object.keys(await get<LiveResponse>('/api/live', as)).length;
  expect(await count()).toBeGreaterThan(0);
  expect((await post('/api/label/delete', { _id: label })).status).toBe(200);
  expect((await post('/api/project/delete', { _id: kade })).status).toBe(200);
  await expect.poll(count, { timeout: 20_000 }).toBe(0);
  expect(await get('/api/project/get', as)).toEqual([]);
  expect(await get('/api/label/get', as)).toEqual({ labels: [], favourites: [] });
  expect(await get('/api/machine/get/all', as)).toEqual([]);
  for (const machines of [{ projects: [], labels: [] }])
    expect(
      await post('/api/user/limit', {
        email: `mens-${people}@klant.nl`,
        limit: { machines, onlyToday: false },
      }),
    ).toEqual({
      status: 400,
      json: expect.objectContaining({ message: 'Kies een project of een label.' }),
    });
});

async function decide(privacy: Partial<Privacy>): Promise<void> {
  await portal.pool.query('update organization set privacy = $2 where id = $1', [
    owner,
    { ...DEFAULT_PRIVACY, ...privacy },
  ]);
}

const byHandCount = (assigned: World['assigned']): number =>
  assigned.filter(({ from, to }) => from <= NOW && NOW < to).length;

test('a person limited to projects who may not see routes sees machines that were assigned by hand, and none by position (53.20)', async () => {
  const { machines, kade, sluis, assigned } = await makeWorld(numbers(9));
  const as = await person({ machines: { projects: [kade, sluis], labels: [] }, onlyToday: false }, 'kijker');
  expect(Object.keys(await get<LiveResponse>('/api/live', as)).length).toBeGreaterThan(byHandCount(assigned));
  await decide({ routesFrom: 'beheerder' });
  const byHand = machines
    .filter(({ id }) => assigned.some(({ streamId, from, to }) => streamId === id && from <= NOW && NOW < to))
    .map(({ serial }) => serial);
  await expect
    .poll(async () => Object.keys(await get<LiveResponse>('/api/live', as)).sort(), { timeout: 20_000 })
    .toEqual(byHand.sort());
  await decide({});
});

test('a person limited to a project sees within six seconds that a machine is put on the project or taken off it (53.20)', async () => {
  const { machines, kade } = await makeWorld(() => 0.99);
  const as = await person({ machines: { projects: [kade], labels: [] }, onlyToday: false }, 'gebruiker');
  const seen = async () => (await get<unknown[]>('/api/machine/get/all', as)).length;
  expect(await seen()).toBe(0);
  const body = {
    _id: kade,
    serial: machines[0]?.serial,
    from: new Date(NOW).toISOString(),
    until: null,
  };
  const assigned = await post('/api/project/assign', body);
  expect(assigned.status).toBe(200);
  let began = performance.now();
  await expect.poll(seen, { timeout: 20_000 }).toBe(1);
  expect(performance.now() - began).toBeLessThan(6_000);
  // The newest reading is from before the assignment.
  const live = await get<LiveResponse>('/api/live', as);
  expect(live[machines[0]?.serial ?? '']?.liveData).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
  expect((await post('/api/project/unassign', { assignment: assigned.json.assignment })).status).toBe(200);
  began = performance.now();
  await expect.poll(seen, { timeout: 20_000 }).toBe(0);
  expect(performance.now() - began).toBeLessThan(6_000);
});
