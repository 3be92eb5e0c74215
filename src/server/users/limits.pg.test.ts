import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailedPortal, openMailedPortal } from '#server/mail/test/mailed-portal.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let mailed: MailedPortal;
let klant: number;
let boss: string;
let project: number;
let label: number;
let foreign: { project: number; label: number };
let n = 0;
let email: string;
beforeAll(async () => {
  mailed = await openMailedPortal();
  portal = mailed.portal;
  klant = await portal.organization('klant');
  const ander = await portal.organization('ander');
  await portal.organization('spoor', { isLmbCustomer: true });
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  await portal.user('baas@klant.nl', klant, 'beheerder');
  boss = await portal.login('baas@klant.nl');
  project = await addProject(klant, 'Sluis');
  label = await addLabel(klant, 'Huur');
  foreign = { project: await addProject(ander, 'Geheim'), label: await addLabel(ander, 'Geheim') };
  for (const serial of ['EEN', 'TWEE']) await portal.machine(klant, { serial });
});
afterAll(() => mailed.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `nieuw${n}@elders.nl`;
});

const idOf = async (sql: string, values: unknown[]): Promise<number> =>
  (await portal.pool.query<{ id: number }>(sql, values)).rows[0]?.id as number;
const addProject = (organization: number, name: string) =>
  idOf(`insert into project (organization_id, name, first_day) values ($1, $2, '2026-01-01') returning id`, [
    organization,
    name,
  ]);
const addLabel = (organization: number, name: string) =>
  idOf(`insert into label (organization_id, name, colour) values ($1, $2, 'blue') returning id`, [
    organization,
    name,
  ]);

const post: MailedPortal['post'] = (...call) => mailed.post(...call);
const limitTo = (projects: number[], labels: number[], onlyToday = false) => ({
  machines: { projects, labels },
  onlyToday,
});
const TODAY = { machines: null, onlyToday: true };
const invite = (role: string, limit: object | null, more: object = {}, as = boss) =>
  post('invitation/create', { email, role, limit, ...more }, as);
const limit = (of: string, wanted: object | null, as = boss) =>
  post('user/limit', { email: of, limit: wanted }, as);
const stored = async (of = email) =>
  (
    await portal.pool.query(
      'select role, limit_projects as projects, limit_labels as labels, only_today as "onlyToday" from account where email = $1',
      [of],
    )
  ).rows[0];
const accepted = async (): Promise<string> => {
  await expect.poll(() => mailed.mailsTo(email).length, { timeout: 20_000 }).toBe(1);
  const token = /uitnodiging#(\S+)/.exec(mailed.mailsTo(email)[0]?.text ?? '')?.[1];
  expect((await post('invitation/accept', { token, password: PASSWORD })).status).toBe(200);
  return portal.login(email);
};
const audited = async (action: string) =>
  (
    await portal.pool.query('select data, changes from audit where action = $1 order by id desc limit 1', [
      action,
    ])
  ).rows[0];

test('an account from an invitation by mail is limited to the invitation’s projects and labels, which the lists and the log show (53.20)', async () => {
  expect((await invite('gebruiker', limitTo([project], [label]))).status).toBe(200);
  const shown = {
    machines: {
      projects: [{ _id: project, projectName: 'Sluis', isOver: false }],
      labels: [{ _id: label, labelName: 'Huur' }],
    },
    onlyToday: false,
  };
  const [listed] = (await portal.get('/api/invitation/get', boss)).json();
  expect(listed).toMatchObject({ email, limit: shown });
  const as = await accepted();
  expect(await stored()).toEqual({
    role: 'gebruiker',
    projects: [project],
    labels: [label],
    onlyToday: false,
  });
  const me = (await portal.get('/api/auth/validate-token', as)).json();
  expect(me.user.limit).toEqual({ machines: { projects: ['Sluis'], labels: ['Huur'] }, onlyToday: false });
  expect((await portal.get('/api/live', as)).json()).toEqual({});
  const users = (await portal.get('/api/user/get', boss)).json();
  expect(users.find((user: { email: string }) => user.email === email)).toMatchObject({ limit: shown });
  expect((await audited('invitation.create')).data).toMatchObject({
    limitProjects: 'Sluis',
    limitLabels: 'Huur',
  });
});

test('a kijker whose access is limited to today sees all machines; the limit of a repeated invitation replaces that of the earlier one (53.20)', async () => {
  expect((await invite('kijker', limitTo([project], []))).status).toBe(200);
  expect((await invite('kijker', TODAY)).status).toBe(200);
  await expect.poll(() => mailed.mailsTo(email).length, { timeout: 20_000 }).toBe(2);
  const token = /uitnodiging#(\S+)/.exec(mailed.mailsTo(email)[1]?.text ?? '')?.[1];
  expect((await post('invitation/accept', { token, password: PASSWORD })).status).toBe(200);
  expect(await stored()).toEqual({ role: 'kijker', projects: null, labels: null, onlyToday: true });
  const live = (await portal.get('/api/live', await portal.login(email))).json();
  expect(Object.keys(live).sort()).toEqual(['EEN', 'TWEE']);
});

test.each<[string, string, () => object, number, string]>([
  [
    'a beheerder',
    'beheerder',
    () => limitTo([project], []),
    400,
    'Alleen een gebruiker of kijker kan beperkt worden.',
  ],
  ['a gebruiker of today', 'gebruiker', () => TODAY, 400, "'Alleen vandaag' is voor een kijker."],
  ['nothing at all', 'kijker', () => limitTo([], []), 400, 'Kies een project of een label.'],
  [
    'another organization’s project',
    'kijker',
    () => limitTo([project, foreign.project], []),
    404,
    'Dit project bestaat niet.',
  ],
  [
    'another organization’s label',
    'kijker',
    () => limitTo([], [foreign.label]),
    404,
    'Dit label bestaat niet.',
  ],
])(
  'a limit is refused for an invitation and for an account: %s (53.20)',
  async (_, role, wanted, status, message) => {
    expect(await invite(role, wanted())).toMatchObject({ status, body: { message } });
    const of = `er-al-${n}@klant.nl`;
    await portal.user(of, klant, role as 'kijker');
    expect(await limit(of, wanted())).toMatchObject({ status, body: { message } });
    expect(await stored(of)).toMatchObject({ projects: null, labels: null, onlyToday: false });
  },
);

test('an invitation with a limit is refused for an LMB customer and for admin (53.20)', async () => {
  const admin = await portal.login('admin@portaal.nl');
  expect(await invite('kijker', TODAY, { organization: 'spoor' }, admin)).toMatchObject({ status: 400 });
  expect(await invite('technicus', TODAY, { organization: 'admin' }, admin)).toMatchObject({ status: 400 });
});

test('changing or removing a person’s limit ends their sessions and applies within 5 s, and the change is logged (53.20)', async () => {
  const of = `mens-${n}@klant.nl`;
  await portal.user(of, klant, 'kijker');
  const seen = async (as: string) => {
    const answer = await portal.get('/api/machine/get/all', as);
    return answer.statusCode === 200 ? answer.json().length : answer.statusCode;
  };
  let as = await portal.login(of);
  expect(await seen(as)).toBe(2);
  const began = performance.now();
  expect((await limit(of, limitTo([project], []))).status).toBe(200);
  await expect.poll(() => seen(as), { timeout: 20_000 }).toBe(401);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await audited('user.limit')).toMatchObject({
    changes: { limitProjects: expect.arrayContaining(['Sluis']) },
  });
  as = await portal.login(of);
  expect(await seen(as)).toBe(0);
  expect((await limit(of, null)).status).toBe(200);
  await expect.poll(() => seen(as), { timeout: 20_000 }).toBe(401);
  expect(await seen(await portal.login(of))).toBe(2);
});

test('a role that allows no access limit is refused for a person with one, and moving to another organization removes the limit (53.20)', async () => {
  const of = `mens-${n}@klant.nl`;
  await portal.user(of, klant, 'kijker');
  await limit(of, { ...limitTo([project], []), onlyToday: true });
  const role = (wanted: string) => post('user/role', { email: of, role: wanted }, boss);
  for (const wanted of ['beheerder', 'gebruiker'])
    expect(await role(wanted)).toMatchObject({
      status: 409,
      body: { message: 'Haal eerst de beperking weg.' },
    });
  await limit(of, limitTo([project], []));
  expect((await role('gebruiker')).status).toBe(200);
  expect(await stored(of)).toMatchObject({ role: 'gebruiker', projects: [project] });
  const admin = await portal.login('admin@portaal.nl');
  expect((await post('user/organization', { email: of, organization: 'ander' }, admin)).status).toBe(200);
  expect(await stored(of)).toMatchObject({ projects: null, labels: null, onlyToday: false });
});

test('a person with an access limit cannot register again by code without it, widen it, or read the registration code (53.20)', async () => {
  const of = `mens-${n}@klant.nl`;
  await portal.user(of, klant, 'gebruiker');
  await limit(of, limitTo([project], []));
  const as = await portal.login(of);
  expect((await limit(of, null, as)).status).toBe(403);
  expect((await invite('gebruiker', null, {}, as)).status).toBe(403);
  expect((await portal.get('/api/organization/get', as)).statusCode).toBe(403);
  expect((await post('label/assign', { _id: label, serial: 'EEN' }, as)).status).toBe(403);
  const { rows } = await portal.pool.query('select code from organization where id = $1', [klant]);
  const left = await portal.app.inject({ method: 'DELETE', url: '/api/account', headers: { cookie: as } });
  expect(left.statusCode).toBe(200);
  const back = await post('auth/register', { email: of, password: PASSWORD, organizationCode: rows[0].code });
  expect(back.status).toBe(400);
});
