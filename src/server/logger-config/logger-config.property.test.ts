import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLoggerConfig } from './logger-config.ts';
import { configRequestWithMapping } from './test/config-fixture.ts';
import { readUploadSettings } from './test/upload-settings.ts';

/** Any characters, including half surrogates, and often those that are special in XML or JSON. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '&',
      ']',
      '"',
      "'",
      '\\',
      ';',
      '#',
      '\r',
      '\n',
      '\u0000',
      '\ud800',
      '🔋',
      'a',
    ),
    maxLength: 20,
  }),
);

test('a configuration contains any given texts exactly, or making it reports a problem with a message (MEDIT-11)', () => {
  let made = 0;
  const property = fc.property(anyText, anyText, anyText, anyText, (to, secret, ssid, serial) => {
    const request = configRequestWithMapping([{ signal: 'Charge', to }]);
    const upload = { ...request.upload, secret };
    const network = { kind: 'wifi', ssid, password: '' } as const;
    const config = makeLoggerConfig({ ...request, serial, upload, network });
    if (!config.ok) {
      expect(config.problems.length).toBeGreaterThan(0);
      return;
    }
    made += 1;
    const read = readUploadSettings(config.xml);
    expect(read.secret).toBe(secret);
    expect(read.snapshotNames.at(-1)).toBe(to);
  });
  fc.assert(property, { numRuns: 2000, examples: [['a]]>b', '<&>', 'werf', '...']] });
  expect(made).toBeGreaterThan(0);
});

test('a configuration is made for any factor and offset, or a problem is reported with a message (MEDIT-11)', () => {
  const property = fc.property(fc.double(), fc.double(), (factor, offset) => {
    const config = makeLoggerConfig(
      configRequestWithMapping([{ signal: 'Amps', to: 'BatteryCurrent', factor, offset }]),
    );
    expect(config.ok || config.problems.length === 1).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});
