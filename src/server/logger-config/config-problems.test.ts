import { describe, expect, test } from 'vitest';
import type { BusDefinition } from '#shared/contract/definition.ts';
import type { ConfigRequest } from './config-request.ts';
import { makeLoggerConfig } from './logger-config.ts';
import {
  BATTERY_BUS,
  CONFIG_REQUEST,
  configRequestWithMapping,
  FD_BUS,
  MOBILE_NETWORK,
  problemsOf,
} from './test/config-fixture.ts';

const soc = [{ signal: 'Charge', to: 'Soc1' }];
const withBuses = (...buses: BusDefinition[]): ConfigRequest => ({
  ...CONFIG_REQUEST,
  definition: { buses, mapping: { signals: soc, keep: [] } },
});
const withUpload = (upload: Partial<ConfigRequest['upload']>): ConfigRequest => ({
  ...CONFIG_REQUEST,
  upload: { ...CONFIG_REQUEST.upload, ...upload },
});
const wifi = (ssid: string, password: string): ConfigRequest => ({
  ...CONFIG_REQUEST,
  network: { kind: 'wifi', ssid, password },
});
const j1939 = `${BATTERY_BUS.dbc.replace('BO_ 800 Unused: 8', 'BO_ 2147484448 Unused: 12')}BA_ "ProtocolType" "J1939";\n`;
const longMessage = BATTERY_BUS.dbc.replace('BO_ 800 Unused: 8', 'BO_ 800 Unused: 65');

describe('a missing setting is a problem with a message (MEDIT-11)', () => {
  test.each<[string, ConfigRequest, RegExp]>([
    [
      'no definition',
      { ...CONFIG_REQUEST, definition: undefined },
      /^Er is geen datadefinitie: kies een vergelijkbare machine/,
    ],
    ['no DBC at all', withBuses(), /^De datadefinitie heeft geen DBC-bestand\.$/],
    ['a bus without DBC', withBuses({ ...BATTERY_BUS, dbc: ' \n' }), /^Bus can0 heeft geen DBC-bestand\.$/],
    ['a bus twice', withBuses(BATTERY_BUS, BATTERY_BUS), /^Bus can0 heeft twee DBC-bestanden\.$/],
    [
      'a bus that no logger has',
      withBuses({ ...BATTERY_BUS, bus: 4 }),
      /^Bus can4 bestaat niet op de logger/,
    ],
    [
      'a broken DBC',
      withBuses({ ...BATTERY_BUS, dbc: 'hello' }),
      /^Het DBC-bestand van can0 .*battery\.dbc, regel 1/,
    ],
    [
      'no bit rate',
      withBuses({ ...BATTERY_BUS, bitrate: 0 }),
      /^Van can0 \(battery\.dbc\) ontbreekt de bitsnelheid/,
    ],
    [
      'too fast',
      withBuses({ ...BATTERY_BUS, bitrate: 2_000_000 }),
      /^De bitsnelheid van can0 is 2000000 bit\/s/,
    ],
    [
      'nothing mapped',
      configRequestWithMapping([]),
      /^Er is geen enkel signaal gekoppeld en geen bericht om te bewaren\.$/,
    ],
    [
      'an unknown signal',
      configRequestWithMapping([{ signal: 'charge', to: 'Soc1' }]),
      /^Signaal charge bestaat niet.*bedoel je Charge\?$/,
    ],
    [
      'an unknown message',
      configRequestWithMapping([{ message: 'Nope', signal: 'Charge', to: 'Soc1' }]),
      /bericht Nope bestaat niet/,
    ],
    [
      'an unknown kept message',
      configRequestWithMapping(soc, [{ bus: 0, message: 'Nope' }]),
      /^Te bewaren bericht Nope bestaat niet op can0\.$/,
    ],
    [
      'a target twice',
      configRequestWithMapping([...soc, { signal: 'Amps', to: 'Soc1' }]),
      /hebben hetzelfde doel: Soc1/,
    ],
    [
      'an emoji in a key',
      configRequestWithMapping([{ signal: 'Charge', to: 'Soc🔋' }]),
      /^De naam Soc🔋 kan de logger niet versturen/,
    ],
    [
      'no key',
      configRequestWithMapping([{ signal: 'Charge', to: '' }]),
      /^De naam {2}kan de logger niet versturen/,
    ],
    [
      'the clock as a target',
      configRequestWithMapping([{ signal: 'Charge', to: 'GMT_UNIX' }]),
      /^GMT_UNIX is de tijd van de meting/,
    ],
    [
      'a quote in a key',
      configRequestWithMapping([{ signal: 'Charge', to: 'a"b' }]),
      /^De naam a"b kan de logger niet/,
    ],
    [
      'a control character in a key',
      configRequestWithMapping([{ signal: 'Charge', to: 'a\u0007' }]),
      /^De naam a.* kan de logger niet/s,
    ],
    [
      'a factor beyond 32 bits',
      configRequestWithMapping([{ signal: 'Charge', to: 'Soc1', factor: 1e300 }]),
      /^Signaal Charge: factor 5e\+299 of offset 0 past niet/,
    ],
    [
      'a factor that becomes nothing',
      configRequestWithMapping([{ signal: 'Charge', to: 'Soc1', factor: 1e-300 }]),
      /^Signaal Charge: factor/,
    ],
    [
      'an invalid serial',
      { ...CONFIG_REQUEST, loggerSerial: '123' },
      /^Het serienummer van de logger is zeven cijfers\.$/,
    ],
    ['no secret', withUpload({ secret: '' }), /^Het geheim van de logger ontbreekt\.$/],
    [
      'a secret that the logger would change',
      withUpload({ secret: 'gehéim' }),
      /^Het geheim van de logger kan niet in de logger/,
    ],
    [
      'an invalid certificate',
      withUpload({ rootCa: '/etc/ca.pem' }),
      /^LOGGER_ROOT_CA is geen certificaat in PEM-vorm\.$/,
    ],
    [
      'no APN',
      { ...CONFIG_REQUEST, network: { ...MOBILE_NETWORK, apn: '' } },
      /^De APN van het mobiele netwerk ontbreekt/,
    ],
    [
      'a PIN of letters',
      { ...CONFIG_REQUEST, network: { ...MOBILE_NETWORK, pin: 'abcd' } },
      /^De pincode van de simkaart is 4 tot 8 cijfers\.$/,
    ],
    ['a Wi-Fi without name', wifi('', ''), /^De naam van het wifi-netwerk is 1 tot 32 tekens\.$/],
    ['a short Wi-Fi password', wifi('werf', 'kort'), /^Het wifi-wachtwoord is 8 tot 63 tekens/],
    ['an accent in a Wi-Fi name', wifi('wérf', ''), /^De naam van het wifi-netwerk kan niet in de logger/],
  ])('a missing or wrong setting is a problem with a message: %s', (_what, request, problem) => {
    expect(problemsOf(request)).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    ['J1939', j1939, 12],
    ['no CAN FD length', longMessage, 65],
  ])('a message of several frames that the mapping needs is a problem: %s', (_what, dbc, bytes) => {
    const definition = {
      buses: [{ ...BATTERY_BUS, dbc }],
      mapping: { signals: soc, keep: [{ bus: 0, message: 'Unused' }] },
    };
    expect(problemsOf({ ...CONFIG_REQUEST, definition })).toEqual([
      `Bericht Unused op can0 is ${bytes} bytes lang: het komt in meer frames. Kies op de pagina van de datadefinitie dat het J1939 is; anders kan de logger het niet leveren.`,
    ]);
  });

  test('a message of several frames that the mapping does not need is not reported as a problem', () => {
    expect(problemsOf(withBuses({ ...BATTERY_BUS, dbc: j1939 }))).toEqual([]);
  });

  test('all problems of a configuration are listed at once, not only the first', () => {
    const definition = {
      buses: [{ ...BATTERY_BUS, bitrate: 0 }, FD_BUS],
      mapping: {
        signals: [
          { signal: 'A', to: 'a' },
          { signal: 'B', to: 'b' },
        ],
        keep: [{ bus: 1, message: 'C' }],
      },
    };
    const made = makeLoggerConfig({ ...CONFIG_REQUEST, definition, loggerSerial: '' });
    expect(made).toMatchObject({ ok: false, warnings: [] });
    expect(!made.ok && made.problems).toHaveLength(5);
  });
});

test('the first 20 of many wrong entries of a mapping are listed (MEDIT-11)', () => {
  const wrong = Array.from({ length: 60 }, (_, at) => ({
    signal: at === 0 ? 'Charge' : `no${at}`,
    to: `x${at}`,
  }));
  const problems = problemsOf(configRequestWithMapping(wrong));
  expect(problems).toHaveLength(20);
  expect([problems[0], problems[19]]).toEqual(['Signaal no1 bestaat niet.', 'Signaal no20 bestaat niet.']);
});
