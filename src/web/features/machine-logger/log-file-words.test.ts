import { expect, test } from 'vitest';
import type { LogSummary } from '#shared/contract/log-files.ts';
import {
  busWords,
  contentWords,
  missingWords,
  periodWords,
  signalWords,
  unknownWords,
} from './log-file-words.ts';

const SUMMARY: LogSummary = {
  from: '2026-06-01T08:00:00.000Z',
  to: '2026-06-01T08:59:59.000Z',
  frames: 1_234_567,
  unknownFrames: 7_200,
  unknownIdentifiers: 2,
  mapped: 16,
  found: 14,
  missing: ['Soc2', 'MotorSpeed'],
};

test('43.5 says in one sentence what was in a file', () => {
  expect(contentWords({ summary: SUMMARY, result: '3.600 metingen' })).toBe(
    '3.600 s, 1,2 miljoen frames, 14 van 16 gekoppelde signalen gevonden, 2 identifiers zonder definitie; 3.600 metingen',
  );
});

test.each([
  [
    { ...SUMMARY, frames: 1, unknownIdentifiers: 1, mapped: 0 },
    '3.600 s, 1 frame, 1 identifier zonder definitie; ok',
  ],
  [
    { ...SUMMARY, frames: 860, unknownIdentifiers: 0 },
    '3.600 s, 860 frames, 14 van 16 gekoppelde signalen gevonden; ok',
  ],
  [null, 'ok'],
])('43.5 leaves out of the sentence what there is none of: %#', (summary, words) => {
  expect(contentWords({ summary, result: 'ok' })).toBe(words);
});

test('43.5 says the period, the signals and the identifiers of a file', () => {
  expect(periodWords(SUMMARY)).toBe('01-06-26, 10:00 tot 10:59');
  expect(periodWords({ ...SUMMARY, to: '2026-06-02T08:00:00.000Z' })).toBe(
    '01-06-26, 10:00 tot 02-06-26, 10:00',
  );
  expect(periodWords({ ...SUMMARY, from: null, to: null })).toBe('--');
  expect([signalWords(SUMMARY), signalWords({ ...SUMMARY, mapped: 0 })]).toEqual(['14 van 16', '--']);
  expect([unknownWords(SUMMARY), unknownWords({ ...SUMMARY, unknownIdentifiers: 1_000 })]).toEqual([
    '2',
    'minstens 1.000',
  ]);
  expect(missingWords(SUMMARY)).toBe('Niet gevonden: Soc2, MotorSpeed');
  expect(missingWords({ ...SUMMARY, found: 4 })).toBe('Niet gevonden: Soc2, MotorSpeed en nog 10');
  expect(missingWords({ ...SUMMARY, missing: [] })).toBeUndefined();
});

test('52.2 names the interfaces of a file with their buses', () => {
  const buses = [
    { name: 'can0', bus: 0 },
    { name: 'body', bus: 1 },
  ];
  expect(busWords({ ...SUMMARY, buses })).toBe('can0 is bus 0, body is bus 1');
  expect(busWords(SUMMARY)).toBeUndefined();
  expect(contentWords({ summary: { ...SUMMARY, buses }, result: 'ok' })).toMatch(
    /, can0 is bus 0, body is bus 1; ok$/,
  );
});
