import { expect, test } from 'vitest';
import type { LogSummary } from '#shared/contract/log-files.ts';
import {
  busesText,
  contentText,
  missingSignalsText,
  periodText,
  signalsText,
  unknownIdentifiersText,
} from './log-file-text.ts';

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

test('the content of a log file is described in one sentence (43.5)', () => {
  expect(contentText({ summary: SUMMARY, result: '3.600 metingen' })).toBe(
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
])('the sentence about a log file leaves out what the file lacks: case %# (43.5)', (summary, text) => {
  expect(contentText({ summary, result: 'ok' })).toBe(text);
});

test('texts about a log file give its period, its found and missing mapped signals, and its number of unknown identifiers (43.5)', () => {
  expect(periodText(SUMMARY)).toBe('01-06-26, 10:00 tot 10:59');
  expect(periodText({ ...SUMMARY, to: '2026-06-02T08:00:00.000Z' })).toBe(
    '01-06-26, 10:00 tot 02-06-26, 10:00',
  );
  expect(periodText({ ...SUMMARY, from: null, to: null })).toBe('--');
  expect([signalsText(SUMMARY), signalsText({ ...SUMMARY, mapped: 0 })]).toEqual(['14 van 16', '--']);
  expect([
    unknownIdentifiersText(SUMMARY),
    unknownIdentifiersText({ ...SUMMARY, unknownIdentifiers: 1_000 }),
  ]).toEqual(['2', 'minstens 1.000']);
  expect(missingSignalsText(SUMMARY)).toBe('Niet gevonden: Soc2, MotorSpeed');
  expect(missingSignalsText({ ...SUMMARY, found: 4 })).toBe('Niet gevonden: Soc2, MotorSpeed en nog 10');
  expect(missingSignalsText({ ...SUMMARY, missing: [] })).toBeUndefined();
});

test('the text about a log file names each CAN interface and its bus number, if the file has them (52.2)', () => {
  const buses = [
    { name: 'can0', bus: 0 },
    { name: 'body', bus: 1 },
  ];
  expect(busesText({ ...SUMMARY, buses })).toBe('can0 is bus 0, body is bus 1');
  expect(busesText(SUMMARY)).toBeUndefined();
  expect(contentText({ summary: { ...SUMMARY, buses }, result: 'ok' })).toMatch(
    /, can0 is bus 0, body is bus 1; ok$/,
  );
});
