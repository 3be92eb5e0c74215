import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { startMailServer } from '#server/mail/test/mail-server.ts';
import { type ParsedMail, parseMail } from '#server/mail/test/mailbox.ts';
import { openPortal, type Portal } from '#server/portal.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { MAILABLE_REPORT_KINDS } from '#shared/domain/reports/mail-rhythm.ts';
import { loadReportMail } from './report-mail-content.ts';
import { reportUnsubscribeToken } from './report-mails.ts';

/** Monday; the machine worked on Friday of the previous week. */
const MONDAY = Date.parse('2026-11-23T06:30:00+01:00');
const FRIDAY = Date.parse('2026-11-20T09:00:00+01:00');
const HOUR_MS = 3_600_000;
const WEEK = { from: '2026-11-16', to: '2026-11-22' };
const UNSUBSCRIBE = /^List-Unsubscribe:\s+<https:\/\/portaal.nl\/api\/mail\/unsubscribe\/([\w-]+)>$/im;

const clock = { now: MONDAY - HOUR_MS };
let server: Awaited<ReturnType<typeof startMailServer>>;
let portal: TestPortal;
let klant: number;
let adminId: number;
let project: number;
let streamId: number;
let anna: string;
beforeAll(async () => {
  server = await startMailServer();
  portal = await testPortal(
    { SMTP_URL: `smtp://127.0.0.1:${server.port}`, PUBLIC_URL: 'https://portaal.nl' },
    () => clock.now,
  );
  klant = await portal.organization('klant');
  adminId = await portal.organization('admin');
  await portal.user('anna@klant.nl', klant);
  await portal.user('kijk@klant.nl', klant, 'kijker');
  anna = await portal.login('anna@klant.nl');
  streamId = await portal.machine(klant, { serial: 'K-1', alias: 'Kraan 1' });
  const { rows } = await portal.pool.query(
    `insert into project (organization_id, name, first_day) values ($1, 'Kade Noord', '2026-01-01') returning id`,
    [klant],
  );
  project = rows[0].id;
  await portal.pool.query(
    `insert into assignment (project_id, stream_id, valid_from) values ($1, $2, '2026-01-01')`,
    [project, streamId],
  );
  await portal.pool.query('select ensure_week($1)', [new Date(FRIDAY)]);
  // An hour of work, with half an hour missing.
  const times = Array.from({ length: 361 }, (_, n) => FRIDAY + n * 10_000).filter(
    (_, n) => n <= 90 || n >= 270,
  );
  const signals = { MotorSpeed: 900, BatteryCurrent: 100, BatteryVoltage: 400 };
  await storeReadings(
    portal.pool,
    times.map((time) => ({ streamId, time, signals })),
  );
  await computeUntilUpToDate(portal.pool, streamId);
});
afterAll(async () => {
  await portal.close();
  await server.close();
});

let sent = 0;
beforeEach(async () => {
  clock.now = MONDAY - HOUR_MS;
  await portal.pool.query('delete from report_subscription');
  sent = server.delivered.length;
});

const post = async (url: string, payload: object, cookie?: string) => {
  const headers = cookie ? { cookie } : {};
  const answer = await portal.app.inject({ method: 'POST', url: `/api/${url}`, payload, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const WANTED = {
  report: 'dagstaten',
  rhythm: 'week',
  minutes: 1,
  projects: null,
  machines: null,
  labels: null,
};
const subscribe = async (changed: object = {}, cookie = anna): Promise<number> => {
  const { status, body } = await post('report-mail/subscribe', { ...WANTED, ...changed }, cookie);
  expect([status, body.message]).toEqual([200, expect.stringContaining('om half zeven per mail.')]);
  return body._id;
};
const listed = async (cookie = anna) => (await portal.get('/api/report-mail/get', cookie)).json();
const listedAs = async (id: number) => (await listed()).find(({ _id }: { _id: number }) => _id === id);
/** Sets the clock, lets this portal process and the processes of `by` queue the mails that are due, and returns the mails. */
async function mailsAt(time: number, ...by: readonly Portal[]): Promise<ParsedMail[]> {
  clock.now = time;
  const processes = [portal.portal, ...by];
  await Promise.all(processes.map(({ reportMails }) => reportMails.queueDue()));
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  return server.delivered.slice(sent).map(({ source }) => parseMail(source));
}
const waiting = async (): Promise<number> =>
  (
    await portal.pool.query(
      `select count(*)::int as n from pgboss.job where name = 'report-mail' and state in ('created', 'retry', 'active')`,
    )
  ).rows[0].n;
const contentFor = (id: number, largestFile?: number) =>
  loadReportMail(
    portal.pool,
    portal.portal.reportThread,
    id,
    WEEK,
    MONDAY,
    'https://portaal.nl',
    largestFile,
  );

test('a report mail names the report and the period, how complete the report is and whether it may change, and links to it (14.5b)', async () => {
  const id = await subscribe({ report: 'inzet', minutes: 30, projects: [project], machines: ['K-1'] });
  const [mail, ...others] = await mailsAt(MONDAY);
  expect(others).toEqual([]);
  expect([mail?.to, mail?.subject]).toEqual([
    'anna@klant.nl',
    'Inzet emissieloos materieel, 16-11-2026 tot en met 22-11-2026',
  ]);
  expect(mail?.text).toBe(`Inzet emissieloos materieel van klant BV over 16-11-2026 tot en met 22-11-2026.

Projecten: Kade Noord.

Machines: Kraan 1 (#K-1).

Dekking van alles: 1,2 %. De cijfers zijn onvolledig.

1 rij is voorlopig.

Voorlopig: er kunnen nog metingen van deze dagen binnenkomen. Daarna verandert dit rapport nog.

Naar het rapport: https://portaal.nl/rapporten/inzet?van=2026-11-16&tot=2026-11-22&project=${project}&machine=K-1&minuten=30

Werkstroom

Je krijgt dit rapport elke week. Zet het uit bij Mijn account: https://portaal.nl/account/#rapporten
`);
  expect(mail?.source).toMatch(/^Content-Type: text\/html; charset=utf-8$/im);
  expect(mail?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
  expect(mail?.source).not.toMatch(/attachment/i);
  const token = UNSUBSCRIBE.exec(mail?.source ?? '')?.[1] ?? '';
  expect(token).not.toBe('');
  const form = await portal.app.inject({
    method: 'POST',
    url: `/api/mail/unsubscribe/${token}`,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([form.statusCode, form.json()]).toEqual([
    200,
    { message: 'Je krijgt dit rapport niet meer per mail.' },
  ]);
  expect(await listed()).toEqual([]);
  const page = await portal.get(`/api/mail/unsubscribe/${reportUnsubscribeToken.make(portal.secrets, id)}`);
  expect([page.statusCode, page.headers.location]).toEqual([303, 'https://portaal.nl/account/#rapporten']);
});

test('the report of each period is mailed once with two processes, after a restart, and if a job runs twice (14.5c)', async () => {
  await subscribe();
  await subscribe({ report: 'draaiuren' });
  await subscribe({ rhythm: 'month' });
  expect(await mailsAt(MONDAY - 1)).toEqual([]);
  const { config, pools, secrets, log, now } = portal.portal;
  const another = await openPortal(config, pools, portal.connection, secrets, log, now);
  expect((await mailsAt(MONDAY, another)).map(({ subject }) => subject).sort()).toEqual([
    'Dagstaten, 16-11-2026 tot en met 22-11-2026',
    'Draaiuren per machine, 16-11-2026 tot en met 22-11-2026',
  ]);
  await another.close();
  const again = await openPortal(config, pools, portal.connection, secrets, log, now);
  expect(await mailsAt(MONDAY + HOUR_MS, again)).toHaveLength(2);
  await again.close();
  // Queues the jobs again, as after a kill between sending a mail and recording that its job is done.
  await portal.pool.query(
    `insert into pgboss.job (name, data) select name, data from pgboss.job where name = 'report-mail'`,
  );
  expect(await mailsAt(MONDAY + 2 * HOUR_MS)).toHaveLength(2);
  // On the first of the month, a Tuesday, the mails of the past week and of the past month are due.
  const later = await mailsAt(Date.parse('2026-12-01T06:30:00+01:00'));
  expect(
    later
      .slice(2)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual([
    'Dagstaten, 01-11-2026 tot en met 30-11-2026',
    'Dagstaten, 23-11-2026 tot en met 29-11-2026',
    'Draaiuren per machine, 23-11-2026 tot en met 29-11-2026',
  ]);
});

test('a portal that was down for less than 48 hours mails what is due, except to people who subscribed after the due time (14.5d)', async () => {
  await subscribe();
  clock.now = MONDAY + HOUR_MS;
  await subscribe({ report: 'draaiuren' });
  expect(await mailsAt(MONDAY + 48 * HOUR_MS)).toEqual([]);
  expect((await mailsAt(MONDAY + 48 * HOUR_MS - 1)).map(({ subject }) => subject)).toEqual([
    'Dagstaten, 16-11-2026 tot en met 22-11-2026',
  ]);
});

const LOSSES: readonly (readonly [string, string])[] = [
  ['has an address that nobody confirmed', `update account set confirmed_at = null where email = $1`],
  [
    'is of another organization now',
    `update account set organization_id = (select id from organization where name = 'ander') where email = $1`,
  ],
  ['was deleted', 'delete from account where email = $1'],
  [
    'has an organization that was disabled',
    `update organization set is_active = false where name = 'weg' and $1 <> ''`,
  ],
  ['sees no machines any more', `update organization set is_berende = true where name = 'weg' and $1 <> ''`],
  ['ended it', `delete from report_subscription where $1 <> ''`],
];
test('people who may no longer see a report get no mail with that report (14.5e)', async () => {
  await portal.organization('ander');
  const weg = await portal.organization('weg');
  for (const [n, [why, sql]] of LOSSES.entries()) {
    const email = `carla-${n}@weg.nl`;
    await portal.pool.query(`update organization set is_active = true, is_berende = false where id = $1`, [
      weg,
    ]);
    await portal.user(email, weg);
    const id = await subscribe({}, await portal.login(email));
    expect([why, (await contentFor(id))?.to]).toEqual([why, email]);
    await portal.pool.query(sql, [email]);
    expect([why, await contentFor(id)]).toEqual([why, undefined]);
    // A mail that was queued before the loss of the right is not sent either.
    if (n === 0) expect(await mailsAt(MONDAY)).toEqual([]);
  }
});

test('a deleted project or machine is left out of a report by mail, and a report that covers nothing else says that it is empty (14.5f)', async () => {
  const { rows } = await portal.pool.query(
    `insert into project (organization_id, name, first_day) values ($1, 'Sluis Zuid', '2026-01-01') returning id`,
    [klant],
  );
  const gone = await portal.machine(klant, { serial: 'K-2', alias: 'Kraan 2' });
  const sold = await portal.machine(klant, { serial: 'K-3', alias: 'Kraan 3' });
  const both = await subscribe({ projects: [project, rows[0].id], machines: ['K-1', 'K-2', 'K-3'] });
  const one = await subscribe({ projects: [rows[0].id] });
  const machine = await subscribe({ machines: ['K-2'] });
  await portal.pool.query('update project set deleted_at = $2 where id = $1', [
    rows[0].id,
    new Date(MONDAY - 10 * 24 * HOUR_MS),
  ]);
  await portal.pool.query('update stream set deleted_at = now() where id = $1', [gone]);
  const at = [sold, new Date(FRIDAY)];
  await portal.pool.query('update ownership set valid_to = $2 where stream_id = $1', at);
  await portal.pool.query(
    'insert into ownership (stream_id, organization_id, valid_from) values ($1, $3, $2)',
    [...at, await portal.organization('koper')],
  );
  expect(await contentFor(both)).toMatchObject({
    projects: ['Kade Noord'],
    machines: ['Kraan 1 (#K-1)'],
    summary: { coverage: 0.5, provisional: 1 },
  });
  expect(await contentFor(one)).toMatchObject({ projects: [], summary: 'none' });
  expect(await contentFor(machine)).toMatchObject({ machines: [], summary: 'none' });
  const empty = (await mailsAt(MONDAY)).map(({ text }) => text).filter((text) => text.includes('is leeg'));
  expect(empty.map((text) => text.split('\n\n')[1]).sort()).toEqual([
    'De machines waar het over gaat, zijn er niet meer: het rapport is leeg.',
    'De projecten waar het over gaat, zijn er niet meer: het rapport is leeg.',
  ]);
  expect((await listedAs(both)).machines).toEqual([{ serialNumber: 'K-1', alias: 'Kraan 1' }]);
  expect((await listedAs(one)).machines).toBeNull();
  expect((await listedAs(machine)).machines).toEqual([]);
});

test('a report of machines with a label names the label, and is empty after the label is deleted (14.5l)', async () => {
  const { rows } = await portal.pool.query(
    `insert into label (organization_id, name, colour) values ($1, 'Huur', 'blue') returning id`,
    [klant],
  );
  const [{ id: label }] = rows;
  const id = await subscribe({ labels: [label] });
  expect(await subscribe({ labels: [label, label] })).toBe(id);
  expect(await subscribe()).not.toBe(id);
  expect(await contentFor(id)).toMatchObject({
    labels: ['Huur'],
    summary: { coverage: null, provisional: 0 },
  });
  await portal.pool.query('insert into machine_label (label_id, stream_id) values ($1, $2)', [
    label,
    streamId,
  ]);
  const content = await contentFor(id);
  expect(content).toMatchObject({ labels: ['Huur'], summary: { coverage: 0.5, provisional: 1 } });
  expect(content?.page).toContain(`&label=${label}`);
  expect(await listedAs(id)).toEqual({ ...WANTED, _id: id, labels: [{ _id: label, labelName: 'Huur' }] });
  const mails = (await mailsAt(MONDAY)).map(({ text }) => text);
  expect(mails.filter((text) => text.includes('Labels: Huur.'))).toHaveLength(1);
  await portal.pool.query('delete from label');
  expect(await contentFor(id)).toMatchObject({ labels: [], summary: 'none' });
  expect((await listedAs(id)).labels).toEqual([]);
  const { status, body } = await post('report-mail/subscribe', { ...WANTED, labels: [label] }, anna);
  expect([status, body.message]).toEqual([404, 'Dit label bestaat niet.']);
});

test('the report mail of a person limited to projects and machines covers only these, and a person who may see only today gets none (53.20)', async () => {
  const ids = [
    await subscribe({ projects: [project], machines: null }),
    await subscribe({ machines: ['K-1'] }),
  ];
  const whole = await subscribe();
  const limited = (limit: string) =>
    portal.pool.query(
      `update account set ${limit} where email = (select a.email from account a
      join report_subscription r on r.account_id = a.id where r.id = $1)`,
      [whole],
    );
  await limited(`limit_projects = '{}', limit_labels = '{}'`);
  expect(await contentFor(ids[0] as number)).toMatchObject({ projects: [], summary: 'none' });
  expect(await contentFor(ids[1] as number)).toMatchObject({ machines: [], summary: 'none' });
  expect(await contentFor(whole)).toMatchObject({ summary: { coverage: null, provisional: 0 } });
  await limited(`limit_projects = null, limit_labels = null, role = 'kijker', only_today = true`);
  expect(await contentFor(whole)).toBeUndefined();
  await limited(`role = 'gebruiker', only_today = false`);
  anna = await portal.login('anna@klant.nl');
});

test('the file is attached only if the organization allows it and the reader may make reports, up to 5 MB (14.5g)', async () => {
  await portal.user('baas@klant.nl', klant, 'beheerder');
  await portal.user('tech@portaal.nl', adminId, 'technicus');
  const baas = await portal.login('baas@klant.nl');
  const viewer = await subscribe({}, await portal.login('kijk@klant.nl'));
  const everywhere = await subscribe({}, await portal.login('tech@portaal.nl'));
  const ids = await Promise.all(MAILABLE_REPORT_KINDS.map((report) => subscribe({ report })));
  for (const id of [viewer, everywhere, ...ids]) expect((await contentFor(id))?.file).toBeUndefined();

  // The setting of the administrators' own organization has no effect, because their reports cover all organizations.
  await portal.pool.query(`update organization set mails_report_files = true where name = 'admin'`);
  const setting = () => portal.get('/api/organization/report-files?name=klant', baas);
  expect((await setting()).json()).toEqual({ mailsReportFiles: false });
  const change = (mailsReportFiles: boolean, name = 'klant') =>
    post('organization/report-files', { name, mailsReportFiles }, baas);
  expect((await change(true)).body).toEqual({ mailsReportFiles: true });
  await portal.organization('naast');
  for (const name of ['admin', 'naast']) expect((await change(true, name)).status).toBe(404);
  expect((await setting()).json()).toEqual({ mailsReportFiles: true });
  const { rows } = await portal.pool.query(
    `select changes from audit where action = 'organization.report-files'`,
  );
  expect(rows).toEqual([{ changes: { mailsReportFiles: [false, true] } }]);

  for (const [n, id] of ids.entries())
    expect((await contentFor(id))?.file).toMatchObject({
      name: `${MAILABLE_REPORT_KINDS[n]}-2026-11-16-2026-11-22.xlsx`,
    });
  for (const id of [viewer, everywhere]) expect((await contentFor(id))?.file).toBeUndefined();
  expect(await contentFor(ids[1] as number, 1000)).toMatchObject({
    file: 'too-large',
    summary: { coverage: 0.5 },
  });
  const mails = await mailsAt(MONDAY);
  const mine = mails.filter(({ to }) => to === 'anna@klant.nl');
  expect(mine).toHaveLength(MAILABLE_REPORT_KINDS.length);
  for (const { text, source } of mine) {
    expect(text).toContain('Het rapport zit als Excel-bestand bij deze mail.');
    expect(source).toMatch(/Content-Disposition: attachment;\s+filename=[a-z]+-2026-11-16-2026-11-22\.xlsx/);
    // A zip in base64.
    expect(source).toMatch(/^UEsDB/m);
  }
  for (const { source } of mails.filter(({ to }) => to !== 'anna@klant.nl'))
    expect(source).not.toContain('attachment');
  await change(false);
});

test('people make their own report subscriptions for what they may see, once for each report, and can end them (14.5h)', async () => {
  const viewer = await portal.login('kijk@klant.nl');
  const id = await subscribe({ machines: ['k-1', 'K-1'], projects: [project, project] }, viewer);
  expect(await subscribe({ machines: ['K-1'], projects: [project] }, viewer)).toBe(id);
  const month = await subscribe({ rhythm: 'month', report: 'laadbeurten' }, viewer);
  const mine = {
    ...WANTED,
    _id: id,
    projects: [{ _id: project, projectName: 'Kade Noord' }],
    machines: [{ serialNumber: 'K-1', alias: 'Kraan 1' }],
  };
  // Both were created at the same time of the test's clock.
  const both = [mine, { ...WANTED, report: 'laadbeurten', rhythm: 'month', _id: month }];
  expect(await listed(viewer)).toEqual(expect.arrayContaining(both));
  expect(await listed(viewer)).toHaveLength(both.length);
  expect(await listed()).toEqual([]);
  for (const [changed, status, message] of [
    [{ report: 'route' }, 400, 'Rapport gaat niet per mail.'],
    [{ rhythm: 'day' }, 400, 'Hoe vaak heeft een waarde die niet kan.'],
    [{ minutes: 0 }, 400, 'Minuten is minstens 1.'],
    [{ machines: ['ONBEKEND'] }, 404, 'Deze machine bestaat niet.'],
    [{ projects: [999_999] }, 404, 'Dit project bestaat niet.'],
    [{ projects: [] }, 400, expect.any(String)],
  ] as const) {
    const answer = await post('report-mail/subscribe', { ...WANTED, ...changed }, anna);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  }
  const other = await portal.organization('buur');
  await portal.user('buur@buur.nl', other);
  const stranger = await portal.login('buur@buur.nl');
  for (const changed of [{ machines: ['K-1'] }, { projects: [project] }])
    expect((await post('report-mail/subscribe', { ...WANTED, ...changed }, stranger)).status).toBe(404);
  expect((await post('report-mail/unsubscribe', { _id: id }, stranger)).body.message).toBe(
    'Dit rapport krijg je niet per mail.',
  );
  expect((await post('report-mail/unsubscribe', { _id: id }, viewer)).body.message).toBe(
    'Je krijgt dit rapport niet meer per mail.',
  );
  expect((await listed(viewer)).map(({ _id }: { _id: number }) => _id)).toEqual([month]);
  for (let minutes = 2; minutes <= 20; minutes += 1) await subscribe({ minutes }, viewer);
  const full = await post('report-mail/subscribe', { ...WANTED, minutes: 21 }, viewer);
  expect([full.status, full.body.message]).toEqual([
    409,
    'Je krijgt al 20 rapporten per mail. Zet er eerst een uit.',
  ]);
  const { rows } = await portal.pool.query(
    `select action, data, account_id = (select id from account where email = 'kijk@klant.nl') as "isAboutViewer" from audit
     where action like 'report-mail.%' order by id desc limit 22`,
  );
  const about = (action: string, report: string, rhythm: string) => ({
    action,
    data: { report, rhythm },
    isAboutViewer: true,
  });
  // The other 19 rows, which are newer, are subscriptions of this test too.
  expect(rows.slice(-3)).toEqual([
    about('report-mail.unsubscribe', 'dagstaten', 'week'),
    about('report-mail.subscribe', 'laadbeurten', 'month'),
    about('report-mail.subscribe', 'dagstaten', 'week'),
  ]);
});

test("report subscriptions are in the export of a person's own data, and end with a move to another organization (14.5i)", async () => {
  await subscribe({ report: 'inzet', machines: ['K-1'] });
  const data = (await portal.get('/api/account/data', anna)).json();
  expect(data['rapporten per mail']).toEqual([
    { rapport: 'inzet', 'hoe vaak': 'elke week', projecten: 'alle', machines: ['K-1'] },
  ]);
  // A person who is moved to another organization loses their subscriptions.
  await portal.user('baas@portaal.nl', adminId);
  const admin = await portal.login('baas@portaal.nl');
  await portal.organization('verhuisd');
  for (const organization of ['verhuisd', 'klant'])
    expect((await post('user/organization', { email: 'anna@klant.nl', organization }, admin)).status).toBe(
      200,
    );
  expect(await listed(await portal.login('anna@klant.nl'))).toEqual([]);
});
