import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const SIGNAL = ' SG_ MotorSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\n';
const DBC = `BO_ 2364540158 EEC1: 8 X\n${SIGNAL}`;
const SAYS_SO = `${DBC}BA_ "ProtocolType" "J1939";\n`;
const busOf = async (serial: string) => (await a.call(`GET /api/machine/dbc/${serial}`)).json.buses[0];
const choose = (serial: string, j1939: string, more: object = {}) =>
  a.call('POST /api/machine/dbc/j1939', { body: { serial, bus: 0, j1939, ...more } });

let second = 0;
/** Uploads one frame of the engine, with a time after every change of the definition, and returns the decoded motor speed. */
async function speedFrom(serial: string): Promise<number | null> {
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  const logger = await a.loggerOf(serial);
  await a.portal.untilNotified();
  // Two frames in the same second would become one reading.
  second = Math.max(second + 1, Math.ceil(Date.now() / 1000));
  const time = second;
  a.fleet.clock = time * 1000 + 1_000;
  await a.fleet.put(logger, `1/${time}.log`, `(${time}.000000) can0 0CF00400#000000402C000000\n`);
  const now = { from: time * 1000, to: time * 1000 + 1 };
  const [row] = await storedRows(a.portal.pool, logger.streamId, ['motor_speed'], now);
  return row?.motor_speed ?? null;
}

test('a DBC file that marks its J1939 messages is read as J1939, and another choice of J1939 messages makes a new version, which is logged (42.1)', async () => {
  await a.machine('J-1');
  await a.upload('J-1', SAYS_SO);
  expect(await busOf('J-1')).toMatchObject({ j1939: 'dbc', j1939Proposed: null });
  expect(await speedFrom('J-1')).toBe(1416);
  const { version } = (await a.call('GET /api/machine/dbc/J-1')).json;
  const chosen = await choose('J-1', 'none', { version });
  expect(chosen.status).toBe(200);
  expect(chosen.json.version).not.toBe(version);
  expect(chosen.json.buses[0]).toMatchObject({ j1939: 'none', j1939Proposed: 'dbc' });
  expect(await speedFrom('J-1')).toBeNull();
  const { versions } = (await a.call('GET /api/machine/dbc/J-1/versions')).json;
  expect(JSON.stringify(versions[0])).toContain('J1939: volgens het DBC-bestand → nee');
  expect((await a.audited()).map(({ action }) => action)).toContain('dbc.j1939');
  expect((await choose('J-1', 'all', { version })).status).toBe(409);
});

test('J1939 is proposed for a DBC file of 29-bit identifiers with known groups, is used only after a person chooses it, and is copied with the definition (42.1)', async () => {
  await a.machine('J-2');
  await a.upload('J-2', DBC);
  expect(await busOf('J-2')).toMatchObject({ j1939: 'none', j1939Proposed: 'all' });
  expect(await speedFrom('J-2')).toBeNull();
  await choose('J-2', 'all');
  expect(await speedFrom('J-2')).toBe(1416);
  // A definition that is copied for another machine has the choice too.
  await a.create('J-3');
  await a.bind('J-3', '7500003', 'J-2');
  expect(await busOf('J-3')).toMatchObject({ j1939: 'all' });
});

test('a choice of J1939 messages is rejected for a bus without a DBC file, and if the choice is unknown (42.1)', async () => {
  await a.machine('J-4');
  expect((await choose('J-4', 'all')).status).toBe(404);
  expect((await choose('J-4', 'soms')).status).toBe(400);
});
