import { describe, expect, test } from 'vitest';
import { parseMapping } from './mapping.ts';

describe('three spellings of a mapping (INGEST-05)', () => {
  const signals = [{ signal: 'SocDisp', to: 'Soc1' }];
  test.each([
    ['the shorthand', { SocDisp: 'Soc1' }, { signals, keep: [] }],
    ['a list', signals, { signals, keep: [] }],
    [
      'the whole',
      { signals, keep: [{ bus: 1, message: 'M' }] },
      { signals, keep: [{ bus: 1, message: 'M' }] },
    ],
    [
      'only what is kept',
      { keep: [{ bus: 0, message: 'M' }] },
      { signals: [], keep: [{ bus: 0, message: 'M' }] },
    ],
    ['nothing', {}, { signals: [], keep: [] }],
  ])('a mapping is read in the spelling: %s', (_, json, mapping) => {
    expect(parseMapping(json)).toEqual(mapping);
  });

  test('parseMapping keeps every field of a mapping', () => {
    const entry = { bus: 3, message: 'BMS', signal: 'Curr', to: 'BatteryCurrent', factor: -1, offset: 0.5 };
    expect(parseMapping([entry]).signals).toEqual([entry]);
  });
});

test.each([
  [null, 'Een mapping is een lijst of een object.'],
  ['SocDisp', 'Een mapping is een lijst of een object.'],
  [['SocDisp'], 'Mapping, regel 1 is geen object.'],
  [[{ signal: 'A', to: 'B' }, { signal: 'A' }], "Mapping, regel 2: 'to' ontbreekt."],
  [[{ to: 'B' }], "Mapping, regel 1: 'signal' ontbreekt."],
  [[{ signal: 'A', to: 'B', bus: 4 }], "Mapping, regel 1: 'bus' is 0, 1, 2 of 3."],
  [[{ signal: 'A', to: 'B', factor: '2' }], "Mapping, regel 1: 'factor' is geen getal."],
  [[{ signal: 'A', to: 'B', faktor: 2 }], 'Mapping, regel 1 heeft een onbekend veld: faktor.'],
  [[{ signal: 'A', to: 'x'.repeat(65) }], "Mapping, regel 1: 'to' is een naam van 1 tot 64 leesbare tekens."],
  [[{ signal: 'A', to: '__proto__' }], "Mapping, regel 1: 'to' is een naam van 1 tot 64 leesbare tekens."],
  [{ A: 'GMT_UNIX' }, 'Mapping, A: GMT_UNIX is de tijd van de meting en kan geen doel zijn.'],
  [
    [
      { signal: 'SocDisp', to: 'Soc1' },
      { signal: 'PackV', to: 'Accu' },
    ],
    'Mapping, regel 2 (PackV): Accu is geen signaal van het portaal. Bedoel je BatteryCurrent (Accustroom), ',
  ],
  [
    { Snelh: 'speed' },
    'Mapping, regel 1 (Snelh): speed is geen signaal van het portaal. Bedoel je Speed (Snelheid)?',
  ],
  [
    { SocDisp: 'Soc1', BoomAngle: 'soc1' },
    'Mapping, regel 1 (SocDisp): Soc1 en soc1 zijn allebei de laadtoestand van accu 1: maar één van de twee telt.',
  ],
  [{ A: 1 }, "Mapping, A: 'to' ontbreekt."],
  [{ signals: {} }, "In de mapping is 'signals' geen lijst."],
  [{ keep: 'all' }, "In de mapping is 'keep' geen lijst."],
  [{ keep: [{ message: 'M' }] }, "Mapping, te bewaren bericht 1: 'bus' is 0, 1, 2 of 3."],
  [{ signals: [], kept: [] }, 'De mapping heeft een onbekend veld: kept.'],
])('a mapping with errors is rejected: %j (INGEST-05)', (json, message) => {
  expect(() => parseMapping(json)).toThrow(message);
  expect(() => parseMapping(json)).toThrow(expect.objectContaining({ name: 'MappingError' }));
});

test('a mapping may target a name that is no signal of the portal if values are already stored under that name (55.20)', () => {
  const signals = [{ signal: 'SocDisp', to: 'Accu' }];
  expect(parseMapping(signals, new Set(['Accu'])).signals).toEqual(signals);
});

test('two names of one battery that already have values are kept, and a third one is rejected (55.63)', () => {
  const signals = [
    { signal: 'SocDisp', to: 'SOC' },
    { signal: 'SocUser', to: 'SocUser' },
  ];
  const stored = new Set(['SOC', 'SocUser']);
  expect(parseMapping(signals, stored).signals).toEqual(signals);
  expect(() => parseMapping([...signals, { signal: 'Angle', to: 'soc1' }], stored)).toThrow(
    'Mapping, regel 3 (Angle): soc1 en SOC',
  );
});
