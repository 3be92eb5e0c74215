import { expect, test } from 'vitest';
import type { Definition } from '#shared/contract/definition.ts';
import { decodeRecordedLog, type LogBatch } from './decode/recorded-log.ts';
import { summarizeLog } from './log-summary.ts';

const DEFINITION: Definition = {
  buses: [
    { bus: 0, bitrate: 250_000, name: 'a.dbc', dbc: 'BO_ 1 A: 1 X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n' },
  ],
  mapping: {
    signals: [
      { bus: 0, message: 'A', signal: 'B', to: 'Soc1' },
      { bus: 0, message: 'A', signal: 'B', to: 'Soc2', factor: 1_000 },
    ],
    keep: [],
  },
};

/** Returns the last batch of a candump log with these frames. */
async function decoded(frames: readonly string[]): Promise<LogBatch> {
  const text = frames.map((frame, n) => `(${1_780_308_000 + n}.000000) ${frame}\n`).join('');
  let last: LogBatch | undefined;
  for await (const batch of decodeRecordedLog({
    chunks: async function* () {
      yield Buffer.from(text);
    },
    format: 'candump',
    definition: DEFINITION,
    now: Date.parse('2026-06-02T00:00:00Z'),
  }))
    last = batch;
  return last as LogBatch;
}

test('a summary counts mapped signals with a value, and names one with invalid values only (43.5)', async () => {
  expect(summarizeLog(DEFINITION, await decoded(['can0 001#32', 'can0 001#33']))).toEqual({
    from: '2026-06-01T10:00:00.000Z',
    to: '2026-06-01T10:00:01.000Z',
    frames: 2,
    unknownFrames: 0,
    unknownIdentifiers: 0,
    mapped: 2,
    found: 1,
    missing: ['Soc2'],
    buses: [{ name: 'can0', bus: 0 }],
  });
});

test('an identifier without a definition is counted once per bus, and 1,000 of them at most (43.5)', async () => {
  const few = await decoded(['can0 002#01', 'can0 002#01', 'can1 002#01', 'can0 00000002#01']);
  expect([few.stats.unknownIds, few.unknownIdentifiers]).toEqual([4, 3]);
  const ids = Array.from({ length: 1_100 }, (_, n) => `can0 ${(n + 2).toString(16).padStart(8, '0')}#01`);
  const many = await decoded(ids);
  expect([many.stats.unknownIds, many.unknownIdentifiers]).toEqual([1_100, 1_000]);
});

test('a summary of a file without usable times has no period (43.5)', async () => {
  const { from, to, frames } = summarizeLog(DEFINITION, {
    ...(await decoded(['can0 001#32'])),
    span: undefined,
  });
  expect([from, to, frames]).toEqual([null, null, 1]);
});
