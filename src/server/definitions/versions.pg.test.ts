import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, type TestResponse } from '#server/machines/test/administration.ts';
import type { DefinitionChange, DefinitionVersion } from '#shared/contract/definition.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const view = async (serial: string) => (await a.call(`GET /api/machine/dbc/${serial}`)).json;
const versions = async (serial: string): Promise<DefinitionVersion[]> =>
  (await a.call(`GET /api/machine/dbc/${serial}/versions`)).json.versions;
const setMapping = (serial: string, mapping: object): Promise<TestResponse> =>
  a.call('POST /api/machine/dbc/mapping', {
    body: { serial, mapping: { signals: [], keep: [], ...mapping } },
  });
const restore = (serial: string, restored: number, more: object = {}): Promise<TestResponse> =>
  a.call('POST /api/machine/dbc/restore', { body: { serial, restored, ...more } });
const textsOf = (changes: readonly DefinitionChange[]): string[] => changes.map(({ text }) => text);
const SOC1 = { bus: 0, message: 'BMS_Status', signal: 'soc1', to: 'Soc1' };
const PACK = { bus: 0, message: 'BMS_Status', signal: 'PackI', to: 'BatteryCurrent' };
/** `BATTERY_DBC` without its message DRV_Status and its signal PackI. */
const SMALLER = BATTERY_DBC.split('BO_ 2566845396')[0]?.replace(/ SG_ PackI .*\n/, '') as string;

test('a DBC that drops mappings is stored only after the person confirms it, and a DBC that drops none is stored at once (12.C1)', async () => {
  await a.machine('V-1');
  const first = await a.upload('V-1', BATTERY_DBC, { ask: true });
  expect([first.status, first.json.changes]).toEqual([200, undefined]);
  await setMapping('V-1', { signals: [SOC1, PACK], keep: [{ bus: 0, message: 'DRV_Status' }] });
  const before = await view('V-1');
  const asked = await a.upload('V-1', SMALLER, { name: 'klein.dbc', ask: true });
  expect(asked.json.changes).toEqual([
    { text: 'CAN-bus 0: accu.dbc vervangen door klein.dbc', isLoss: true },
    { text: 'Koppeling vervalt: Accustroom uit PackI (BMS_Status, can0)', isLoss: true },
    { text: 'Bewaren vervalt: DRV_Status (can0)', isLoss: true },
  ]);
  expect(asked.json.version).toBe(before.version);
  expect(await view('V-1')).toEqual(before);
  const more = await a.upload('V-1', BATTERY_DBC.replaceAll('soc1', 'soc2'), { bus: 1, ask: true });
  expect([more.json.changes, more.json.buses.length]).toEqual([undefined, 2]);
  // The confirmation names the version before the upload to bus 1, which is no longer the present version.
  const late = await a.upload('V-1', SMALLER, { version: asked.json.version });
  expect([late.status, late.message]).toEqual([409, expect.stringMatching(/Iemand anders heeft/)]);
  const stored = await a.upload('V-1', SMALLER, { version: more.json.version });
  expect([stored.status, stored.json.changes]).toEqual([200, undefined]);
  expect(stored.json.mapping.signals.map(({ to }: { to: string }) => to)).toEqual(['Soc1', 'Soc2']);
});

test('every version of a data definition is kept with its author, time and changes, and can be restored (12.C1)', async () => {
  await a.machine('V-2');
  const began = Date.now();
  const { version: first } = (await a.upload('V-2', BATTERY_DBC)).json;
  await setMapping('V-2', { signals: [SOC1, PACK], keep: [{ bus: 0, message: 'DRV_Status' }] });
  const full = await view('V-2');
  const asked = await a.call('POST /api/machine/dbc/delete', { body: { serial: 'V-2', ask: true } });
  expect(textsOf(asked.json.changes)).toHaveLength(4);
  expect(await view('V-2')).toEqual(full);
  await a.call('POST /api/machine/dbc/delete', { body: { serial: 'V-2', version: full.version } });
  const empty = await view('V-2');
  expect([empty.version, empty.buses]).toEqual([0, []]);

  const listed = await versions('V-2');
  expect(listed.map(({ version, isPresent, madeBy }) => [version, isPresent, madeBy])).toEqual([
    [expect.any(Number), true, 'admin@portaal.nl'],
    [full.version, false, 'admin@portaal.nl'],
    [first, false, 'admin@portaal.nl'],
  ]);
  expect(Date.parse(listed[0]?.madeAt ?? '')).toBeGreaterThanOrEqual(began - 1_000);
  expect(listed.map(({ changes }) => textsOf(changes))).toEqual([
    textsOf(asked.json.changes),
    [
      'Koppeling toegevoegd: Accustroom uit PackI (BMS_Status, can0)',
      'Bewaren toegevoegd: DRV_Status (can0)',
    ],
    [
      'CAN-bus 0: accu.dbc toegevoegd (250 kbit/s)',
      'Koppeling toegevoegd: Laadtoestand accu 1 uit soc1 (BMS_Status, can0)',
    ],
  ]);

  const question = await restore('V-2', full.version, { ask: true });
  expect(question.json.changes).toHaveLength(4);
  expect((await view('V-2')).version).toBe(0);
  const [one, other] = await Promise.all([
    restore('V-2', full.version, { version: 0 }),
    restore('V-2', first, { version: 0 }),
  ]);
  expect([one.status, other.status].sort()).toEqual([200, 409]);
  await restore('V-2', full.version);
  const back = await view('V-2');
  expect(back).toEqual({ ...full, version: back.version });
  const [newest] = await versions('V-2');
  expect([newest?.version, newest?.isPresent]).toEqual([back.version, true]);
  const audited = (await a.audited()).filter(({ subject }) => subject === 'V-2').at(-1);
  expect(audited).toMatchObject({ actor: 'admin@portaal.nl', action: 'dbc.restore' });
});

test('restoring another machine’s version of a data definition, or an unknown version, is rejected (12.C1)', async () => {
  await a.machine('V-3');
  await a.machine('V-4');
  const theirs = (await a.upload('V-3', BATTERY_DBC)).json.version;
  for (const restored of [theirs, 2 ** 31 - 1, -1]) {
    const answer = await restore('V-4', restored);
    expect([answer.status, answer.message]).toEqual([404, 'Deze versie bestaat niet.']);
  }
  expect((await restore('V-4', 2 ** 40)).status).toBe(400);
  expect(await versions('V-4')).toEqual([]);
});

test('choosing another reference machine previews what it would replace, and the saved version names its author (12.C1)', async () => {
  await a.machine('V-5');
  await a.machine('V-6');
  await a.machine('V-7');
  await a.upload('V-5', BATTERY_DBC);
  await setMapping('V-5', { signals: [SOC1, PACK] });
  await a.upload('V-6', SMALLER, { name: 'klein.dbc' });
  const ask = async (dbc_machine: string) =>
    a.call('GET /api/machine/dbc/V-5/reference', { query: { dbc_machine } });
  const goes = [
    'CAN-bus 0: accu.dbc vervangen door klein.dbc',
    'Koppeling vervalt: Accustroom uit PackI (BMS_Status, can0)',
  ];
  expect(textsOf((await ask('V-6')).json.changes)).toEqual(goes);
  // References that change nothing: a machine without a definition, the machine itself, and no machine.
  for (const other of ['V-7', 'V-5', '']) expect((await ask(other)).json.changes).toEqual([]);
  expect((await ask('weg')).status).toBe(400);
  expect((await view('V-5')).mapping.signals).toHaveLength(2);

  await a.edit('V-5', { dbc_machine: 'V-6' });
  const [newest] = await versions('V-5');
  expect([newest?.madeBy, textsOf(newest?.changes ?? [])]).toEqual(['admin@portaal.nl', goes]);
  expect((await ask('V-6')).json.changes).toEqual([]);
  // An account with a name is shown by that name (13.6b).
  await a.portal.pool.query(`update account set name = 'Bea' where email = 'admin@portaal.nl'`);
  expect((await versions('V-5'))[0]?.madeBy).toBe('Bea');
  await a.portal.pool.query(`update account set name = null where email = 'admin@portaal.nl'`);
  // Binding a logger with a reference machine makes a version of the definition too.
  await a.create('V-8', { dbc_machine: 'V-6', influx_serial: '4999998' });
  await a.bind('V-8', '4999998', 'V-6');
  expect((await versions('V-8')).map(({ madeBy }) => madeBy)).toEqual(['admin@portaal.nl']);
});

test("versions of a data definition and re-decoding runs store the account's id, so that deleting the account changes no row (13.9g)", async () => {
  const { pool } = a.portal;
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'admin'`);
  await a.portal.user('Weg@portaal.nl', rows[0]?.id as number);
  const as = await a.portal.login('weg@portaal.nl');
  await a.machine('V-9');
  await a.upload('V-9', BATTERY_DBC);
  const made = [
    await a.call('POST /api/machine/dbc/mapping', {
      body: { serial: 'V-9', mapping: { signals: [SOC1], keep: [] } },
      as,
    }),
    await a.call('POST /api/machine/dbc/redecode', { body: { serial: 'V-9' }, as }),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200]);
  const listed = async () => [
    (await versions('V-9'))[0]?.madeBy,
    (await a.call('GET /api/machine/dbc/V-9/redecode')).json.redecoding?.startedBy,
  ];
  expect(await listed()).toEqual(['Weg@portaal.nl', 'Weg@portaal.nl']);
  const makers = async () =>
    (
      await pool.query(
        'select id, made_by from definition union all select 0, started_by from redecoding order by 1',
      )
    ).rows;
  const before = await makers();
  const gone = await pool.query<{ id: number }>(
    `delete from account where email = 'Weg@portaal.nl' returning id`,
  );
  expect(await makers()).toEqual(before);
  const name = `vertrokken account ${gone.rows[0]?.id}`;
  expect(await listed()).toEqual([name, name]);
  await pool.query('update definition set made_by = null');
  await pool.query('update redecoding set started_by = null');
  expect(await listed()).toEqual([null, null]);
});
