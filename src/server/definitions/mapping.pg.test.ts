import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';

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
const SOC1 = { bus: 0, message: 'BMS_Status', signal: 'soc1', to: 'Soc1' };
const PACK = { bus: 0, message: 'BMS_Status', signal: 'PackI', to: 'BatteryCurrent', factor: -1, offset: 2 };

describe('the mapping', () => {
  test('a mapping with factor and offset decodes what the logger records from then on (MEDIT-12)', async () => {
    await a.machine('F-8');
    await a.upload('F-8', BATTERY_DBC);
    const answer = await setMapping('F-8', {
      signals: [SOC1, PACK],
      keep: [{ bus: 0, message: 'DRV_Status' }],
    });
    expect([answer.status, answer.json.mapping.signals]).toEqual([200, [SOC1, PACK]]);
    await a.call('GET /api/machine/config/create', { query: { serienummer: 'F-8' } });
    const logger = await a.loggerOf('F-8');
    const at = Math.floor(Date.now() / 1000) + 10;
    const frames = `(${at}.100000) can0 1F4#6400006400000000\n(${at}.200000) can0 18FEF3D4#E8030000\n`;
    await a.fleet.put(logger, 'log.candump', frames);
    const columns = ['soc1', 'battery_current', 'rest'];
    expect(await storedRows(a.portal.pool, logger.streamId, columns)).toEqual([
      { soc1: 50, battery_current: -8, rest: { Motor_Speed: 500 } },
    ]);
  });

  test.each<[string, object, RegExp]>([
    ['an unknown signal', { signals: [{ signal: 'weg', to: 'Soc1' }] }, /Signaal weg bestaat niet/],
    ['an unknown message', { signals: [{ ...SOC1, message: 'weg' }] }, /bericht weg bestaat niet op can0/],
    ['a bus without a DBC', { signals: [{ ...SOC1, bus: 1 }] }, /can1 heeft geen DBC-bestand/],
    ['one target twice', { signals: [SOC1, { ...PACK, to: 'Soc1' }] }, /hetzelfde doel: Soc1/],
    ['a factor of 0', { signals: [{ ...SOC1, factor: 0 }] }, /factor van soc1 mag niet 0 zijn/],
    ['the time as a target', { signals: [{ ...SOC1, to: 'GMT_UNIX' }] }, /is de tijd van de meting/],
    [
      'a name like one of ours',
      { signals: [SOC1, { ...PACK, to: 'Accu' }] },
      /^Mapping, regel 2 \(PackI\): Accu is geen signaal van het portaal\. Bedoel je BatteryCurrent/,
    ],
    ['no target', { signals: [{ ...SOC1, to: '' }] }, /'to' ontbreekt/],
    [
      'an unknown message to keep',
      { keep: [{ bus: 0, message: 'weg' }] },
      /Te bewaren bericht weg bestaat niet/,
    ],
  ])('a mapping with %s is rejected, and nothing changes (API-03)', async (_, mapping, reason) => {
    await a.machine('F-9');
    await a.upload('F-9', BATTERY_DBC);
    const before = await view('F-9');
    const answer = await setMapping('F-9', mapping);
    expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(reason)]);
    expect(await view('F-9')).toEqual(before);
  });

  test('the second of two administrators who change one version gets a conflict (MEDIT-12)', async () => {
    await a.machine('F-10');
    const { version } = (await a.upload('F-10', BATTERY_DBC)).json;
    const answers = await Promise.all([
      setMapping('F-10', { signals: [SOC1] }, version),
      setMapping('F-10', { signals: [PACK] }, version),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.message).toBe(
      'Iemand anders heeft de koppeling intussen gewijzigd. Laad de pagina opnieuw.',
    );
  });
});
