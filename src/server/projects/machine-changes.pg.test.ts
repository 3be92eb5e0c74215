import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import type { ProjectDay, ProjectMove, ProjectPage } from '#shared/contract/projects.ts';
import { previewProjectMoves } from './preview-moves.ts';

let a: AdminTestPortal;
let manager: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  a.fleet.clock = NOW;
});
afterAll(() => a.close());

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 9:00 in Amsterdam. */
const AT = Date.UTC(2026, 10, 10, 8);
const NOW = AT + 4 * DAY;
type Point = { readonly lat: number; readonly lon: number };
type Worked = { readonly streamId: number; readonly serialNumber: string };

/** Returns readings of half an hour of work, one each 30 s. */
const work = ({ streamId }: Worked, from: number, at: Point | undefined) =>
  Array.from({ length: 61 }, (_, n) => ({
    streamId,
    time: from + n * 30_000,
    signals: {
      MotorSpeed: 900,
      BatteryVoltage: 400,
      BatteryCurrent: 50,
      ...(at && { LATITUDE: at.lat, LONGITUDE: at.lon }),
    },
  }));

async function store(readings: ReturnType<typeof work>): Promise<void> {
  const { pool } = a.portal;
  await openPartitions(pool, () => AT).ensure(
    readings.map(({ time }) => time),
    undefined,
  );
  await storeReadings(pool, readings);
  await computeUntilUpToDate(pool, readings[0]?.streamId);
}

let places = 0;
/** Returns a place far from those of other tests. */
const newPlace = (): Point => ({ lat: 50 + (places++ % 30) / 10, lon: 5 });

/** Creates a machine that worked half an hour at a place on each of four days. */
async function machineAt(place: Point | undefined): Promise<Worked> {
  const machine = await a.fleet.newLogger();
  await store([0, 1, 2, 3].flatMap((day) => work(machine, AT + day * DAY, place)));
  return machine;
}

const around = (centre: Point, radiusMetres = 100) => ({ areas: [{ centre, radiusMetres }] });
async function newProject(changed: object = {}): Promise<number> {
  const body = { projectName: 'Kade', firstDay: '2026-11-10', lastDay: null, areas: [], ...changed };
  const _id = (await a.call('POST /api/project/create', { as: manager, body })).json._id;
  await computeUntilUpToDate(a.portal.pool);
  return _id;
}
async function page(_id: number): Promise<ProjectPage> {
  await computeUntilUpToDate(a.portal.pool);
  const query = { _id: String(_id), firstDay: '2026-11-01', lastDay: '2026-11-30' };
  return (await a.call('GET /api/project/page', { as: manager, query })).json;
}
type Act = 'take-off' | 'except' | 'unexcept' | 'change-assignment' | 'unassign' | 'assign';
const act = (name: Act, body: object, as = manager) =>
  a.call(`POST /api/project/${name}` as 'POST /api/project/take-off', { as, body });
const preview = async (name: Act, body: object): Promise<ProjectMove[]> =>
  (await act(name, { ...body, preview: true })).json.moves;

const at = (day: number, hour = 0): string =>
  new Date(Date.UTC(2026, 10, 10 + day, hour) - 3_600_000).toISOString();
const minutesOn = (days: readonly ProjectDay[]): Record<string, number> =>
  Object.fromEntries(days.map(({ day, runningMs }) => [day, runningMs / MINUTE]).reverse());
const sum = (days: readonly ProjectDay[]): number => days.reduce((ms, one) => ms + one.runningMs, 0);

test('taking a machine off a project moves its later hours, as previewed, to a project with a larger area, and can be undone (53.17)', async () => {
  const place = newPlace();
  const machine = await machineAt(place);
  const { serialNumber: serial } = machine;
  const inner = await newProject(around(place));
  const outer = await newProject({ projectName: 'Wijk', firstDay: '2026-11-12', ...around(place, 2_000) });
  const before = await page(inner);
  expect(minutesOn(before.days)).toEqual({
    '2026-11-10': 30,
    '2026-11-11': 30,
    '2026-11-12': 30,
    '2026-11-13': 30,
  });
  // `from` lies in the middle of the work of the second day.
  const from = new Date(AT + DAY + 10 * MINUTE).toISOString();
  const moves = await preview('take-off', { _id: inner, serial, from });
  expect(await page(inner)).toEqual(before);
  const goes = (to: number | null) =>
    moves.filter((move) => (move.to?._id ?? null) === to).reduce((ms, move) => ms + move.runningMs, 0);
  expect(moves.every((move) => move.from?._id === inner)).toBe(true);

  expect((await act('take-off', { _id: inner, serial, from })).json).toEqual({
    message: 'De machine is van het project gehaald.',
  });
  const after = await page(inner);
  expect(minutesOn(after.days)).toEqual({ '2026-11-10': 30, '2026-11-11': 10 });
  expect(after.days.at(-1)).toEqual(before.days.at(-1));
  expect(after.now).toEqual([]);
  expect(goes(null) + goes(outer)).toBe(sum(before.days) - sum(after.days));
  const around2 = await page(outer);
  expect(sum(around2.days)).toBe(goes(outer));
  expect(minutesOn(around2.days)).toEqual({ '2026-11-12': 30, '2026-11-13': 30 });
  expect(around2.now).toMatchObject([{ serial }]);

  const [exception] = after.exceptions;
  expect(exception).toMatchObject({ serial, from, until: null });
  const again = await act('take-off', { _id: inner, serial, from: at(3) });
  expect([again.status, again.message]).toEqual([400, 'De machine is dan al van dit project gehaald.']);
  const undo = { exception: exception?.exception };
  const back = await preview('unexcept', undo);
  expect(back.map(({ to, runningMs }) => [to?._id, runningMs]).sort()).toEqual(
    moves.map((move) => [move.from?._id, move.runningMs]).sort(),
  );
  expect((await act('unexcept', undo)).status).toBe(200);
  expect((await page(inner)).days).toEqual(before.days);
  expect((await act('unexcept', undo)).message).toBe('Deze uitzondering bestaat niet meer.');
  expect(await a.audited()).toEqual(
    expect.arrayContaining([
      { actor: 'baas@klant.nl', action: 'project.take-off', subject: 'Kade' },
      { actor: 'baas@klant.nl', action: 'project.unexcept', subject: 'Kade' },
    ]),
  );
});

test('the message after taking a machine off a project names the time from which the machine is off it, if that is in the future (53.17)', async () => {
  const place = newPlace();
  const { serialNumber: serial } = await machineAt(place);
  const _id = await newProject(around(place));
  const message = async (from: string) => {
    const answer = await act('take-off', { _id, serial, from });
    const [exception] = (await page(_id)).exceptions;
    await act('unexcept', { exception: exception?.exception });
    return answer.message;
  };
  expect(await message(at(5))).toBe('De machine gaat op 15-11-2026 van het project.');
  expect(await message(at(4, 16))).toBe('De machine gaat op 14-11-2026 om 16:00 van het project.');
  expect(await message(new Date(NOW).toISOString())).toBe('De machine is van het project gehaald.');
});

test('an exception excludes the positions of one machine in a period from the project, and not those of other machines (53.17)', async () => {
  const place = newPlace();
  const [one, other] = [await machineAt(place), await machineAt(place)];
  const _id = await newProject(around(place));
  const body = { _id, serial: one.serialNumber, from: at(1), until: at(3) };
  expect(await preview('except', body)).toEqual([
    {
      from: { _id, projectName: 'Kade' },
      to: null,
      firstDay: '2026-11-11',
      lastDay: '2026-11-12',
      runningMs: 60 * MINUTE,
      chargingMs: 0,
    },
  ]);
  expect((await act('except', body)).json).toEqual({ message: 'De machine is uitgezonderd.' });
  const { days, now } = await page(_id);
  const of = ({ serialNumber }: Worked) => minutesOn(days.filter(({ serial }) => serial === serialNumber));
  expect(of(one)).toEqual({ '2026-11-10': 30, '2026-11-13': 30 });
  expect(Object.keys(of(other))).toHaveLength(4);
  expect(now).toHaveLength(2);
  expect((await act('except', body)).message).toBe(
    'De machine is in die tijd al uitgezonderd van dit project.',
  );
  // An assignment by hand takes precedence over the exception.
  await act('assign', { _id, serial: one.serialNumber, from: at(2), until: at(3) });
  expect((await page(_id)).days.filter(({ serial }) => serial === one.serialNumber)).toHaveLength(3);
});

test('taking a machine off a project ends its assignment by hand on that day and deletes one that begins later (53.17)', async () => {
  const machine = await machineAt(undefined);
  const serial = machine.serialNumber;
  const _id = await newProject();
  await act('assign', { _id, serial, from: at(0), until: at(2) });
  await act('assign', { _id, serial, from: at(3), until: null });
  const before = await page(_id);
  expect(Object.keys(minutesOn(before.days))).toEqual(['2026-11-10', '2026-11-11', '2026-11-13']);
  const moves = await preview('take-off', { _id, serial, from: at(1) });
  expect((await act('take-off', { _id, serial, from: at(1) })).status).toBe(200);
  const after = await page(_id);
  expect(minutesOn(after.days)).toEqual({ '2026-11-10': 30 });
  expect(moves).toMatchObject([{ to: null, runningMs: sum(before.days) - sum(after.days) }]);
  expect(after.assignments).toMatchObject([{ from: at(0), until: at(1) }]);
});

test('changing the times of an assignment moves the hours that the preview showed, and the second of two simultaneous changes is rejected (53.17)', async () => {
  const machine = await machineAt(undefined);
  const serial = machine.serialNumber;
  const [_id, other] = [await newProject(), await newProject({ projectName: 'Sluis' })];
  const { assignment } = (await act('assign', { _id, serial, from: at(0), until: at(2) })).json;
  await act('assign', { _id: other, serial, from: at(3), until: null });
  const seen = { from: at(0), until: at(2) };
  const change = { assignment, seen, from: at(1), until: at(3) };
  const before = await page(_id);
  const moves = await preview('change-assignment', change);
  expect(moves).toMatchObject([
    { from: { _id }, to: null, firstDay: '2026-11-10', runningMs: 30 * MINUTE },
    { from: null, to: { _id }, firstDay: '2026-11-12', runningMs: 30 * MINUTE },
  ]);
  const overlapping = await act('change-assignment', { ...change, until: null });
  expect(overlapping.message).toBe("De machine staat dan al met de hand op project 'Sluis'.");
  expect(await page(_id)).toEqual(before);

  const lock = await a.portal.pool.connect();
  await lock.query('begin; lock table audit in share mode');
  const both = Promise.all([act('change-assignment', change), act('change-assignment', change)]);
  await waitForLockWaits(a.portal.pool, 2);
  await lock.query('commit');
  lock.release();
  const answers = await both;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe(
    'Iemand anders heeft deze toewijzing intussen gewijzigd. Laad de pagina opnieuw.',
  );
  expect(minutesOn((await page(_id)).days)).toEqual({ '2026-11-11': 30, '2026-11-12': 30 });
  expect(await page(_id)).toMatchObject({ assignments: [{ from: at(1), until: at(3) }] });
});

test('a machine that drives away as its project ends is on it until the last midnight of the project, and taking it off moves no later hours (53.17)', async () => {
  const place = newPlace();
  const machine = await a.fleet.newLogger();
  const midnight = Date.parse(at(2));
  const start = midnight - 20 * MINUTE;
  // The machine stands for ten minutes, then drives north at 5 m/s through the end of the project.
  const driving = work(machine, start, place).map((reading) => {
    const seconds = Math.max(0, (reading.time - start) / 1000 - 600);
    const signals = {
      ...reading.signals,
      LATITUDE: place.lat + (seconds * 5) / 111_195,
      LONGITUDE: place.lon,
    };
    return { ...reading, signals };
  });
  await store([...work(machine, AT, place), ...driving]);
  const _id = await newProject({ lastDay: '2026-11-11', ...around(place, 4_000) });
  const before = await page(_id);
  expect(minutesOn(before.days)).toEqual({ '2026-11-10': 30, '2026-11-11': 20 });
  const from = new Date(midnight - 5 * MINUTE).toISOString();
  const body = { _id, serial: machine.serialNumber, from };
  expect(await preview('take-off', body)).toMatchObject([
    { from: { _id }, to: null, firstDay: '2026-11-11', lastDay: '2026-11-11', runningMs: 5 * MINUTE },
  ]);
  await act('take-off', body);
  expect(minutesOn((await page(_id)).days)).toEqual({ '2026-11-10': 30, '2026-11-11': 15 });
});

test('the machines on a project now are sorted by name, also after new readings (53.19)', async () => {
  const place = newPlace();
  const machines: Worked[] = [];
  for (const alias of ['Wals', 'aggregaat', 'Kraan', 'Rups']) {
    const machine = await machineAt(alias === 'Kraan' ? undefined : place);
    await a.portal.pool.query('update stream set alias = $2 where id = $1', [machine.streamId, alias]);
    machines.push(machine);
  }
  const _id = await newProject(around(place));
  const [wals, aggregaat, kraan, rups] = machines.map(({ serialNumber }) => serialNumber);
  await act('assign', { _id, serial: kraan, from: at(3), until: null });
  const inOrder = [aggregaat, kraan, rups, wals];
  expect((await page(_id)).now.map(({ serial }) => serial)).toEqual(inOrder);
  await store(work(machines[3] as Worked, AT + 3 * DAY + 40 * MINUTE, place));
  await store(work(machines[0] as Worked, AT + 3 * DAY + 50 * MINUTE, place));
  expect((await page(_id)).now.map(({ serial }) => serial)).toEqual(inOrder);
});

test('a manager of another organization gets 404 for each change of a machine on a project (53.17)', async () => {
  const place = newPlace();
  const { serialNumber: serial } = await machineAt(place);
  const _id = await newProject(around(place));
  const { assignment } = (await act('assign', { _id, serial, from: at(0), until: at(1) })).json;
  await act('except', { _id, serial, from: at(2), until: null });
  const [exception] = (await page(_id)).exceptions;
  await a.portal.user('baas@vreemd.nl', await a.portal.organization('vreemd'), 'beheerder');
  const other = await a.portal.login('baas@vreemd.nl');
  const seen = { from: at(0), until: at(1) };
  const cases: [Act, object, string][] = [
    ['take-off', { _id, serial, from: at(1) }, 'Dit project bestaat niet.'],
    ['except', { _id, serial, from: at(1), until: null }, 'Dit project bestaat niet.'],
    ['unexcept', { exception: exception?.exception }, 'Deze uitzondering bestaat niet meer.'],
    ['change-assignment', { assignment, seen, from: at(0), until: at(2) }, 'Deze toewijzing bestaat niet.'],
  ];
  for (const [name, body, message] of cases)
    for (const isPreview of [true, false]) {
      const answer = await act(name, { ...body, preview: isPreview }, other);
      expect([answer.status, answer.message]).toEqual([404, message]);
    }
});

// Skipped on Citus: a worker's snapshot begins with the preview's first statement there, and so includes the concurrent change.
test.skipIf(CITUS_CONNECTION)(
  'a preview during which the figures of the machine change in each attempt is rejected with 409 (53.17)',
  async () => {
    const { pool } = a.portal;
    const { streamId } = await machineAt(newPlace());
    const untouched = { streamId, project: { id: 0, organizationId: a.fleet.organization } };
    let attempts = 0;
    const previewed = previewProjectMoves(pool, async (client) => {
      attempts += 1;
      // The first statement takes the snapshot, before another transaction changes the row that the preview locks.
      await client.query('select');
      await shardForStream(pool, streamId).query(
        'update telemetry.day_cursor set stream_id = stream_id where stream_id = $1',
        [streamId],
      );
      return { ...untouched, apply: async () => {} };
    });
    await expect(previewed).rejects.toMatchObject({ code: 'conflict' });
    expect(attempts).toBe(3);
  },
);

test('changes of a machine on a project with impossible times are rejected with a message, and change nothing (53.17)', async () => {
  const place = newPlace();
  const machine = await machineAt(place);
  const _id = await newProject({ ...around(place), lastDay: '2026-11-20' });
  const sold = await machineAt(newPlace());
  const buyer = await a.portal.organization('koper');
  await a.portal.pool.query("update ownership set valid_from = '2026-11-12T08:00Z' where stream_id = $1", [
    machine.streamId,
  ]);
  await moveStream(a.portal.pool, sold.streamId, buyer, new Date(NOW));
  const before = await page(_id);
  const except = { _id, serial: machine.serialNumber, from: at(3), until: null };
  const cases: [Act, object, string][] = [
    ['take-off', { ...except, from: at(-1) }, 'Het project begint pas op 10-11-2026.'],
    ['take-off', { ...except, from: at(11) }, 'Het project is dan al voorbij: de laatste dag is 20-11-2026.'],
    [
      'take-off',
      { ...except, from: at(1) },
      'Deze machine is pas sinds 12-11-26, 09:00 van deze organisatie.',
    ],
    ['except', { ...except, until: at(3) }, 'Tot ligt niet na Van.'],
    ['except', { ...except, until: at(12) }, 'Tot ligt na de laatste dag van het project, 20-11-2026.'],
    ['except', { ...except, until: at(500) }, 'Kies een tijd die hoogstens een jaar vooruit ligt.'],
    ['except', { ...except, serial: sold.serialNumber }, 'Deze machine bestaat niet.'],
    ['except', { ...except, from: 'gisteren' }, 'Van heeft een waarde die niet kan.'],
    ['unexcept', { exception: 1 }, 'Deze uitzondering bestaat niet meer.'],
    [
      'change-assignment',
      { assignment: 1, from: at(0), until: null, seen: { from: at(0), until: null } },
      'Deze toewijzing bestaat niet.',
    ],
  ];
  for (const [name, body, message] of cases)
    for (const isPreview of [true, false])
      expect((await act(name, { ...body, preview: isPreview })).message).toBe(message);
  expect(await page(_id)).toEqual(before);
});
