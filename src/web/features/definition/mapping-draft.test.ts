import { describe, expect, test } from 'vitest';
import type { Mapping } from '#shared/contract/definition.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import {
  bestProposals,
  customNameError,
  type DraftRow,
  draftChangeForSource,
  errorCount,
  factorError,
  type MappingDraft,
  mappingDraftOf,
  mappingOf,
  offsetError,
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
const BASE = mappingDraftOf({ kind: 'logger', mapping: MAPPING });
const withRow = (draft: MappingDraft, to: string, change: Partial<DraftRow>): MappingDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.to === to ? { ...row, ...change } : row)),
});
/** Returns the index of a definition with one message that has these signals and units. */
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

test('a draft has a row for each signal of the portal, then for each custom name, and without edits the same mapping is saved (MEDIT-12)', () => {
  expect(BASE.rows.slice(0, 2).map(({ to }) => to)).toEqual(['LATITUDE', 'LONGITUDE']);
  expect(BASE.rows).toHaveLength(SIGNALS.length + 1);
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
  ['a machine with such a code mapped', 'machine', ['Spoor'], ['Spoor']],
])(
  'of the rail codes, the draft for %s has rows only for those that a logger of its kind sends or that are mapped (MEDIT-12, 12.A11)',
  (_, kind, mapped, expected) => {
    const signals = mapped.map((to) => ({ bus: 0, message: 'M', signal: 'x', to }));
    const draft = mappingDraftOf({ kind, mapping: { signals, keep: [] } });
    const codes = draft.rows.filter(({ to }) => ['Machinestatus', 'Spoor', 'Spoorstand'].includes(to));
    expect(codes.map(({ to }) => to)).toEqual(expected);
    expect(mappingOf(draft).signals).toEqual(signals);
  },
);

test('typed factors and offsets are saved as numbers; a factor of 1 and an offset of 0 are not in the saved mapping (MEDIT-12)', () => {
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

describe('errors of a draft', () => {
  const index = indexOf('BMS', ['SocDisp'], ['PackI'], ['Oil']);
  test.each<[string, MappingDraft, number]>([
    ['a valid draft', BASE, 0],
    ['a factor of 0', withRow(BASE, 'Soc1', { factor: '0' }), 1],
    ['a text as an offset', withRow(BASE, 'Soc1', { offset: 'x' }), 1],
    ['a factor of 0 without a source', withRow(BASE, 'Soc2', { factor: '0' }), 0],
    [
      'a signal that the DBC files no longer have',
      withRow(BASE, 'Soc1', { source: { bus: 0, message: 'BMS', signal: 'Old' } }),
      1,
    ],
    ['a custom name without a signal', withRow(BASE, 'OilTemperature', { source: undefined }), 1],
    [
      'two wrong factors',
      withRow(withRow(BASE, 'Soc1', { factor: '0' }), 'BatteryCurrent', { factor: 'x' }),
      2,
    ],
  ])('the errors of %s are counted (MEDIT-12)', (_, draft, count) =>
    expect(errorCount(draft, index)).toBe(count),
  );

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
  ])('the custom name %j is accepted, or refused with the reason (MEDIT-12)', (name, error) => {
    const found = customNameError(name, BASE);
    if (error) expect(found).toMatch(error);
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
])('the factor typed as %j is read as %s (MEDIT-12)', (text, value) => {
  expect(readFactor(text)).toBe(value);
});

test.each([0.1, -40, 1e-7, 1.5e22, 0.0039, 3])(
  'the factor %d is the same after formatting and parsing (MEDIT-12)',
  (value) => {
    expect(readFactor(formatExactNumber(value))).toBe(value);
  },
);

test.each([
  ['', undefined, undefined],
  ['2,5', undefined, undefined],
  ['0', /niet 0/, undefined],
  ['0,000', /niet 0/, undefined],
  ['1e-400', /niet 0/, undefined],
  ['veel', /getal/, /getal/],
] as const)('the text %j is checked as a factor and as an offset (MEDIT-12)', (text, factor, offset) => {
  for (const [error, expected] of [
    [factorError(text), factor],
    [offsetError(text), offset],
  ] as const) {
    if (expected) expect(error).toMatch(expected);
    else expect(error).toBeUndefined();
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
  const draft = mappingDraftOf(base);
  const best = bestProposals([...base.proposals], draft, index);
  const accepted = withProposals(draft, best, index);

  test('accepting all proposals gives each row without a DBC signal its best proposal, uses no DBC signal twice, and skips the position (54.5c)', () => {
    expect([...best].map(([to, { signal: from }]) => `${to} ${from}`)).toEqual([
      'BatteryVoltage PackV',
      'Soc1 SocDisp',
    ]);
    expect(rowOf(accepted, 'Soc1')?.source).toEqual({ ...at, signal: 'SocDisp' });
    expect(rowOf(accepted, 'Soc2')?.source).toEqual({ ...at, signal: 'SocReal' });
    expect(bestProposals([...base.proposals], accepted, index).size).toBe(0);
  });

  test('an accepted proposal is marked as unsaved until it is saved, cleared or replaced (54.5c)', () => {
    const names = (now: MappingDraft, from: Parameters<typeof unsavedProposals>[0] = base) =>
      [...unsavedProposals(from, now, index)].join();
    expect(names(draft)).toBe('');
    expect(names(accepted)).toBe('BatteryVoltage,Soc1');
    expect(names(withRow(accepted, 'Soc1', { factor: '0,5' }))).toBe('BatteryVoltage,Soc1');
    expect(names(withRow(accepted, 'Soc1', { source: undefined }))).toBe('BatteryVoltage');
    expect(names(withRow(accepted, 'Soc1', { source: { signal: 'SocReal' } }))).toBe('BatteryVoltage');
    expect(names(accepted, { ...base, mapping: mappingOf(accepted) })).toBe('');
  });
});

describe('choosing a DBC signal in another unit (55.20)', () => {
  const index = indexOf('VEH', ['Mph', 'MPH'], ['Kmh', 'km/h'], ['Ms', 'm/s']);
  const row = (name?: string, factor = '', offset = ''): DraftRow => ({
    to: 'Speed',
    source: name === undefined ? undefined : { bus: 0, message: 'VEH', signal: name },
    factor,
    offset,
  });
  const choosing = (before: DraftRow, name: string) => {
    const signal = index.byName.get(name)?.[0];
    return { ...before, ...(signal && draftChangeForSource(before, signal, index)) };
  };

  test.each<[string, DraftRow, string, DraftRow]>([
    ['sets the factor that converts the unit', row(), 'Mph', row('Mph', '1,609344')],
    ['replaces the factor of the previous unit', row('Mph', '1,609344'), 'Ms', row('Ms', '3,6')],
    ['removes the factor if the new signal has the portal’s unit', row('Mph', '1,609344'), 'Kmh', row('Kmh')],
    [
      'keeps a typed factor and offset for a signal in the portal’s unit',
      row('Kmh', '-1', '2'),
      'Kmh',
      row('Kmh', '-1', '2'),
    ],
    [
      'replaces a typed factor and offset for a signal in another unit',
      row('Kmh', '-1', '2'),
      'Mph',
      row('Mph', '1,609344'),
    ],
  ])('choosing a DBC signal %s', (_, before, name, expected) => {
    expect(choosing(before, name)).toEqual(expected);
  });

  test('for a custom name, choosing a DBC signal sets no factor: the values keep the unit of the DBC signal', () => {
    const own = { ...row(), to: 'Kruipsnelheid' };
    expect(choosing(own, 'Mph')).toEqual({ ...row('Mph'), to: 'Kruipsnelheid' });
  });
});
