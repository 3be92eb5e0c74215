import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import {
  openTestOutboundClient,
  type PushService,
  startPushService,
  type TestDevice,
} from '#server/push/test/push-service.ts';
import { removeOldPositions } from '#server/telemetry/old-positions.ts';
import { runUpkeep } from '#server/upkeep.ts';
import type { Alert, AlertPreview, AlertRule, Alerts } from '#shared/contract/alerts.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { alertText } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import { type AlertKind, defaultSettings } from '#shared/domain/alerts/kinds.ts';
import { evaluateReading } from '#shared/domain/alerts/watch.ts';
import { DEFAULT_PRIVACY, type Privacy } from '#shared/domain/privacy.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { AlertTestPortal, ANNA_EMAIL, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';
import { CHARGER_ON } from './test/charging-desk.ts';

const KEES = 'kees@klant.nl';
const EVERYBODY = [BEHEERDER_EMAIL, ANNA_EMAIL, KEES];
const ROLES = ['beheerder', 'gebruiker', 'kijker'] as const;
/** Viewing hours of kijkers. START is a Friday at 14:00, and that working day ends at 17:00. */
const AFTERNOON = { days: [1, 2, 3, 4, 5, 6, 7], from: '13:00', to: '16:00' };
const EVENING = { ...AFTERNOON, from: '18:00', to: '22:00' };
/** Start of the next afternoon, in minutes after START. */
const TOMORROW = 23 * 60;
const DAY_MS = 86_400_000;

let service: PushService;
let d: AlertTestPortal;
const devices = new Map<string, TestDevice>();
beforeAll(async () => {
  service = await startPushService();
  d = await AlertTestPortal.open({}, {}, { push: openTestOutboundClient(service.origin) });
  await d.desk.portal.user(KEES, d.desk.klant, 'kijker');
  for (const as of EVERYBODY) {
    const device = service.device();
    devices.set(as, device);
    expect((await d.call('POST', '/api/push/subscribe', as, device.subscription)).status).toBe(200);
  }
});
beforeEach(async () => {
  await d.reset();
  await d.wants(KEES, {});
  await decide({});
  service.taken.length = 0;
  await d.pool.query('update project set deleted_at = to_timestamp(0)');
});
afterAll(async () => {
  await d.close();
  await service.close();
});

async function decide(privacy: Partial<Privacy>): Promise<void> {
  const body = { name: 'klant', ...DEFAULT_PRIVACY, ...privacy };
  expect((await d.call('POST', '/api/organization/privacy', BEHEERDER_EMAIL, body)).status).toBe(200);
  await d.desk.portal.untilNotified();
}

const [HOME, KADE, SLUIS, LON] = [52, 52.01, 52.02, 5.1];
const stay = (from: number, to: number, latitude: number, more: Signals = {}): Reading[] =>
  Array.from({ length: to - from }, (_, n) => ({
    time: testMinuteMs(from + n),
    signals: { LATITUDE: latitude, LONGITUDE: LON, ...more },
  }));
async function project(projectName: string, latitude: number): Promise<number> {
  const areas = [{ centre: { lat: latitude, lon: LON }, radiusMetres: 100 }];
  const body = { projectName, projectNumber: '', client: '', firstDay: '2026-01-01', lastDay: null, areas };
  const { status, json } = await d.call<{ _id: number }>(
    'POST',
    '/api/project/create',
    BEHEERDER_EMAIL,
    body,
  );
  expect(status).toBe(200);
  return json._id;
}
async function come(streamId: number, minute: number, readings: readonly Reading[] = []): Promise<void> {
  await d.desk.store(streamId, readings);
  d.setClock(minute);
  await computeUntilUpToDate(d.pool);
  await d.desk.portal.portal.alerts.evaluatePresences();
}
/** Stores positions: the machine comes to Kade at 14:10, leaves at 16:30 and is at Sluis from 16:40 on. */
async function toKade(streamId: number): Promise<void> {
  await come(streamId, 10, stay(0, 10, HOME));
  await come(streamId, 20, stay(10, 20, KADE));
}
async function toSluis(streamId: number, more: Signals = {}): Promise<void> {
  await come(streamId, 155, [...stay(20, 150, KADE), ...stay(150, 155, HOME)]);
  await come(streamId, 165, [...stay(155, 160, HOME), ...stay(160, 165, SLUIS, more)]);
}

const minutes = (time: string | null) =>
  time === null ? '…' : (Date.parse(time) - testMinuteMs(0)) / 60_000;
const inWords = ({ words, since, until }: Pick<Alert, 'words' | 'since' | 'until'>) =>
  `${words} ${minutes(since)}-${minutes(until)}`;
const listed = async (as: string) => ({
  open: (await d.alerts('firing', as)).map(inWords).sort(),
  closed: (await d.alerts('resolved', as)).map(inWords).sort(),
});
/** Returns how many alerts a person sees: new ones at the bell, open ones in the list of rules. */
const counted = async (as: string) => {
  const { json: rules } = await d.call<AlertRule[]>('GET', '/api/alert-rule/get', as);
  const { json } = await d.call<Alerts>('GET', '/api/alert/get', as);
  return { fresh: json.fresh, open: rules.reduce((sum, { open }) => sum + open, 0) };
};
const NOTHING = { open: [], closed: [] };
async function preview(as: string, kind: AlertKind, asked: object = {}): Promise<AlertPreview> {
  const body = {
    kind,
    settings: defaultSettings(kind),
    hours: 'always',
    machines: { by: 'all' },
    isOwn: true,
  };
  const { status, json } = await d.call<AlertPreview>('POST', '/api/alert-rule/preview', as, {
    ...body,
    ...asked,
  });
  expect([status, json]).toEqual([200, expect.anything()]);
  return json;
}
const previewed = async (as: string, kind: AlertKind) => (await preview(as, kind)).alerts.map(inWords).sort();

/** Returns the notifications that each person got by mail and on a device since the last call, by address. */
async function sentNotifications(): Promise<Record<string, { mails: string[]; notices: string[] }>> {
  const mails = await d.mails();
  const fresh = mails.slice(read.mails);
  read.mails = mails.length;
  const taken = service.taken.splice(0);
  return Object.fromEntries(
    EVERYBODY.map((as) => {
      const device = devices.get(as) as TestDevice;
      return [
        as,
        {
          mails: fresh.filter(({ to }) => to.includes(as)).map(({ text }) => text),
          notices: taken
            .filter(({ path }) => path === device.path)
            .map((pushed) => JSON.parse(device.read(pushed)))
            .map(({ title, body }) => `${title}: ${body}`),
        },
      ];
    }),
  );
}
const read = { mails: 0 };
beforeEach(() => {
  read.mails = 0;
});

test('a user with the role kijker sees arrivals and departures only inside the viewing hours, and learns of an end outside these hours when the next viewing hours begin (13.12d)', async () => {
  await decide({ viewerHours: AFTERNOON });
  for (const name of ['Kade', 'Sluis']) await project(name, name === 'Kade' ? KADE : SLUIS);
  for (const kind of ['arrived', 'left'] as const) {
    await d.rule(kind, { roles: [...ROLES], tellsEnd: true });
    await d.rule(kind, { isOwn: true }, KEES);
  }
  const machine = await d.machine();
  await toKade(machine.streamId);
  await d.notify(22);
  const first = await sentNotifications();
  for (const as of EVERYBODY) {
    expect(first[as]?.mails.join()).toContain('Op Kade, sinds');
    expect(first[as]?.notices.join()).toContain('Aangekomen');
  }
  await toSluis(machine.streamId);
  await d.notify(168);
  const second = await sentNotifications();
  for (const as of [BEHEERDER_EMAIL, ANNA_EMAIL]) {
    expect(second[as]?.mails.join()).toMatch(/Weg van Kade[\s\S]*Op Sluis/);
    expect(second[as]?.notices.join()).toContain('Vertrokken');
  }
  expect(second[KEES]).toEqual({ mails: [], notices: [] });
  const all = { open: ['op Sluis 160-…'], closed: ['op Kade 10-150', 'weg van Kade 150-160'] };
  expect(await listed(BEHEERDER_EMAIL)).toEqual(all);
  expect(await listed(ANNA_EMAIL)).toEqual(all);
  // One alert is by the organization's rule, the other by the kijker's own rule.
  expect(await listed(KEES)).toEqual({ open: ['op Kade 10-…', 'op Kade 10-…'], closed: [] });
  expect(await counted(KEES)).toEqual({ fresh: 2, open: 1 });

  const hidden = (await d.alerts('resolved', BEHEERDER_EMAIL)).find(({ kind }) => kind === 'left')
    ?._id as string;
  const take = (as: string) => d.call('POST', '/api/alert/take', as, { alert: hidden, takes: true });
  const mute = { alert: hidden, what: 'machine', until: 'hour' };
  expect([(await take(KEES)).status, (await d.call('POST', '/api/alert/mute', KEES, mute)).status]).toEqual([
    404, 404,
  ]);
  expect((await take(ANNA_EMAIL)).status).toBe(200);

  expect(await previewed(BEHEERDER_EMAIL, 'arrived')).toEqual(['op Kade 10-150', 'op Sluis 160-…']);
  expect(await previewed(KEES, 'arrived')).toEqual(['op Kade 10-…']);
  expect((await preview(KEES, 'left')).count).toBe(0);
  d.setClock(TOMORROW + 1);
  expect(await listed(KEES)).toEqual({
    open: [],
    closed: [`op Kade 10-${TOMORROW}`, `op Kade 10-${TOMORROW}`],
  });
  expect(await previewed(KEES, 'arrived')).toEqual([`op Kade 10-${TOMORROW}`]);
});

test('a role without routes sees no arrivals and departures, and cannot make a rule for them (13.12d)', async () => {
  await project('Kade', KADE);
  for (const kind of ['arrived', 'left'] as const) await d.rule(kind, { roles: [...ROLES] });
  await d.rule('arrived', { isOwn: true }, ANNA_EMAIL);
  await decide({ routesFrom: 'beheerder' });
  const { streamId } = await d.machine();
  await toKade(streamId);
  await toSluis(streamId);
  await d.notify(168);
  const all = await sentNotifications();
  expect(all[BEHEERDER_EMAIL]?.mails).not.toEqual([]);
  for (const as of [ANNA_EMAIL, KEES]) {
    expect(all[as]).toEqual({ mails: [], notices: [] });
    expect(await listed(as)).toEqual(NOTHING);
    const asked = { kind: 'arrived', settings: {}, hours: 'always', machines: { by: 'all' }, isOwn: true };
    expect((await d.call('POST', '/api/alert-rule/preview', as, asked)).status).toBe(403);
    expect((await d.saveRule('arrived', { isOwn: true }, as)).status).toBe(403);
    expect((await d.saveRule('low', { isOwn: true }, as)).status).toBe(200);
  }
});

test('a move outside working hours is visible to roles that see routes, and to the role kijker only if it was within the viewing hours (13.12d)', async () => {
  await d.rule('moved', { roles: [...ROLES] });
  await d.rule('moved', { isOwn: true }, KEES);
  const { streamId } = await d.machine();
  await d.live(streamId, [...stay(170, 173, HOME), ...stay(298, 301, HOME), ...stay(301, 305, KADE)]);
  await computeUntilUpToDate(d.pool);
  await decide({ viewerHours: AFTERNOON });
  await d.notify(308);
  const outside = await sentNotifications();
  for (const as of [BEHEERDER_EMAIL, ANNA_EMAIL]) expect(outside[as]?.mails.join()).toContain('verplaatst');
  expect(outside[KEES]).toEqual({ mails: [], notices: [] });
  expect((await listed(BEHEERDER_EMAIL)).open).toEqual([
    expect.stringMatching(/ km verplaatst, in Nieuwegein 301-…$/),
  ]);
  expect(await listed(KEES)).toEqual(NOTHING);
  expect(await counted(KEES)).toEqual({ fresh: 0, open: 0 });
  expect([(await preview(KEES, 'moved')).count, (await preview(BEHEERDER_EMAIL, 'moved')).count]).toEqual([
    0, 1,
  ]);
  await decide({ viewerHours: EVENING });
  expect((await listed(KEES)).open).toEqual([
    ...(await listed(BEHEERDER_EMAIL)).open,
    ...(await listed(ANNA_EMAIL)).open,
  ]);
  expect(await counted(KEES)).toEqual({ fresh: 2, open: 1 });
  expect((await preview(KEES, 'moved')).count).toBe(1);
  // Outside the viewing hours the kijker sees the text that the alert had when it opened.
  await d.live(streamId, stay(600, 603, SLUIS));
  await d.notify(604);
  const later = await sentNotifications();
  expect(later[KEES]).toEqual({ mails: [], notices: [] });
  expect((await listed(BEHEERDER_EMAIL)).open).toEqual([expect.not.stringContaining('zelf gereden')]);
  expect((await listed(KEES)).open).toContainEqual(expect.stringMatching(/verplaatst, zelf gereden 301-…$/));
  await decide({ routesFrom: 'beheerder' });
  expect([await listed(ANNA_EMAIL), await listed(KEES)]).toEqual([NOTHING, NOTHING]);
});

test('a rule for the machines on a project does not notify a user with the role kijker of a machine that is on the project outside the viewing hours (13.12d)', async () => {
  await project('Kade', KADE);
  const sluis = await project('Sluis', SLUIS);
  await decide({ viewerHours: AFTERNOON });
  const low = defaultSettings('low');
  const machines: AlertRule['machines'] = { by: 'projects', ids: [sluis] };
  await d.rule('low', { isOwn: true, machines }, KEES);
  await d.rule('low', { isOwn: true, machines }, ANNA_EMAIL);
  await d.rule('low', { isOwn: true }, KEES);
  const { streamId } = await d.machine();
  await toKade(streamId);
  await toSluis(streamId);
  await d.live(streamId, stay(165, 170, SLUIS, { Soc1: 10 }));
  expect((await d.alerts('firing', ANNA_EMAIL)).map(({ rule }) => rule.isOwn)).toEqual([true]);
  // The alert `low` is by the rule for all machines, which does not reveal where the machine is.
  expect((await d.alerts('firing', KEES)).map(({ kind }) => kind)).toEqual(['low']);
  await d.notify(175);
  const mails = await sentNotifications();
  expect([mails[ANNA_EMAIL]?.mails.length, mails[KEES]?.mails.length]).toEqual([1, 1]);
  expect(mails[KEES]?.mails.join()).not.toMatch(/2 meldingen/);
  const asked = { machines, settings: low };
  expect((await preview(KEES, 'low', asked)).machines).toEqual({ looked: 0, all: 0 });
  expect((await preview(ANNA_EMAIL, 'low', asked)).machines).toEqual({ looked: 1, all: 1 });
});

test('a project’s page, days, charging sessions and reports hide presences outside the viewing hours from the role kijker (13.12d)', async () => {
  const kade = await project('Kade', KADE);
  const sluis = await project('Sluis', SLUIS);
  const { streamId, serial } = await d.machine();
  await toKade(streamId);
  const page = async (as: string, _id: number) =>
    (await d.call<ProjectPage>('GET', `/api/project/page?_id=${_id}`, as)).json;
  const since = async (as: string, _id: number) =>
    (await page(as, _id)).now
      .filter((one) => one.serial === serial)
      .map((one) => (one.since === null ? null : minutes(one.since)));
  await decide({ routesFrom: 'beheerder', viewerHours: AFTERNOON });
  expect([
    await since(BEHEERDER_EMAIL, kade),
    await since(ANNA_EMAIL, kade),
    await since(KEES, kade),
  ]).toEqual([[10], [null], [null]]);
  await decide({ viewerHours: AFTERNOON });
  expect(await since(KEES, kade)).toEqual([10]);
  await toSluis(streamId);
  await come(streamId, 200, stay(165, 200, SLUIS, { ...CHARGER_ON, Soc1: 30 }));
  const range = `start=${new Date(testMinuteMs(0)).toISOString()}&end=${new Date(testMinuteMs(300)).toISOString()}`;
  const said = async (as: string) => {
    const rows = async (kind: string, query = '') => {
      const { status, json } = await d.call<ReportAnswer>(
        'GET',
        `/api/report/${kind}?from=2026-11-20&to=2026-11-20${query}`,
        as,
      );
      expect([status, json]).toEqual([200, expect.anything()]);
      return json.rows;
    };
    const names = (all: unknown) =>
      [...JSON.stringify(all).matchAll(/Kade|Sluis/g)].map(([name]) => name).sort();
    const days = await d.call<{ days: unknown }>('GET', `/api/influx/days/${serial}?month=2026-11`, as);
    const sessions = await d.call<{ sessions: { project: string | null }[] }>(
      'GET',
      `/api/influx/sessions/${serial}?${range}`,
      as,
    );
    return {
      page: (await page(as, sluis)).days.filter((one) => one.serial === serial).length,
      days: names(days.json.days),
      sessions: sessions.json.sessions.map((one) => one.project),
      inzet: names((await rows('inzet')).map((row) => row)),
      dagstaten: names(await rows('dagstaten')),
      onSluis: (await rows('dagstaten', `&projects=[${sluis}]`)).length,
      draaiuren: (await rows('draaiuren', `&projects=[${sluis}]`)).length,
      laadbeurten: names(await rows('laadbeurten')),
      chargedOnSluis: (await rows('laadbeurten', `&projects=[${sluis}]`)).length,
    };
  };
  const all = {
    page: 1,
    days: ['Kade', 'Sluis'],
    sessions: ['Sluis'],
    inzet: ['Kade', 'Sluis'],
    dagstaten: ['Kade', 'Sluis'],
    onSluis: 1,
    draaiuren: 1,
    // The session's row names Sluis as its project and as its place.
    laadbeurten: ['Sluis', 'Sluis'],
    chargedOnSluis: 1,
  };
  expect(await said(BEHEERDER_EMAIL)).toEqual(all);
  expect(await said(KEES)).toEqual({
    page: 0,
    days: ['Kade'],
    sessions: [null],
    inzet: ['Kade'],
    dagstaten: ['Kade'],
    onSluis: 0,
    draaiuren: 0,
    laadbeurten: [],
    chargedOnSluis: 0,
  });
  // Without the right to see routes ANNA still sees the project of a day, but not the times of a presence, which would reveal a route.
  await decide({ routesFrom: 'beheerder' });
  expect(await said(ANNA_EMAIL)).toEqual({ ...all, sessions: [null], laadbeurten: [], chargedOnSluis: 0 });
  const { json } = await d.call<ReportAnswer>(
    'GET',
    `/api/report/dagstaten?from=2026-11-20&to=2026-11-20&projects=[${sluis}]`,
    ANNA_EMAIL,
  );
  expect(JSON.stringify(json.rows)).not.toContain('T15:');

  // In the next viewing hours the machine first reports without a position, then with one.
  await decide({ viewerHours: AFTERNOON });
  await come(streamId, TOMORROW + 5, [{ time: testMinuteMs(TOMORROW + 1), signals: { Soc1: 50 } }]);
  expect([await since(KEES, sluis), (await since(BEHEERDER_EMAIL, sluis)).length]).toEqual([[], 1]);
  await come(streamId, TOMORROW + 5, stay(TOMORROW + 2, TOMORROW + 5, SLUIS));
  expect([await since(KEES, sluis), await since(BEHEERDER_EMAIL, sluis)]).toEqual([[TOMORROW], [160]]);
});

test('movements are deleted from alerts, pending messages and webhook deliveries after the organization’s number of days (13.12c)', async () => {
  await d.pool.query(
    `insert into webhook (organization_id, name, url, secret, taken_until)
     values ($1, 'Planning', 'https://planning.klant.nl/in', '', 'infinity')`,
    [d.desk.klant],
  );
  await project('Kade', KADE);
  for (const kind of ['arrived', 'left', 'moved', 'low'] as const) await d.rule(kind);
  const { streamId } = await d.machine();
  await toKade(streamId);
  await toSluis(streamId);
  await d.live(streamId, stay(298, 301, HOME, { Soc1: 10 }));
  await d.live(streamId, stay(301, 305, KADE, { Soc1: 10 }));
  const kept = async () => {
    const { rows } = await d.pool.query<{
      kind: AlertKind;
      figures: AlertFigures;
      value: number | null;
      sent: string[];
      outbox: number;
    }>(
      `select kind, data as figures, value, array(select type from webhook_delivery where event_id like 'alert-' || x.id || '-%' order by type) as sent,
         (select count(*)::int from alert_outbox b where b.alert_id = x.id) as outbox from alert x order by kind, since`,
    );
    return rows;
  };
  const before = await kept();
  expect(before.map(({ kind, sent, outbox }) => [kind, sent.length > 0, outbox > 0])).toEqual([
    ['arrived', true, true],
    ['left', true, true],
    ['low', true, true],
    ['moved', true, true],
  ]);
  const deliveries = async () =>
    (await d.pool.query<{ n: number }>('select count(*)::int as n from webhook_delivery')).rows[0]?.n;
  await d.pool.query(
    `update alert set since = now() - interval '40 days', until = case when kind in ('arrived', 'left') then now() - interval '39 days' end`,
  );
  const count = await deliveries();
  await runUpkeep(d.pool, () => {});
  expect([await kept(), await deliveries()]).toMatchObject([before.map(({ kind }) => ({ kind })), count]);
  await decide({ positionDays: 31 });
  await runUpkeep(d.pool, () => {});
  expect(
    (await kept()).map(({ kind, figures, value, sent }) => [kind, alertText(kind, figures), value, sent]),
  ).toEqual([
    ['low', 'accu op 10%', 10, ['alert.opened']],
    ['moved', 'verplaatst', null, []],
  ]);
  expect(await deliveries()).toBe(1);
  await d.pool.query('update alert set until = now()');
  await runUpkeep(d.pool, () => {});
  expect((await kept()).map(({ kind }) => kind)).toEqual(['low']);
});

test('old positions of a silent machine are also deleted from the evaluation state of alerts (13.12c)', async () => {
  await d.rule('moved');
  const { streamId } = await d.machine();
  const time = Date.now() - 40 * DAY_MS;
  const signals = { LATITUDE: HOME, LONGITUDE: LON, Soc1: 40 };
  await d.desk.store(streamId, [{ time, signals }]);
  const { state } = evaluateReading(
    undefined,
    { time, signals },
    {
      rules: [{ key: 'a', kind: 'moved', settings: defaultSettings('moved'), inWorkOnly: false, from: 0 }],
      ...{ batteries: [], isWorkTime: () => true, ownedSince: 0 },
    },
  );
  const young = { ...state, time: Date.now(), newest: {} };
  await d.pool.query('update alert_cursor set state = $2, older = $3, oldest = $3 where stream_id = $1', [
    streamId,
    JSON.stringify(young),
    JSON.stringify(state),
  ]);
  const remembered = async () => {
    const { rows } = await d.pool.query(
      'select state, older, oldest from alert_cursor where stream_id = $1',
      [streamId],
    );
    return Object.values(rows[0]).map((one) => [
      Object.keys((one as typeof state).newest).join(),
      (one as typeof state).left !== undefined,
      (one as typeof state).boxes !== undefined,
    ]);
  };
  const full = ['Soc1,LATITUDE,LONGITUDE', true, true];
  await removeOldPositions(d.pool);
  expect((await remembered()).map(([names, ...others]) => [String(names).length, ...others])).toEqual([
    [0, true, true],
    ...[full, full].map(([names, ...others]) => [String(names).length, ...others]),
  ]);
  await decide({ positionDays: 31 });
  await removeOldPositions(d.pool);
  // The saved state `young` has the present time, but its position of 40 days ago is deleted too.
  expect(await remembered()).toEqual([
    ['', false, false],
    ['Soc1', false, false],
    ['Soc1', false, false],
  ]);
});
