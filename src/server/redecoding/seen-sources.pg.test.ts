import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

/** A DBC with one message, 0x18FF61FE. Its source address FE means that the message may come from any source. */
const DBC = `BO_ 2566873598 Pack: 8 X
 SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X
BA_ "ProtocolType" "J1939";
`;
const CHARGE = { bus: 0, message: 'Pack', signal: 'Charge' };
const map = (serial: string, signals: object[]) =>
  a.call('POST /api/machine/dbc/mapping', { body: { serial, mapping: { signals, keep: [] } } });
const seen = async (serial: string) => (await a.call(`GET /api/machine/dbc/${serial}/sources`)).json;

let second = 0;
/** Uploads a log file with these frames, all in the present second, and returns the charge levels that were stored for that second. */
async function upload(serial: string, frames: readonly string[]) {
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  const logger = await a.loggerOf(serial);
  await a.portal.untilNotified();
  second = Math.max(second + 1, Math.ceil(Date.now() / 1000));
  a.fleet.clock = second * 1000 + 1_000;
  const lines = frames.map((frame) => `(${second}.000000) can0 ${frame}\n`);
  await a.fleet.put(logger, `1/${second}.log`, lines.join(''));
  const now = { from: second * 1000, to: second * 1000 + 1 };
  return (await storedRows(a.portal.pool, logger.streamId, ['soc1', 'soc2'], now))[0];
}

test('the source addresses in log files are listed, and a mapping with a source address uses only values from that address (42.3)', async () => {
  await a.machine('S-1');
  await a.upload('S-1', DBC);
  expect((await map('S-1', [{ ...CHARGE, to: 'Soc1' }])).status).toBe(200);
  expect(await seen('S-1')).toMatchObject({ files: 0, messages: [] });
  expect(await upload('S-1', ['18FF61F4#C8', '18FF61F3#64'])).toEqual({ soc1: 80, soc2: null });
  // The signal keeps its source F4 in the next file, although a frame of F3 comes first.
  expect(await upload('S-1', ['18FF61F3#64', '18FF61F4#C8', '18FF61F4#FF'])).toEqual({
    soc1: 80,
    soc2: null,
  });
  expect(await seen('S-1')).toEqual({
    files: 2,
    messages: [
      {
        bus: 0,
        identifier: '0x18FF61FE',
        sources: [
          { source: 0xf3, frames: 2 },
          { source: 0xf4, frames: 3 },
        ],
      },
    ],
    absent: [{ name: 'Soc1', notAvailable: 1, errors: 0 }],
    held: [{ name: 'Soc1', source: 0xf4 }],
    dropped: 0,
  });

  const packs = [
    { ...CHARGE, source: 0xf3, to: 'Soc1' },
    { ...CHARGE, source: 0xf4, to: 'Soc2' },
  ];
  expect((await map('S-1', packs)).status).toBe(200);
  expect(await upload('S-1', ['18FF61F4#C8', '18FF61F3#64'])).toEqual({ soc1: 40, soc2: 80 });
  const { versions } = (await a.call('GET /api/machine/dbc/S-1/versions')).json;
  expect(JSON.stringify(versions[0])).toContain('van afzender F3');
});

test('a kept J1939 signal, whose stored name contains the source address, has the unit of its DBC (42.3)', async () => {
  await a.machine('S-6');
  await a.upload('S-6', DBC);
  await a.call('POST /api/machine/dbc/mapping', {
    body: { serial: 'S-6', mapping: { signals: [], keep: [{ bus: 0, message: 'Pack' }] } },
  });
  await upload('S-6', ['18FF61F4#C8', '18FF61F3#64', '18FF61F4#C8']);
  const signals = (await a.call('GET /api/influx/signals/S-6?start=-1h')).json;
  expect(signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Charge@F3', unit: '%' }),
      expect.objectContaining({ name: 'Charge@F4', unit: '%' }),
    ]),
  );
});

test('re-decoding replaces the report of sources and errors in a file, and stores only values from the mapped source (42.3)', async () => {
  await a.machine('S-2');
  await a.upload('S-2', DBC);
  await map('S-2', [{ ...CHARGE, to: 'Soc1' }]);
  expect(await upload('S-2', ['18FF61F4#C8', '18FF61F3#FE'])).toEqual({ soc1: 80, soc2: null });
  expect(await seen('S-2')).toMatchObject({ absent: [{ name: 'Soc1', notAvailable: 0, errors: 1 }] });
  await map('S-2', [{ ...CHARGE, source: 0xf4, to: 'Soc2' }]);
  await a.call('POST /api/machine/dbc/redecode', { body: { serial: 'S-2', preview: false } });
  await expect
    .poll(async () => (await a.call('GET /api/machine/dbc/S-2/redecode')).json.redecoding.state, {
      timeout: 20_000,
    })
    .toBe('done');
  const logger = await a.loggerOf('S-2');
  const rows = await storedRows(a.portal.pool, logger.streamId, ['soc1', 'soc2']);
  expect(rows).toEqual([{ soc1: null, soc2: 80 }]);
  expect(await seen('S-2')).toMatchObject({ files: 1, absent: [], held: [] });
});

test('a mapping with a source address is refused if its bus is not J1939, if the address is invalid, or if its message can have one source only (42.3)', async () => {
  await a.machine('S-3');
  await a.upload('S-3', `${DBC}BO_ 2566873332 Own: 8 X\n SG_ One : 0|8@1+ (1,0) [0|0] "" X\n`);
  const withSource = { ...CHARGE, source: 0xf3, to: 'Soc1' };
  expect((await map('S-3', [{ ...withSource, source: 254 }])).status).toBe(400);
  const own = await map('S-3', [{ bus: 0, message: 'Own', signal: 'One', source: 1, to: 'Soc1' }]);
  expect(own).toMatchObject({ status: 400, json: { message: expect.stringContaining('elke afzender') } });
  expect((await map('S-3', [withSource])).status).toBe(200);
  // A choice that would make the mapping meaningless is refused, and nothing changes.
  const none = await a.call('POST /api/machine/dbc/j1939', {
    body: { serial: 'S-3', bus: 0, j1939: 'none' },
  });
  expect(none.status).toBe(400);
  expect((await a.call('GET /api/machine/dbc/S-3')).json.buses[0].j1939).toBe('dbc');
});

test('single messages of a DBC file can be chosen as J1939, and a message that the file lacks is refused (42.1)', async () => {
  await a.machine('S-4');
  await a.upload('S-4', DBC.replace(/BA_.*\n/, ''));
  const choose = (messages: string[]) =>
    a.call('POST /api/machine/dbc/j1939', { body: { serial: 'S-4', bus: 0, j1939: 'some', messages } });
  expect((await choose(['0x18FF62FE'])).status).toBe(400);
  const chosen = await choose(['0x18FF61FE']);
  expect(chosen.json.buses[0].messages).toMatchObject([{ name: 'Pack', isJ1939: true, isOfAnySource: true }]);
  await map('S-4', [{ ...CHARGE, to: 'Soc1' }]);
  expect(await upload('S-4', ['0CFF6117#64'])).toEqual({ soc1: 40, soc2: null });
  const { versions } = (await a.call('GET /api/machine/dbc/S-4/versions')).json;
  expect(JSON.stringify(versions[1])).toContain('J1939: nee → gekozen berichten (0x18FF61FE)');
});

test('a J1939 value that means not available or reserved is left out of the stored snapshot (42.4)', async () => {
  await a.machine('S-5');
  await a.upload('S-5', DBC);
  await map('S-5', [{ ...CHARGE, to: 'Soc1', factor: 0.5 }]);
  await a.call('POST /api/machine/writer/key', { body: { serial: 'S-5' } });
  const logger = await a.loggerOf('S-5');
  await a.portal.untilNotified();
  const sent = async (Soc1: number) => {
    second = Math.max(second + 1, Math.ceil(Date.now() / 1000));
    a.fleet.clock = second * 1000 + 1_000;
    const body = JSON.stringify({ GMT_UNIX: second, Soc1, BatteryVoltage: 400 });
    await a.fleet.put(logger, `1/${second}_snapshot.json`, body);
    const now = { from: second * 1000, to: second * 1000 + 1 };
    return (await storedRows(a.portal.pool, logger.streamId, ['soc1', 'battery_voltage'], now))[0];
  };
  // Raw values 0xFF (not available) and 0xFB (reserved), times 0.4 and 0.5, as 32-bit floats; 0xFA, 50 %, is the highest valid value.
  expect(await sent(Math.fround(51))).toEqual({ soc1: null, battery_voltage: 400 });
  expect(await sent(Math.fround(50.2))).toEqual({ soc1: null, battery_voltage: 400 });
  expect(await sent(50)).toEqual({ soc1: 50, battery_voltage: 400 });
  await a.call('POST /api/machine/dbc/mapping', {
    body: { serial: 'S-5', mapping: { signals: [], keep: [{ bus: 0, message: 'Pack' }] } },
  });
  await a.portal.untilNotified();
  expect(await sent(51)).toEqual({ soc1: 51, battery_voltage: 400 });
});
