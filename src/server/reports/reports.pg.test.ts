import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { ReaderDisconnectedError } from '#server/platform/send-chunks.ts';
import { duckRows } from '#server/telemetry/readings/test/duckdb.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { DEFAULT_PRIVACY } from '#shared/domain/privacy.ts';
import { plusDays } from '#shared/domain/reports/settings.ts';
import { chooseSeeds } from '#shared/domain/test/oracle/random-machine.ts';
import {
  CO2_FACTORS,
  DIESEL_LITRES_PER_HOUR,
  expectedReportRows,
  projectNameOf,
  type SecondComputation,
  storeMachine,
  VALUE_SIGNALS,
} from './test/second-computation.ts';

const SEEDS = chooseSeeds([8, 28], 40);

let portal: TestPortal;
let owner: number;
let other: number;
const cookies = { gebruiker: '', kijker: '', ander: '', admin: '' };
beforeAll(async () => {
  portal = await testPortal();
  owner = await portal.organization('graaf');
  other = await portal.organization('hijs');
  await portal.user('g@graaf.example', owner);
  await portal.user('k@graaf.example', owner, 'kijker');
  await portal.user('g@hijs.example', other);
  await portal.user('a@admin.example', await portal.organization('admin'));
  cookies.gebruiker = await portal.login('g@graaf.example');
  cookies.kijker = await portal.login('k@graaf.example');
  cookies.ander = await portal.login('g@hijs.example');
  cookies.admin = await portal.login('a@admin.example');
});
afterAll(() => portal.close());

const addressOf = (kind: string, query: Readonly<Record<string, string | number>>): string =>
  `/api/report/${kind}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
const asked = async (
  kind: string,
  query: Readonly<Record<string, string | number>>,
  cookie = cookies.gebruiker,
) => {
  const answer = await portal.get(addressOf(kind, query), cookie);
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
  return answer.json() as ReportAnswer;
};
const fileOf = (kind: string, query: Readonly<Record<string, string | number>>, cookie = cookies.gebruiker) =>
  portal.get(addressOf(`${kind}/file`, query), cookie);

/** Returns each row as an object by column key. */
const rowsOf = ({ columns, rows }: ReportAnswer): Record<string, string | number | null>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ key }, n) => [key, row[n] ?? null])));
const only = (rows: readonly Record<string, unknown>[], names: readonly string[]) =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
/** Matches a number whose last digits may differ between the portal and the second computation, by the rounding of floats. */
const about = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 4));

async function setFactors(owner: number, { from }: SecondComputation): Promise<void> {
  const add = (kind: string, value: number, day: string, from_kw: number | null, compared: string) =>
    portal.pool.query(
      `insert into report_factor (organization_id, kind, value, first_day, from_kw, below_kw, compared_to, source)
       values ($1, $2, $3, $4, $5, null, $6, 'co2emissiefactoren.nl')`,
      [owner, kind, value, day, from_kw, compared],
    );
  for (const { kgPerKwh, days } of CO2_FACTORS) await add('co2', kgPerKwh, plusDays(from, days), null, '');
  await add('diesel', DIESEL_LITRES_PER_HOUR, from, 30, 'Rupskraan 8 t');
}

/** Returns false for a day on which the machine was only present and sent nothing. */
const isSomething = ({
  days,
  running,
  charging,
  used,
  charged,
  coverage,
}: Record<string, unknown>): boolean =>
  [days, running, charging, used, charged].some((figure) => figure !== 0 && figure !== null) ||
  coverage !== null;

test.each(SEEDS)(
  'machine %i: every report equals a second computation from its readings to the second, the joule and the metre (14.3a)',
  async (seed) => {
    const owner = await portal.organization(`graaf-${seed}`);
    await portal.user(`g@graaf-${seed}.example`, owner);
    const cookie = await portal.login(`g@graaf-${seed}.example`);
    const second = await storeMachine(portal.pool, seed, owner, await portal.organization(`koper-${seed}`));
    const { serial, from, to } = second;
    await setFactors(owner, second);
    const expected = expectedReportRows(second, 5);
    const query = { from, to };

    const projectOf = new Map(second.projects.projects.map(({ id }) => [projectNameOf(seed, id), id]));
    const use = rowsOf(await asked('inzet', { ...query, minutes: 5 }, cookie));
    const figures = Object.keys(expected.inzet[0] ?? {});
    expect(
      only(
        use
          .map((row) => ({
            ...row,
            id: projectOf.get(String(row.project)),
            silentDays: Number(/^\d+(?= van )/.exec(String(row.silent))?.[0] ?? 0),
          }))
          .filter(isSomething),
        figures,
      ),
    ).toEqual(
      expected.inzet
        .filter(isSomething)
        .toSorted((a, b) => a.id - b.id)
        .map((row) => ({
          ...row,
          co2: about(row.co2),
          // The report has no power of a machine that belongs to another organization now, and so cannot compute the avoided diesel.
          diesel: second.isOwn ? about(row.diesel) : null,
        })),
    );
    const days = await asked('dagstaten', query, cookie);
    expect(only(rowsOf(days), Object.keys(expected.dagstaten[0] ?? {}))).toEqual(expected.dagstaten);
    const running = days.columns.findIndex(({ key }) => key === 'running');
    const sum = expected.dagstaten.reduce((total, row) => total + row.running, 0);
    expect(days.totals?.[running]).toBeCloseTo(sum, 6);

    const charged = rowsOf(await asked('laadbeurten', query, cookie)).map((row) => ({
      ...row,
      project: projectOf.get(String(row.project)),
    }));
    expect(only(charged, Object.keys(expected.laadbeurten[0] ?? {}))).toEqual(
      expected.laadbeurten.map((row) => ({ ...row, meanPower: about(row.meanPower) })),
    );
    expect(
      only(rowsOf(await asked('draaiuren', query, cookie)), [
        'from',
        'to',
        'meterFrom',
        'meterTo',
        'running',
      ]),
    ).toEqual(
      expected.draaiuren.map((row) => ({
        ...row,
        // The hour meter of a machine that was sold is in its new owner's record.
        meterFrom: second.isOwn ? about(row.meterFrom) : null,
        meterTo: second.isOwn ? about(row.meterTo) : null,
      })),
    );

    const machines = JSON.stringify([serial]);
    const path = await fileOf('route', { ...query, machines, format: 'json' }, cookie);
    const signals = JSON.stringify(VALUE_SIGNALS);
    const values = await fileOf('metingen', { ...query, machines, format: 'json', signals }, cookie);
    if (!second.isOwn) {
      expect([path.statusCode, values.statusCode]).toEqual([404, 404]);
      return;
    }
    const [counting, unused] = [true, false].map((counts) =>
      rowsOf(path.json()).filter((row) => !row.unused === counts),
    ) as [Record<string, unknown>[], Record<string, unknown>[]];
    expect(only(counting, ['time', 'latitude', 'longitude'])).toEqual(expected.route);
    expect(unused.map(({ time }) => time)).toEqual(expected.unused);
    expect((values.json() as ReportAnswer).rows).toEqual(expected.metingen);
  },
  180_000,
);

const NOON = Date.parse('2026-06-10T10:00Z');
const MINUTE = 60_000;
const JUNE = { from: '2026-06-01', to: '2026-06-30' };

/** Creates a machine that ran and drove on 10 June from noon to one, in Amsterdam, with one signal of its own. */
async function machineOfJune(organizationId: number, serial: string): Promise<number> {
  const streamId = await portal.machine(organizationId, { serial, alias: `Kraan ${serial}` });
  const readings = Array.from({ length: 61 }, (_, n) => ({
    time: NOON + n * MINUTE,
    signals: {
      LATITUDE: 52 + n / 10_000,
      LONGITUDE: 5,
      MotorSpeed: 900,
      BatteryCurrent: 100,
      BatteryVoltage: 400,
      Oliedruk: n / 10,
      ...(n > 30 && { IsCharging: n < 50 ? 1 : 0, ChargingCurrent: n < 50 ? 20 : 0, ChargingVoltage: 400 }),
    },
  }));
  await storeTestReadings(portal.pool, streamId, readings);
  await computeUntilUpToDate(portal.pool);
  return streamId;
}

test('a report has the machines and projects of the scope: a former owner sees the figures of a sold machine without its present name, and an administrator sees all organizations (14.3b)', async () => {
  const moved = await machineOfJune(owner, 'VERKOCHT-1');
  await machineOfJune(other, 'ANDERE-1');
  await portal.pool.query('update ownership set valid_to = $2 where stream_id = $1', [
    moved,
    new Date(NOON + 30 * MINUTE),
  ]);
  await portal.pool.query(
    'insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)',
    [moved, other, new Date(NOON + 30 * MINUTE)],
  );
  await portal.pool.query('insert into changed_history (stream_id, from_time) values ($1, $2)', [
    moved,
    new Date(NOON),
  ]);
  await computeUntilUpToDate(portal.pool);
  await machineOfJune(owner, 'EIGEN-1');

  const mine = rowsOf(await asked('draaiuren', JUNE));
  expect(only(mine, ['alias', 'serial', 'running'])).toEqual([
    { alias: 'Kraan EIGEN-1', serial: 'EIGEN-1', running: 3600 },
    { alias: `Overgedragen machine ${moved}`, serial: '', running: 1740 },
  ]);
  expect(rowsOf(await asked('dagstaten', JUNE)).map(({ serial }) => serial)).toEqual(['EIGEN-1', '']);
  const theirs = rowsOf(await asked('draaiuren', JUNE, cookies.ander));
  expect(theirs.map(({ serial, running }) => [serial, running])).toEqual([
    ['ANDERE-1', 3600],
    ['VERKOCHT-1', 1800],
  ]);
  // The random machines of the other tests may have run in June too, so only the rows of these two organizations are compared.
  const all = rowsOf(await asked('draaiuren', JUNE, cookies.admin)).filter(({ organization }) =>
    /^(graaf|hijs) BV$/.test(String(organization)),
  );
  expect(all.map(({ organization, alias }) => `${organization}: ${alias}`)).toEqual([
    'graaf BV: Kraan EIGEN-1',
    `graaf BV: Overgedragen machine ${moved}`,
    'hijs BV: Kraan ANDERE-1',
    'hijs BV: Kraan VERKOCHT-1',
  ]);

  const { rows } = await portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day) values ($1, 'Van een ander', '2026-01-01') returning id`,
    [other],
  );
  const refused = async (kind: string, query: Record<string, string>) =>
    (await portal.get(addressOf(kind, { ...JUNE, ...query }), cookies.gebruiker)).body;
  const unknown = '{"code":"not_found","message":"Deze machine bestaat niet."}';
  for (const serial of ['ANDERE-1', 'VERKOCHT-1', 'NERGENS'])
    expect(await refused('dagstaten', { machines: JSON.stringify([serial]) })).toBe(unknown);
  expect(await refused('inzet', { projects: JSON.stringify([rows[0]?.id]) })).toContain(
    'Dit project bestaat niet.',
  );
});

test('the report Draaiuren leaves out the hour meter of a machine that was sold, because the next owner edits it (14.3b, 41.5)', async () => {
  await portal.pool.query(
    `update machine set initial_hours = 98765 where stream_id = (select id from stream where serial = 'VERKOCHT-1')`,
  );
  const meters = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ serial, meterFrom, meterTo, running }) => [serial, meterFrom, meterTo, running]);
  const mine = meters(rowsOf(await asked('draaiuren', JUNE)));
  expect(mine[0]).toEqual(['EIGEN-1', expect.any(Number), expect.any(Number), 3600]);
  expect(mine[1]).toEqual(['', null, null, 1740]);
  const hours = 98765 * 3600;
  expect(meters(rowsOf(await asked('draaiuren', JUNE, cookies.ander)))).toContainEqual([
    'VERKOCHT-1',
    hours + 1740,
    hours + 1740 + 1800,
    1800,
  ]);
});

test('a report of labels has the machines that carry one of them now and names the labels, and an unknown label is rejected (14.4j)', async () => {
  const { pool } = portal;
  const label = async (organizationId: number, name: string, ...serials: string[]): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(
      `with l as (insert into label (organization_id, name, colour) values ($1, $2, 'blue') returning id),
       c as (insert into machine_label (label_id, stream_id) select l.id, s.id from l, stream s where s.serial = any ($3))
       select id from l`,
      [organizationId, name, serials],
    );
    return rows[0]?.id as number;
  };
  // The label of the former owner stays on the sold machine VERKOCHT-1, and does not put it in the former owner's report.
  const huur = await label(owner, 'Huur', 'EIGEN-1', 'VERKOCHT-1');
  const keuring = await label(owner, 'Keuring');
  const theirs = await label(other, 'Van hen', 'ANDERE-1', 'EIGEN-1');
  const of = (...ids: number[]) => ({ ...JUNE, labels: JSON.stringify(ids) });
  const both = await asked('draaiuren', of(keuring, huur));
  expect(rowsOf(both).map(({ serial }) => serial)).toEqual(['EIGEN-1']);
  expect(both.notes).toContain('Machines die nu een van deze labels dragen: Huur, Keuring.');
  expect((await fileOf('draaiuren', { ...of(huur), format: 'csv' })).body).toContain(
    'Machines die nu een van deze labels dragen: Huur.',
  );
  expect((await asked('draaiuren', of(keuring))).rows).toEqual([]);
  const named = { machines: JSON.stringify(['EIGEN-1']) };
  expect((await asked('draaiuren', { ...of(huur), ...named })).rows).toHaveLength(1);
  expect((await asked('draaiuren', { ...of(keuring), ...named })).rows).toEqual([]);
  const byAdmin = async (...ids: number[]) =>
    rowsOf(await asked('draaiuren', of(...ids), cookies.admin)).map(({ serial }) => serial);
  expect(await byAdmin(huur, theirs)).toEqual(['EIGEN-1', 'ANDERE-1']);
  expect(await byAdmin(theirs)).toEqual(['ANDERE-1']);
  for (const ids of [[theirs], [huur, theirs], [999_999]]) {
    const answer = await portal.get(addressOf('inzet', of(...ids)), cookies.gebruiker);
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'Dit label bestaat niet.']);
  }
  await pool.query('delete from label');
  const gone = await portal.get(
    addressOf('draaiuren/file', { ...of(huur), format: 'csv' }),
    cookies.gebruiker,
  );
  expect([gone.statusCode, gone.json().message]).toEqual([404, 'Dit label bestaat niet.']);
});

test("positions in reports need the right to see routes, and a kijker sees only positions inside the organization's viewer hours (14.3c)", async () => {
  const privacy = (value: object) =>
    portal.pool.query('update organization set privacy = $2 where id = $1', [
      owner,
      { ...DEFAULT_PRIVACY, ...value },
    ]);
  const machines = JSON.stringify(['EIGEN-1']);
  const positions = async () => {
    const answer = await portal.get(addressOf('route', { ...JUNE, machines }), cookies.kijker);
    return answer.statusCode === 200 ? (answer.json() as ReportAnswer).rows.length : answer.statusCode;
  };
  const signals = async () =>
    (
      await portal.get(
        addressOf('metingen', { ...JUNE, machines, signals: '["LATITUDE","Oliedruk"]' }),
        cookies.kijker,
      )
    ).statusCode;
  const places = async () => {
    const sessions = await asked('laadbeurten', { ...JUNE, machines }, cookies.kijker);
    return rowsOf(sessions).map(({ latitude }) => latitude);
  };
  expect([await positions(), await signals(), await places()]).toEqual([61, 200, [52.0031]]);
  const days = [1, 2, 3, 4, 5];
  await privacy({ viewerHours: { days, from: '12:00', to: '12:20' } });
  await portal.untilNotified();
  expect([await positions(), await signals(), await places()]).toEqual([20, 403, [null]]);
  await privacy({ routesFrom: 'gebruiker' });
  await portal.untilNotified();
  expect([await positions(), await signals(), await places()]).toEqual([403, 403, [null]]);
  await privacy({});
  await portal.untilNotified();
  expect((await fileOf('dagstaten', { ...JUNE, format: 'csv' }, cookies.kijker)).statusCode).toBe(403);
});

test('the report Metingen has every stored signal, also custom signals, at full rate or as the last value of each time step (14.3d)', async () => {
  const query = { ...JUNE, machines: '["EIGEN-1"]', signals: '["Oliedruk","MotorSpeed","Bestaat niet"]' };
  const all = await asked('metingen', query);
  expect(all.rows.slice(0, 2)).toEqual([
    ['2026-06-10T10:00:00.000Z', 0, 900, null],
    ['2026-06-10T10:01:00.000Z', 0.1, 900, null],
  ]);
  const thin = await asked('metingen', { ...query, step: 300 });
  expect(thin.rows.slice(0, 2)).toEqual([
    ['2026-06-10T10:00:00.000Z', 0.4, 900, null],
    ['2026-06-10T10:05:00.000Z', 0.9, 900, null],
  ]);
  expect([all.rows.length, thin.rows.length]).toEqual([61, 13]);
  expect(thin.notes.join()).toContain('Per 5 minuten van elk signaal de laatste meting daarin');
  expect(all.notes.join()).toContain('Elke opgeslagen meting');
});

test.skipIf(!duckRows)(
  'Metingen as Parquet has the rows and columns of the CSV, at full rate and thinned, and its own content type (45.6)',
  async () => {
    const query = { ...JUNE, machines: '["EIGEN-1"]', signals: '["Oliedruk","MotorSpeed","Bestaat niet"]' };
    for (const step of [0, 300]) {
      const file = await fileOf('metingen', { ...query, step, format: 'parquet' });
      expect([file.statusCode, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
        200,
        'application/vnd.apache.parquet',
        'attachment; filename="metingen-2026-06-01-2026-06-30.parquet"',
      ]);
      const found = await duckRows?.(file.rawPayload);
      const csv = (await fileOf('metingen', { ...query, step, format: 'csv' })).body;
      const [head = '', ...lines] = csv.slice(0, csv.indexOf('\r\n\r\n')).split('\r\n');
      const cells = lines.map((line) => line.split(';'));
      const [, utc, ...names] = head.split(';').map((name) => name.replace(/^"|"$/g, ''));
      expect(found?.types).toEqual([
        `${utc} TIMESTAMP WITH TIME ZONE`,
        ...names.map((name) => `${name} DOUBLE`),
      ]);
      expect(found?.times).toEqual(
        cells.map(([, at]) => Date.parse(`${at?.replace(' ', 'T').replace(',', '.')}Z`)),
      );
      expect(found?.columns).toEqual(
        names.map((_, n) =>
          cells.map((row) => (row[n + 2] === '' ? null : Number(row[n + 2]?.replace(',', '.')))),
        ),
      );
      expect(found?.times).toHaveLength(step === 0 ? 61 : 13);
    }
  },
);

test.each<[string, Record<string, string>, string]>([
  ['inzet', { from: '2026-07-01' }, 'De eerste dag ligt na de laatste dag.'],
  ['inzet', { from: '2026-02-30' }, 'is geen datum'],
  ['inzet', { from: 'gisteren' }, 'is geen datum'],
  ['inzet', { from: '2024-06-01' }, 'hoogstens een jaar'],
  ['inzet/file', { from: '2020-06-01', format: 'csv' }, 'hoogstens drie jaar'],
  ['inzet/file', { format: 'gpx' }, 'Alleen een route is er als GPX.'],
  ['inzet/file', { format: 'parquet' }, 'Alleen metingen zijn er als Parquet.'],
  ['inzet/file', { format: 'exe' }, 'bestaat niet'],
  ['inzet/file', {}, 'bestaat niet'],
  ['verzonnen', {}, 'bestaat niet'],
  ['inzet', { minutes: '0' }, 'is minstens 1'],
  ['inzet', { machines: 'geen lijst' }, 'JSON-lijst'],
  ['inzet', { machines: '[]' }, 'JSON-lijst'],
  ['inzet', { projects: '["1"]' }, 'JSON-lijst'],
  ['inzet', { projects: '[99999999999]' }, 'JSON-lijst'],
  ['inzet', { labels: '[1.5]' }, 'JSON-lijst'],
  ['route', { labels: '[1]' }, 'Dit rapport is van machines, niet van labels.'],
  ['route', {}, 'Kies een machine.'],
  ['metingen', { signals: '["Speed"]' }, 'Kies één machine.'],
  ['metingen', { machines: '["EIGEN-1"]' }, 'Kies minstens één signaal.'],
  ['metingen', { machines: '["EIGEN-1"]', signals: '["Speed"]', step: '7' }, '0, 1, 60 of 300'],
])('the report %s with %j is rejected with a message (14.3e)', async (kind, query, message) => {
  const answer = await portal.get(addressOf(kind, { ...JUNE, ...query }), cookies.gebruiker);
  expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(message)]);
});

test('an organization makes three files at once, a fourth gets 429 with a retry time, and a reader who disconnects frees a slot (14.3f)', async () => {
  const address = `${portal.address}${addressOf('metingen/file', { ...JUNE, from: '2024-01-01', machines: '["EIGEN-1"]', signals: '["Oliedruk"]', format: 'csv' })}`;
  const ask = (signal?: AbortSignal) =>
    fetch(address, { headers: { cookie: cookies.gebruiker, ...SCRIPT_HEADERS }, ...(signal && { signal }) });
  const lock = await portal.pool.connect();
  const gone = new AbortController();
  try {
    // The lock on the readings stops every file before its first row.
    await lock.query('begin');
    await lock.query('lock table reading in access exclusive mode');
    const three = Array.from({ length: 3 }, () => ask(gone.signal).then((answer) => answer.text()));
    for (const one of three) one.catch(() => {});
    await expect
      .poll(async () => (await ask(AbortSignal.timeout(300)).catch(() => undefined))?.status)
      .toBe(429);
    const fourth = await ask();
    expect([fourth.headers.get('retry-after'), await fourth.text()]).toEqual([
      '5',
      expect.stringContaining('Er worden al 3 rapporten voor deze organisatie gemaakt.'),
    ]);
    gone.abort();
  } finally {
    await lock.query('rollback');
    lock.release();
  }
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a report file is made in a thread: a disconnecting reader ends the work, every open file fails if the thread ends, and the next file starts a new thread (14.4k)', async () => {
  const { reportThread } = portal.portal;
  const metadata = {
    question: {
      kind: 'metingen',
      settings: { ...JUNE, minutes: 1, signals: ['Oliedruk'], step: 0 },
      machines: ['EIGEN-1'],
    },
    by: 'Jan',
    organization: 'Graaf',
    at: NOON,
    version: '1.2.3',
  } as const;
  const scope = { organizations: [owner], actions: new Set(['see-machines', 'make-reports'] as const) };
  const order = { metadata, scope, units: { Oliedruk: 'bar' }, format: 'csv' } as const;
  const file = (signal = new AbortController().signal) => reportThread.file(order, signal);
  const read = async ({ chunks }: Awaited<ReturnType<typeof file>>): Promise<string> => {
    let text = '';
    for await (const chunk of chunks) text += chunk.toString();
    return text;
  };
  const whole = await file();
  const text = await read(whole);
  expect([whole.name, text.split('\r\n').length, whole.summary()]).toEqual([
    'metingen-2026-06-01-2026-06-30.csv',
    1 + 61 + 7,
    { coverage: undefined, provisional: 0 },
  ]);
  expect(text).toContain('"Oliedruk (bar)"');

  const message = 'Het maken van het rapport is afgebroken. Probeer het zo weer.';
  const locked = async (table: string, during: () => Promise<void>): Promise<void> => {
    const lock = await portal.pool.connect();
    try {
      await lock.query('begin');
      await lock.query(`lock table ${table} in access exclusive mode`);
      await during();
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  };
  await locked('reading', async () => {
    const gone = new AbortController();
    // Both files are started before one is read, because a read that waits for the lock may occupy both connections of the thread.
    const begun = [await file(gone.signal), await file()];
    const both = begun.map(read);
    for (const one of both) one.catch(() => {});
    gone.abort();
    await expect(both[0]).rejects.toBeInstanceOf(ReaderDisconnectedError);
    await reportThread.close();
    await expect(both[1]).rejects.toThrow(message);
  });
  // The thread ends before it has sent the first message about a file.
  await locked('machine', async () => {
    const query = { ...JUNE, machines: '["EIGEN-1"]', format: 'csv' };
    const asked = fileOf('draaiuren', query);
    await expect.poll(areMachinesQueried).toBe(true);
    await reportThread.close();
    const answer = await asked;
    expect([answer.statusCode, answer.json()]).toEqual([503, { code: 'unavailable', message: message }]);
  });
  expect(await read(await file())).toBe(text);
});

/** Returns whether a report's query of its machines waits for a lock. */
const areMachinesQueried = async (): Promise<boolean> =>
  (
    await portal.pool.query(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%m.registration_number%' and query not like '%pg_stat_activity%') as asked`,
    )
  ).rows[0].asked;

test('CSV has semicolons, decimal commas, UTF-8 with a byte order mark, no formulas, and the notes below the rows (14.4a)', async () => {
  await portal.pool.query(`update stream set alias = '=2+3;"x"' where serial = 'EIGEN-1'`);
  const { body, headers } = await fileOf('draaiuren', { ...JUNE, machines: '["EIGEN-1"]', format: 'csv' });
  expect(headers['content-disposition']).toBe('attachment; filename="draaiuren-2026-06-01-2026-06-30.csv"');
  const lines = body.split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFF"Machine";"Merk";"Model";"Serienummer";"Kenteken of meldcode";"Van (Amsterdam)";"Van (UTC)";"Tot (Amsterdam)";"Tot (UTC)";"Urenstand begin";"Urenstand begin (uur)";"Urenstand einde";"Urenstand einde (uur)";"Draaiuren";"Draaiuren (uur)";"Laaduren";"Laaduren (uur)";"Verbruikt (kWh)";"Energie bekend (%)";"Dekking (%)";"Dagen zonder gegevens";"Status"',
  );
  expect(lines[1]).toBe(
    `"'=2+3;""x""";"Volta";"EX-1";"EIGEN-1";"";2026-06-01 00:00:00;2026-05-31 22:00:00;2026-07-01 00:00:00;2026-06-30 22:00:00;0:00:00;0;1:00:00;1;1:00:00;1;0:19:00;0,3167;40;100;100;"29 van 30 dagen zonder gegevens";""`,
  );
  expect(lines[2]).toBe('');
  expect(lines[3]).toBe(`"Totaal"${';'.repeat(13)}1:00:00;1;0:19:00;0,3167;40;100;100;;`);
  expect(lines.slice(4).join('\n')).toMatch(
    /^"Periode: 01-06-2026 tot en met 30-06-2026\."\n.*"Dekking van alles: 100,0 %\."\n"Gemaakt op \d\d-\d\d-\d{4} om [\d:]{8} door g@graaf\.example, graaf BV, met Werkstroom [\d.]+\."\n"Tijden staan er twee keer: .*"\n$/s,
  );
  const { rows } = await portal.pool.query(
    `select data from audit where action = 'report.export' order by id desc limit 1`,
  );
  expect(rows[0].data).toEqual({ report: 'draaiuren', from: '2026-06-01', to: '2026-06-30', format: 'csv' });
});
