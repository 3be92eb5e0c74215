import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const view = async (serial: string) => (await a.call(`GET /api/machine/dbc/${serial}`)).json;
const setMapping = (serial: string, mapping: object, version?: number) =>
  a.call('POST /api/machine/dbc/mapping', {
    body: { serial, mapping: { signals: [], keep: [], ...mapping }, version },
  });
const message = (id: number, name: string, signals: string) => `BO_ ${id} ${name}: 8 X\n${signals}\n`;
const signal = (name: string, start = 0) => ` SG_ ${name} : ${start}|8@1+ (1,0) [0|0] "" X`;
const SOC1 = { bus: 0, message: 'BMS_Status', signal: 'soc1', to: 'Soc1' };
const PACK = { bus: 0, message: 'BMS_Status', signal: 'PackI', to: 'BatteryCurrent', factor: -1, offset: 2 };

describe('uploading a DBC', () => {
  test('an uploaded DBC maps equal names at once, proposes similar ones, and lists what is still unmapped (MEDIT-12)', async () => {
    await a.machine('F-1');
    expect(await view('F-1')).toMatchObject({
      version: 0,
      buses: [],
      proposals: [],
      mapping: { signals: [], keep: [] },
    });
    const answer = await a.upload('F-1', BATTERY_DBC, { bitrate: 500_000 });
    expect(answer.status).toBe(200);
    expect(answer.json.mapping).toEqual({ signals: [SOC1], keep: [] });
    expect(answer.json.proposals).toEqual([
      { to: 'MotorSpeed', bus: 0, message: 'DRV_Status', signal: 'Motor_Speed' },
      { to: 'BatteryCurrent', bus: 0, message: 'BMS_Status', signal: 'PackI' },
      { to: 'BatteryVoltage', bus: 0, message: 'BMS_Status', signal: 'BMS_PackVoltage' },
    ]);
    expect(answer.json.unmapped).toContain('MotorSpeed');
    expect(answer.json.unmapped).not.toContain('Soc1');
    expect(answer.json.buses[0]).toMatchObject({ bus: 0, bitrate: 500_000, name: 'accu.dbc', warnings: [] });
    expect(answer.json.buses[0].messages.map(({ identifier }: { identifier: string }) => identifier)).toEqual(
      ['0x1F4', '0x18FEF3D4'],
    );
    expect(await view('F-1')).toEqual(answer.json);
  });

  test('a data definition lists unmapped codes of rail work, such as Spoorstand, for an LMB logger only, and names the kind of its stream (MEDIT-12, 12.A11)', async () => {
    await a.portal.organization('spoor', { isLmbCustomer: true });
    await a.call('GET /api/berend/new', { query: { organization: 'spoor', loggerid: 'L-11', alias: 'Kar' } });
    await a.machine('F-11');
    const file = message(
      1,
      'M',
      `${signal('Spoor')}\n${signal('RailStand', 8)}\n${signal('IsCharging1', 16)}`,
    );
    const targets = (list: { to: string }[]) => list.map(({ to }) => to);
    for (const [serial, kind, mapped, proposed] of [
      ['F-11', 'machine', ['IsCharging1'], []],
      ['L-11', 'logger', ['Spoor', 'IsCharging1'], ['Spoorstand']],
    ] as const) {
      const answer = (await a.upload(serial, file)).json;
      expect(answer.kind).toBe(kind);
      expect(targets(answer.mapping.signals)).toEqual(mapped);
      expect(targets(answer.proposals)).toEqual(proposed);
      expect(answer.unmapped.includes('Spoorstand')).toBe(kind === 'logger');
      expect(await view(serial)).toEqual(answer);
      expect((await setMapping(serial, answer.mapping)).json).toEqual({
        ...answer,
        version: expect.any(Number),
      });
    }
  });

  test('a newer DBC keeps mappings that still resolve, lists the dropped ones, and leaves the older version unchanged (MEDIT-12)', async () => {
    await a.machine('F-2');
    const first = (await a.upload('F-2', BATTERY_DBC)).json.version;
    await setMapping('F-2', { signals: [SOC1, PACK], keep: [{ bus: 0, message: 'DRV_Status' }] });
    const newer = message(500, 'BMS_Status', `${signal('soc1')}\n${signal('MotorSpeed', 8)}`);
    const answer = await a.upload('F-2', newer);
    expect(answer.json.mapping).toEqual({
      signals: [SOC1, { bus: 0, message: 'BMS_Status', signal: 'MotorSpeed', to: 'MotorSpeed' }],
      keep: [],
    });
    expect(answer.json.buses[0].warnings).toEqual([
      'Koppeling PackI → BatteryCurrent is vervallen: het signaal is er niet meer.',
      'Bewaren van DRV_Status (can0) is vervallen: het bericht is er niet meer.',
    ]);
    const { rows } = await a.portal.pool.query('select dbc from definition_bus where definition_id = $1', [
      first,
    ]);
    expect(rows[0].dbc).toBe(BATTERY_DBC);
  });

  test('each bus has one DBC, and a mapping stored without a bus gets the bus of its signal when a second bus gets a signal of that name (MEDIT-12)', async () => {
    await a.machine('F-3');
    await a.upload('F-3', BATTERY_DBC);
    await setMapping('F-3', { signals: [{ signal: 'soc1', to: 'Soc2' }] });
    const answer = await a.upload('F-3', BATTERY_DBC, { bus: 2, name: 'C:\\dbc\\<twee>.dbc' });
    expect(answer.json.buses.map(({ bus, name }: { bus: number; name: string }) => [bus, name])).toEqual([
      [0, 'accu.dbc'],
      [2, '_twee_.dbc'],
    ]);
    expect(answer.json.mapping.signals).toEqual([
      { ...SOC1, to: 'Soc2' },
      { ...SOC1, bus: 2 },
    ]);
    const rest = await a.call('POST /api/machine/dbc/delete', { body: { serial: 'F-3', bus: 0 } });
    expect([rest.status, rest.json.mapping.signals]).toEqual([200, [{ ...SOC1, bus: 2 }]]);
    expect((await a.call('POST /api/machine/dbc/delete', { body: { serial: 'F-3', bus: 0 } })).status).toBe(
      404,
    );
    const none = await a.call('POST /api/machine/dbc/delete', { body: { serial: 'F-3' } });
    expect(none.json).toMatchObject({ version: 0, buses: [], mapping: { signals: [], keep: [] } });
  });

  test.each<[string, () => string | Buffer, RegExp]>([
    ['text that is no DBC', () => 'hello', /regel 1: geen enkel bericht/],
    ['a broken line', () => `BO_ 1 A: 8 X\n SG_ s : 0|8@1+ (1,0 [0|0] "" X\n`, /^accu\.dbc, regel 2: .+\.$/],
    ['messages without signals', () => 'BO_ 1 A: 8 X\n', /bevat geen enkel leesbaar signaal/],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /is geen tekst/],
    ['nothing', () => '', /Het bestand is leeg/],
  ])(
    'an upload of %s is rejected with the reason, and the definition stays unchanged (API-03)',
    async (_, content, reason) => {
      await a.machine('F-4');
      const before = await a.upload('F-4', BATTERY_DBC);
      const answer = await a.upload('F-4', content());
      expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(reason)]);
      expect(await view('F-4')).toEqual({ ...before.json, version: expect.any(Number) });
    },
  );

  test('a DBC with bad lines is accepted, and the answers list what is not read (43.7)', async () => {
    await a.machine('F-6');
    const text = `${message(1, 'A', `${signal('s')}\n${signal('m m', 8)}`)}${message(1, 'B', signal('t'))}`;
    const answer = await a.upload('F-6', text);
    expect([answer.status, answer.json.buses[0].unreadable]).toEqual([
      200,
      [
        "regel 3, signaal m van A: onbekende multiplexaanduiding 'm'",
        'regel 4, bericht B heeft hetzelfde nummer als A',
      ],
    ]);
    const signals = answer.json.buses[0].messages.map((one: { signals: object[] }) => one.signals);
    expect(signals).toMatchObject([[{ name: 's' }, { name: 'm', unreadable: expect.any(String) }]]);
    expect(await view('F-6')).toEqual(answer.json);
    const refused = await setMapping('F-6', { signals: [{ signal: 'm', to: 'Soc1' }] });
    expect([refused.status, refused.message]).toEqual([
      400,
      "Signaal m kan niet gelezen worden: onbekende multiplexaanduiding 'm'.",
    ]);
  });

  test('a truncated data URL, a bus 4, and a bit rate of 0 are rejected (API-03)', async () => {
    await a.machine('F-5');
    const file = `data:;base64,${Buffer.from(BATTERY_DBC).toString('base64').slice(0, -3)}`;
    expect((await a.upload('F-5', '', { file })).status).toBe(400);
    expect((await a.upload('F-5', BATTERY_DBC, { bus: 4 })).status).toBe(400);
    expect((await a.upload('F-5', BATTERY_DBC, { bitrate: 0 })).status).toBe(400);
  });

  test.each<[string, (text: string) => Buffer]>([
    ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('a DBC in %s is read (MEDIT-12)', async (name, encode) => {
    const serial = `F-${name.slice(-4)}`;
    await a.machine(serial);
    const text = `${BATTERY_DBC}\nCM_ SG_ 500 CelTemp "Celtemperatuur in °C, één";\n`;
    const answer = await a.upload(serial, encode(text));
    expect(answer.json.buses[0].messages[0].signals[3]).toMatchObject({
      comment: 'Celtemperatuur in °C, één',
    });
  });

  test('the data definition of a machine without a logger applies to the next logger that is bound to it (MEDIT-12)', async () => {
    await a.create('F-7');
    const nothing = await setMapping('F-7', {});
    expect([nothing.status, nothing.message]).toEqual([409, 'Upload eerst een DBC-bestand.']);
    const uploaded = await a.upload('F-7', BATTERY_DBC);
    expect(uploaded.status).toBe(200);
    await a.bind('F-7', validMachineForm('F-7').influx_serial);
    const bound = await a.call('GET /api/machine/dbc/F-7');
    expect([bound.json.buses, bound.json.mapping]).toEqual([uploaded.json.buses, uploaded.json.mapping]);
    expect((await a.call('GET /api/machine/config/create', { query: { serienummer: 'F-7' } })).status).toBe(
      200,
    );
    // The logger is released, the definition emptied, and the logger bound again: the definition stays empty.
    await a.call('POST /api/machine/writer/release', { body: { serial: 'F-7' } });
    expect((await a.call('POST /api/machine/dbc/delete', { body: { serial: 'F-7' } })).status).toBe(200);
    await a.bind('F-7', validMachineForm('F-7').influx_serial);
    expect((await a.call('GET /api/machine/dbc/F-7')).json.buses).toEqual([]);
  });
});

test.each([
  ['opening brackets', '['.repeat(6_000_000) + ']'.repeat(6_000_000)],
  ['empty objects', `[${Array(4_000_000).fill('{}').join()}]`],
  ['names', `{${Array.from({ length: 900_000 }, (_, n) => `"k${n}":0`).join()}}`],
])('a body of 12 MB of %s is rejected before it is parsed (41.1)', async (_what, body) => {
  const parse = vi.spyOn(JSON, 'parse');
  const answer = await a.portal.app.inject({
    method: 'POST',
    url: '/api/machine/dbc/upload',
    body,
    headers: { 'content-type': 'application/json', cookie: a.admin },
  });
  const parsed = parse.mock.calls.map(([text]) => text.length);
  parse.mockRestore();
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'De aanvraag is onleesbaar.']);
  expect(Math.max(0, ...parsed)).toBeLessThan(body.length);
});
