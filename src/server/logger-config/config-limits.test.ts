import { describe, expect, test } from 'vitest';
import type { BusDefinition } from '#shared/contract/definition.ts';
import type { ConfigRequest } from './config-request.ts';
import { makeLoggerConfig } from './logger-config.ts';
import { CONFIG_REQUEST, problemsOf } from './test/config-fixture.ts';

const withUpload = (upload: Partial<ConfigRequest['upload']>): ConfigRequest => ({
  ...CONFIG_REQUEST,
  upload: { ...CONFIG_REQUEST.upload, ...upload },
});

describe('more than the logger can hold (MEDIT-11)', () => {
  const manyMessages = (count: number, signals: number): BusDefinition => {
    const lines = Array.from(
      { length: signals },
      (_, bit) => ` SG_ s${bit} : ${bit}|1@1+ (1,0) [0|0] "" X\n`,
    ).join('');
    const messages = Array.from(
      { length: count },
      (_, id) => `BO_ ${0x8000_0000 + id} m${id}: 8 X\n${lines}`,
    );
    return { bus: 0, bitrate: 1, name: 'big.dbc', dbc: messages.join('') };
  };

  test('a mapping of more signals than a snapshot can have is reported as a problem that names their number', () => {
    const definition = (count: number) => {
      const bus = manyMessages(20, 60);
      const all = Array.from({ length: count }, (_, i) => ({
        message: `m${i % 20}`,
        signal: `s${Math.floor(i / 20)}`,
        to: `x${i}`,
      }));
      return { ...CONFIG_REQUEST, definition: { buses: [bus], mapping: { signals: all, keep: [] } } };
    };
    expect(problemsOf(definition(996))).toEqual([]);
    expect(problemsOf(definition(997))).toEqual([
      'Er zijn 997 signalen gekoppeld; een momentopname heeft er ten hoogste 996.',
    ]);
  });

  test('a configuration of more blocks than the logger can hold is reported as a problem that names their number', () => {
    const count = 32_770;
    const bus = manyMessages(count, 0);
    // All messages get the same name, because one entry in `keep` keeps every message of that name.
    const dbc = bus.dbc.replaceAll(/ m\d+:/g, ' m:');
    const definition = {
      buses: [{ ...bus, dbc }],
      mapping: { signals: [], keep: [{ bus: 0, message: 'm' }] },
    };
    expect(problemsOf({ ...CONFIG_REQUEST, definition })).toEqual([
      `De datadefinitie vraagt ${2 * count + 18} blokken; de logger kent er ten hoogste 65535.`,
    ]);
  });
});

describe('a setting that may keep a logger from connecting is a warning, and the configuration is made (MEDIT-11)', () => {
  const endpoint = (host: string, https = true) => withUpload({ endpoint: { host, port: 443, https } });
  test.each<[string, ConfigRequest, RegExp | undefined]>([
    ['all is well', CONFIG_REQUEST, undefined],
    ['localhost', endpoint('localhost'), /^Geen logger kan localhost bereiken: stel PUBLIC_URL in/],
    ['127.0.0.1', endpoint('127.0.0.1'), /^Geen logger kan 127\.0\.0\.1 bereiken/],
    ['[::1]', endpoint('[::1]'), /^Geen logger kan \[::1\] bereiken/],
    [
      'a local network over mobile',
      endpoint('192.168.1.10'),
      /^192\.168\.1\.10 is een adres op een lokaal netwerk/,
    ],
    [
      'a local network over Wi-Fi',
      { ...endpoint('192.168.1.10'), network: { kind: 'wifi', ssid: 'werf', password: '' } },
      undefined,
    ],
    ['http', endpoint('portaal.example.nl', false), /^PUBLIC_URL is http: .*onversleuteld/],
    ['no root certificate', withUpload({ rootCa: '' }), /^Zonder LOGGER_ROOT_CA/],
  ])('settings that may keep a logger from connecting give a warning: %s', (_what, request, warning) => {
    const made = makeLoggerConfig(request);
    expect(made.ok).toBe(true);
    expect(made.warnings).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)]);
  });
});
