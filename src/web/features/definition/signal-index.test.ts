import { describe, expect, test } from 'vitest';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { findSource, indexSignals, type MappedSource, rangeText, searchSignals } from './signal-index.ts';

const signal = (name: string, more: object = {}) => ({ name, unit: '', factor: 1, min: 0, max: 0, ...more });
const bus = (number: number, messages: DefinitionBus['messages']): DefinitionBus => ({
  bus: number,
  bitrate: 250_000,
  name: 'a.dbc',
  j1939: 'none',
  j1939Proposed: null,
  messages,
  unreadable: [],
  warnings: [],
});
const BUSES = [
  bus(0, [
    {
      identifier: '0x1F4',
      name: 'BMS_Status',
      comment: 'Accu élektrisch',
      signals: [signal('Soc', { unit: '%', comment: 'Display' }), signal('Volt', { unit: 'V' })],
    },
    {
      identifier: '0x100',
      name: 'Drive',
      signals: [signal('Speed'), signal('Wide', { unreadable: 'te breed' })],
    },
  ]),
  bus(1, [
    { identifier: '0x1', name: 'Twin', signals: [signal('Speed')] },
    { identifier: '0x2', name: 'Twin', signals: [signal('Other')] },
    { identifier: '0x3', name: 'Cells', signals: [signal('Volt', { unit: 'mV' })] },
  ]),
];
const index = indexSignals(BUSES);

describe('findSource', () => {
  test.each<[string, MappedSource, string | undefined]>([
    ['bus, message and signal', { bus: 0, message: 'BMS_Status', signal: 'Volt' }, '0 BMS_Status Volt'],
    ['a name that occurs once', { signal: 'Soc' }, '0 BMS_Status Soc'],
    ['a name with its bus', { bus: 1, signal: 'Volt' }, '1 Cells Volt'],
    ['a name that occurs twice', { signal: 'Volt' }, undefined],
    ['another bus', { bus: 2, signal: 'Soc' }, undefined],
    ['another case', { signal: 'soc' }, undefined],
    ['an unreadable signal', { signal: 'Wide' }, undefined],
    ['a message name that two have', { bus: 1, message: 'Twin', signal: 'Other' }, undefined],
  ])('looks up a source by %s (MEDIT-12)', (_, source, expected) => {
    const found = findSource(index, source);
    expect(found && `${found.bus} ${found.message} ${found.signal}`).toBe(expected);
  });
});

describe('searchSignals', () => {
  const namesOf = (question: string): string[] =>
    searchSignals(index.all, question).map(({ bus: number, signal: name }) => `${number} ${name}`);
  test.each<[string, string[]]>([
    ['', ['0 Soc', '0 Volt', '0 Speed', '0 Wide', '1 Speed', '1 Other', '1 Volt']],
    ['volt', ['0 Volt', '1 Volt']],
    ['volt can1', ['1 Volt']],
    ['mv cells', ['1 Volt']],
    ['DISPLAY', ['0 Soc']],
    ['elektrisch', ['0 Soc', '0 Volt']],
    ['0x1f4 %', ['0 Soc']],
    ['bestaat niet', []],
  ])('finds signals by the text %j (MEDIT-12)', (question, expected) =>
    expect(namesOf(question)).toEqual(expected),
  );

  test('returns the proposals that match the search text first, in the order of the proposals (MEDIT-12)', () => {
    const first = [index.all[6]!, index.all[1]!];
    const idsOf = (question: string) => searchSignals(index.all, question, first).map(({ id }) => id);
    expect(idsOf('')).toEqual([6, 1, 0, 2, 3, 4, 5]);
    expect(idsOf('bms')).toEqual([1, 0]);
  });

  test('searches twenty thousand signals in less than 150 ms (MEDIT-12)', () => {
    const many = indexSignals([
      bus(
        0,
        Array.from({ length: 1_000 }, (_, m) => ({
          identifier: `0x${m.toString(16)}`,
          name: `Message_${m}`,
          comment: 'What this message is about',
          signals: Array.from({ length: 20 }, (_, s) => signal(`Signal_${m}_${s}`, { unit: 'V' })),
        })),
      ),
    ]).all;
    const startedAt = performance.now();
    expect(searchSignals(many, 'signal_999 message')).toHaveLength(20);
    expect(performance.now() - startedAt).toBeLessThan(150);
  });
});

test.each([
  [{ min: 0, max: 100, unit: '%' }, '0 tot 100 %'],
  [{ min: -40, max: 214.75, unit: '' }, '-40 tot 214,75'],
  [{ min: 0, max: 0, unit: 'V' }, 'V'],
  [{ min: 0, max: 16_000, unit: 'rpm' }, '0 tot 16.000 rpm'],
  [{ min: 0, max: 511.96875, unit: 'km/h' }, '0 tot 511,969 km/h'],
  [{ min: 0, max: 4_294_967_295, unit: '' }, '0 tot 4.294.967.295'],
  [{ min: 0, max: 0.000123, unit: 'A' }, '0 tot 0,000123 A'],
  [{ min: 0, max: 0, unit: '' }, ''],
])('the range %j is written with Dutch numbers and its unit (MEDIT-12)', (given, text) =>
  expect(rangeText(given)).toBe(text),
);
