import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** Names of members of Object.prototype; a signal may have such a name, except `__proto__`. */
const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const ASKED = [...NAMES, '__proto__'];
const SERIAL = 'PROTO-1';

let a: AdminTestPortal;
let cookie: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  cookie = a.fleet.cookie;
  await a.machine(SERIAL);
  expect((await a.upload(SERIAL, DBC, { name: 'proto.dbc', bitrate: 500_000 })).status).toBe(200);
  await a.call('POST /api/machine/writer/key', { body: { serial: SERIAL } });
  const logger = await a.loggerOf(SERIAL);
  const now = Math.floor(a.fleet.clock / 1000);
  const values = (n: number) => Object.fromEntries(NAMES.map((name, at) => [name, 10 * n + at]));
  for (const [n, time] of [now - 120, now - 60].entries()) {
    const signals = JSON.stringify({ GMT_UNIX: time, Soc1: 80, Speed: 3, ...values(n + 1) });
    await a.fleet.put(logger, 'proto-snapshot.json', `${signals.slice(0, -1)},"__proto__":7}`);
  }
  // Uploads a second reading with the time of the last one, and another signal; the portal merges the two readings.
  await a.fleet.put(logger, 'proto-snapshot.json', JSON.stringify({ GMT_UNIX: now - 60, isPrototypeOf: 5 }));
});
afterAll(() => a.close());

const DBC = `VERSION ""

BU_: ECU

BO_ 500 constructor: 8 ECU
 SG_ toString : 0|8@1+ (1,0) [0|0] "bar" Vector__XXX
 SG_ hasOwnProperty : 8|8@1+ (1,0) [0|0] "rpm" Vector__XXX
 SG_ __proto__ : 16|8@1+ (1,0) [0|0] "" Vector__XXX
`;

const get = async (path: string, query: Record<string, string>) => {
  const answer = await a.portal.get(`${path}?${new URLSearchParams(query)}`, cookie);
  return { status: answer.statusCode, body: answer.body, raw: answer.rawPayload };
};
const day = () => amsterdamDay(a.fleet.clock);
const report = (signals: readonly string[], more: Record<string, string> = {}) => ({
  from: day(),
  to: day(),
  machines: JSON.stringify([SERIAL]),
  signals: JSON.stringify(signals),
  ...more,
});

test('signals named like members of Object.prototype are listed and charted with their values (API-02)', async () => {
  const listed = JSON.parse((await get(`/api/influx/signals/${SERIAL}`, { start: '-1d' })).body);
  expect(listed.map(({ name, unit }: { name: string; unit: unknown }) => [name, unit])).toEqual(
    [...NAMES, 'isPrototypeOf'].sort((x, y) => x.localeCompare(y, 'nl')).map((name) => [name, null]),
  );
  const { status, body } = await get(`/api/influx/signals/${SERIAL}/values`, {
    start: '-1d',
    names: JSON.stringify(ASKED),
  });
  expect(status).toBe(200);
  const courses = JSON.parse(body).signals as { name: string; mean: number[] }[];
  expect(courses.map(({ name, mean }) => [name, mean])).toEqual([
    ...NAMES.map((name, at) => [name, [10 + at, 20 + at]]),
    ['__proto__', []],
  ]);
});

test('live data contains no members of Object.prototype (API-02)', async () => {
  const { body } = await get('/api/live', {});
  expect(
    Object.keys(JSON.parse(body)[SERIAL]?.liveData ?? JSON.parse(body)).filter((key) => NAMES.includes(key)),
  ).toEqual([]);
});

test('Metingen shows and exports signals named like members of Object.prototype, and no functions (API-02)', async () => {
  const screen = await get('/api/report/metingen', report(ASKED));
  expect(screen.status).toBe(200);
  const { columns, rows } = JSON.parse(screen.body);
  expect(columns.map(({ title, unit }: { title: string; unit: string }) => [title, unit])).toEqual([
    ['Tijd', ''],
    ...ASKED.map((name) => [name, '']),
  ]);
  expect(rows.map(([, ...values]: unknown[]) => values)).toEqual([
    [10, 11, 12, 13, null],
    [20, 21, 22, 23, null],
  ]);
  for (const format of ['csv', 'json', 'xlsx']) {
    const file = await get('/api/report/metingen/file', report(ASKED, { format }));
    expect([format, file.status]).toEqual([format, 200]);
    expect(file.body).not.toMatch(/native code|object Object/);
  }
  const csv = await get('/api/report/metingen/file', report(ASKED, { format: 'csv' }));
  expect(csv.body.replace(/^\uFEFF/, '').split('\r\n')[0]).toBe(
    ['Tijd (Amsterdam)', 'Tijd (UTC)', ...ASKED].map((title) => `"${title}"`).join(';'),
  );
});

test.each(ASKED)('filters and lists treat %s as an unknown name (API-02)', async (name) => {
  for (const [path, query] of [
    ['/api/report/metingen', { ...report(['Speed']), machines: JSON.stringify([name]) }],
    ['/api/report/inzet', { from: day(), to: day(), machines: JSON.stringify([name]) }],
    ['/api/influx/gps/X', { start: name }],
    ['/api/alert/get', { serial: name }],
    [`/api/report/${name}`, { from: day(), to: day() }],
    [`/api/machine/dbc/${name}`, {}],
    ['/api/live', { [name]: name }],
  ] as const) {
    const unknown = 'onbekend';
    const replaced = (text: string) => text.replaceAll(name, unknown);
    const asked = await get(path, query as Record<string, string>);
    const other = await get(
      replaced(path),
      Object.fromEntries(Object.entries(query).map(([key, value]) => [replaced(key), replaced(value)])),
    );
    expect([path, asked.status, replaced(asked.body)]).toEqual([path, other.status, other.body]);
    expect(asked.status).toBeLessThan(500);
  }
});

test.each(ASKED)(
  'a definition whose mapping names %s is stored or refused, and never causes an internal error (API-02)',
  async (name) => {
    for (const mapping of [
      { signals: [{ bus: 0, message: 'constructor', signal: 'toString', to: name }], keep: [] },
      { signals: [{ bus: 0, message: name, signal: name, to: 'Speed' }], keep: [] },
      { signals: [], keep: [{ bus: 0, message: name }] },
    ]) {
      const answer = await a.call('POST /api/machine/dbc/mapping', { body: { serial: SERIAL, mapping } });
      expect([JSON.stringify(mapping), answer.status < 500]).toEqual([JSON.stringify(mapping), true]);
      expect(answer.text).not.toMatch(/native code/);
    }
    const shown = await a.call(`GET /api/machine/dbc/${SERIAL}`);
    expect(shown.status).toBe(200);
  },
);

test('no request adds a member to Object.prototype (API-02)', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.keys(Object)).toEqual([]);
  for (const name of ['toString', 'hasOwnProperty', 'valueOf'] as const)
    expect(Object.keys(Object.prototype[name])).toEqual([]);
});
