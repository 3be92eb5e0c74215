import { describe, expect, test } from 'vitest';
import type { Mapping } from '#shared/contract/definition.ts';
import { exactNumber } from '#shared/domain/nl.ts';
import {
  bestProposals,
  chosen,
  type DraftRow,
  draftOf,
  factorFault,
  faultCount,
  type MappingDraft,
  mappingOf,
  offsetFault,
  ownNameFault,
  readFactor,
  unsavedProposals,
  withProposals,
} from './mapping-draft.ts';
import { indexSignals } from './signal-index.ts';

const MAPPING: Mapping = {
  signals: [
    { bus: 0, message: 'BMS', signal: 'SocDisp', to: 'Soc1' },
    { bus: 0, message: 'BMS', signal: 'PackI', to: 'BatteryCurrent', factor: -0.1, offset: 2 },
    { signal: 'Oil', to: 'OilTemperature' },
  ],
  keep: [{ bus: 0, message: 'BMS' }],
};
const BASE = draftOf({ kind: 'logger', mapping: MAPPING });
const withRow = (draft: MappingDraft, to: string, change: Partial<DraftRow>): MappingDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.to === to ? { ...row, ...change } : row)),
});
/** The signals of one message, with their units. */
const indexOf = (message: string, ...signals: readonly (readonly [name: string, unit?: string])[]) =>
  indexSignals([
    {
      bus: 0,
      bitrate: 250_000,
      name: 'a.dbc',
      j1939: 'none',
      j1939Proposed: null,
      unreadable: [],
      warnings: [],
      messages: [
        {
          identifier: '0x1',
          name: message,
          signals: signals.map(([name, unit = '']) => ({ name, unit, factor: 1, min: 0, max: 0 })),
        },
      ],
    },
  ]);
const rowOf = (draft: MappingDraft, to: string) => draft.rows.find((row) => row.to === to);

test('MEDIT-12 one row per signal of ours, then the own names; sent as it came', () => {
  expect(BASE.rows.slice(0, 2).map(({ to }) => to)).toEqual(['LATITUDE', 'LONGITUDE']);
  expect(BASE.rows).toHaveLength(21);
  expect(BASE.rows.at(-1)?.to).toBe('OilTemperature');
  expect(rowOf(BASE, 'BatteryCurrent')).toMatchObject({ factor: '-0,1', offset: '2' });
  const sent = mappingOf(BASE);
  expect(sent.keep).toEqual(MAPPING.keep);
  expect(sent.signals).toHaveLength(3);
  expect(sent.signals).toEqual(expect.arrayContaining([...MAPPING.signals]));
});

test.each<[string, 'machine' | 'logger', string[], string[]]>([
  ['an LMB logger', 'logger', [], ['Machinestatus', 'Spoor', 'Spoorstand']],
  ['a machine', 'machine', [], []],
  ['a machine that has one mapped', 'machine', ['Spoor'], ['Spoor']],
])('MEDIT-12 12.A11 the codes of rail work have a row for %s', (_, kind, mapped, expected) => {
  const signals = mapped.map((to) => ({ bus: 0, message: 'M', signal: 'x', to }));
  const draft = draftOf({ kind, mapping: { signals, keep: [] } });
  const codes = draft.rows.filter(({ to }) => ['Machinestatus', 'Spoor', 'Spoorstand'].includes(to));
  expect(codes.map(({ to }) => to)).toEqual(expected);
  expect(mappingOf(draft).signals).toEqual(signals);
});

test('MEDIT-12 what was typed is sent as numbers; 1 and 0 need not be said', () => {
  const draft = withRow(withRow(BASE, 'Soc1', { factor: '0,5', offset: '-40' }), 'BatteryCurrent', {
    factor: '1,0',
    offset: '0',
  });
  const sent = mappingOf(draft).signals;
  expect(sent.find(({ to }) => to === 'Soc1')).toMatchObject({ factor: 0.5, offset: -40 });
  expect(sent.find(({ to }) => to === 'BatteryCurrent')).toEqual({
    bus: 0,
    message: 'BMS',
    signal: 'PackI',
    to: 'BatteryCurrent',
  });
});

describe('faults', () => {
  const index = indexOf('BMS', ['SocDisp'], ['PackI'], ['Oil']);
  test.each<[string, MappingDraft, number]>([
    ['none', BASE, 0],
    ['a factor of 0', withRow(BASE, 'Soc1', { factor: '0' }), 1],
    ['words for an offset', withRow(BASE, 'Soc1', { offset: 'x' }), 1],
    ['a factor of 0 without a source', withRow(BASE, 'Soc2', { factor: '0' }), 0],
    [
      'a signal that is gone',
      withRow(BASE, 'Soc1', { source: { bus: 0, message: 'BMS', signal: 'Old' } }),
      1,
    ],
    ['an own name without a signal', withRow(BASE, 'OilTemperature', { source: undefined }), 1],
    ['two', withRow(withRow(BASE, 'Soc1', { factor: '0' }), 'BatteryCurrent', { factor: 'x' }), 2],
  ])('MEDIT-12 %s', (_, draft, count) => expect(faultCount(draft, index)).toBe(count));

  test.each([
    ['Koelwater', undefined],
    ['Accu', /^Accu is geen signaal van het portaal\. Bedoel je BatteryCurrent \(Accustroom\)/],
    [' OilTemperature ', /staat er al/],
    ['Soc1', /staat er al/],
    ['GMT_UNIX', /tijd/],
    ['', /naam/],
    ['x'.repeat(65), /64/],
    ['soc1', /Bedoel je Soc1\?/],
    ['SOC_2', /Bedoel je Soc2\?/],
  ])('MEDIT-12 own name %j', (name, fault) => {
    const found = ownNameFault(name, BASE);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});

test.each<[string, number | undefined]>([
  ['0,1', 0.1],
  [' 0.1 ', 0.1],
  ['-40', -40],
  ['−40', -40],
  ['+2', 2],
  ['1,', 1],
  [',5', 0.5],
  ['1e-7', 1e-7],
  ['1,5E3', 1500],
  ['', undefined],
  ['-', undefined],
  [',', undefined],
  ['1.125', 1.125],
  ['1.000,5', 1000.5],
  ['12abc', undefined],
  ['0x10', undefined],
  ['1e999', undefined],
  ['Infinity', undefined],
])('MEDIT-12 a factor typed as %j is %s', (text, value) => {
  expect(readFactor(text)).toBe(value);
});

test.each([0.1, -40, 1e-7, 1.5e22, 0.0039, 3])('MEDIT-12 %d is read back as it was shown', (value) => {
  expect(readFactor(exactNumber(value))).toBe(value);
});

test.each([
  ['', undefined, undefined],
  ['2,5', undefined, undefined],
  ['0', /niet 0/, undefined],
  ['0,000', /niet 0/, undefined],
  ['1e-400', /niet 0/, undefined],
  ['veel', /getal/, /getal/],
] as const)('MEDIT-12 %j as a factor and as an offset', (text, factor, offset) => {
  for (const [fault, expected] of [
    [factorFault(text), factor],
    [offsetFault(text), offset],
  ] as const) {
    if (expected) expect(fault).toMatch(expected);
    else expect(fault).toBeUndefined();
  }
});

describe('all proposals at once', () => {
  const index = indexOf('BMS', ['SocDisp'], ['SocReal'], ['PackV'], ['Lat']);
  const at = { bus: 0, message: 'BMS' };
  const base = {
    kind: 'machine',
    mapping: { signals: [{ ...at, signal: 'SocReal', to: 'Soc2' }], keep: [] },
    proposals: [
      { ...at, signal: 'Lat', to: 'LATITUDE' },
      { ...at, signal: 'SocDisp', to: 'Soc1' },
      { ...at, signal: 'SocDisp', to: 'Soc2' },
      { ...at, signal: 'SocDisp', to: 'Soc3' },
      { ...at, signal: 'PackV', to: 'BatteryVoltage' },
      { ...at, signal: 'SocReal', to: 'Soc4' },
    ],
  } as const satisfies Parameters<typeof unsavedProposals>[0];
  const draft = draftOf(base);
  const best = bestProposals([...base.proposals], draft, index);
  const taken = withProposals(draft, best, index);

  test('54.5c takes the best proposal of each open row, no DBC signal twice, none for the GPS', () => {
    expect([...best].map(([to, { signal: from }]) => `${to} ${from}`)).toEqual([
      'BatteryVoltage PackV',
      'Soc1 SocDisp',
    ]);
    expect(rowOf(taken, 'Soc1')?.source).toEqual({ ...at, signal: 'SocDisp' });
    expect(rowOf(taken, 'Soc2')?.source).toEqual({ ...at, signal: 'SocReal' });
    expect(bestProposals([...base.proposals], taken, index).size).toBe(0);
  });

  test('54.5c marks each until it is saved, cleared or fed by something else', () => {
    const names = (now: MappingDraft, from: Parameters<typeof unsavedProposals>[0] = base) =>
      [...unsavedProposals(from, now, index)].join();
    expect(names(draft)).toBe('');
    expect(names(taken)).toBe('BatteryVoltage,Soc1');
    expect(names(withRow(taken, 'Soc1', { factor: '0,5' }))).toBe('BatteryVoltage,Soc1');
    expect(names(withRow(taken, 'Soc1', { source: undefined }))).toBe('BatteryVoltage');
    expect(names(withRow(taken, 'Soc1', { source: { signal: 'SocReal' } }))).toBe('BatteryVoltage');
    expect(names(taken, { ...base, mapping: mappingOf(taken) })).toBe('');
  });
});

describe('55.20 choosing a DBC signal in another unit', () => {
  const index = indexOf('VEH', ['Mph', 'MPH'], ['Kmh', 'km/h'], ['Ms', 'm/s']);
  const row = (name?: string, factor = '', offset = ''): DraftRow => ({
    to: 'Speed',
    source: name === undefined ? undefined : { bus: 0, message: 'VEH', signal: name },
    factor,
    offset,
  });
  const choosing = (before: DraftRow, name: string) => {
    const signal = index.byName.get(name)?.[0];
    return { ...before, ...(signal && chosen(before, signal, index)) };
  };

  test.each<[string, DraftRow, string, DraftRow]>([
    ['sets the factor that converts it', row(), 'Mph', row('Mph', '1,609344')],
    ['puts it in the place of the one before', row('Mph', '1,609344'), 'Ms', row('Ms', '3,6')],
    ['takes it away with the unit', row('Mph', '1,609344'), 'Kmh', row('Kmh')],
    ['leaves what was typed for our own unit', row('Kmh', '-1', '2'), 'Kmh', row('Kmh', '-1', '2')],
    ['replaces what was typed for another unit', row('Kmh', '-1', '2'), 'Mph', row('Mph', '1,609344')],
  ])('%s', (_, before, name, expected) => {
    expect(choosing(before, name)).toEqual(expected);
  });

  test('an own name keeps the unit of its signal', () => {
    const own = { ...row(), to: 'Kruipsnelheid' };
    expect(choosing(own, 'Mph')).toEqual({ ...row('Mph'), to: 'Kruipsnelheid' });
  });
});
