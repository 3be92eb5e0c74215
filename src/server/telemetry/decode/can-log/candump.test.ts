import { describe, expect, test } from 'vitest';
import type { LogLineKind } from './can-frame.ts';
import { CandumpLine } from './candump.ts';

function read(line: string): { kind: LogLineKind; parsed: CandumpLine } {
  const parsed = new CandumpLine();
  const text = Buffer.from(`x${line}\n`);
  return { kind: parsed.read(text, 1, text.length - 1), parsed };
}

describe('candump lines with a frame (INGEST-05)', () => {
  test.each<[string, number, number, number, boolean, string]>([
    // Columns: line, time in ms, bus, identifier, extended, data.
    ['(1436509052.249713) can0 123#DEADBEEF', 1436509052249.713, 0, 0x123, false, 'deadbeef'],
    ['(0.000001) can3 7FF#', 0.001, 3, 0x7ff, false, ''],
    ['(1.5) vcan1 000#00', 1500, 1, 0, false, '00'],
    ['(1.000000) can0 18FEF100#0102030405060708', 1000, 0, 0x18fef100, true, '0102030405060708'],
    ['(1.000000) can0 00000123#01', 1000, 0, 0x123, true, '01'],
    ['(1.000000) can0 123#deadBEEF', 1000, 0, 0x123, false, 'deadbeef'],
    ['(1.000000) can2 123##1AABB', 1000, 2, 0x123, false, 'aabb'],
    [`(1.000000) can2 18FEF100##0${'5A'.repeat(64)}`, 1000, 2, 0x18fef100, true, '5a'.repeat(64)],
    ['(1.000000) can0 123#0102 R', 1000, 0, 0x123, false, '0102'],
    ['(1.000000) can0 123#0102 T\r', 1000, 0, 0x123, false, '0102'],
    ['(1.000000) can0 123#0102030405060708_A', 1000, 0, 0x123, false, '0102030405060708'],
    ['  (1.000000)  can12 \t123#01  ', 1000, 12, 0x123, false, '01'],
  ])('a candump line with a frame is read: %s', (line, timeMs, bus, id, extended, data) => {
    const { kind, parsed } = read(line);
    expect(kind).toBe('frame');
    const { frame } = parsed;
    expect(frame).toMatchObject({ timeMs, bus, id, extended });
    expect(Buffer.from(frame.data.subarray(0, frame.length)).toString('hex')).toBe(data);
  });
});

test.each<[string, LogLineKind]>([
  ['(1.000000) can0 123#R', 'remote'],
  ['(1.000000) can0 123#R8', 'remote'],
  ['(1.000000) can0 20000004#0000000000000000', 'error'],
  ['(1.000000) can0 3FFFFFFF#0000000000000000', 'error'],
  ['', 'blank'],
  ['   \r', 'blank'],
])('a candump line without data is recognized: %s (INGEST-05)', (line, kind) => {
  expect(read(line).kind).toBe(kind);
});

describe('truncated or damaged candump lines (INGEST-03)', () => {
  const whole = '(1436509052.249713) can0 123#DEADBEEF';
  test.each([
    ...[1, 5, 12, 18, 19, 24, 25, 27, 28].map((length) => whole.slice(0, length)),
    whole.slice(0, -1), // ends with half a byte
    '1436509052.249713 can0 123#DEADBEEF',
    '(1436509052) can0 123#DE',
    '(x.1) can0 123#DE',
    '(1.1)can0 123#DE',
    '(1.1) can 123#DE',
    '(1.1) 123#DE',
    '(1.1) can0 12#DE',
    '(1.1) can0 1234#DE',
    '(1.1) can0 800#DE', // more than 11 bits
    '(1.1) can0 40000000#DE', // more than 29 bits
    '(1.1) can0 123#DEADBEEFDEADBEEF00', // 9 bytes in a classical frame
    '(1.1) can0 123#DEXX',
    '(1.1) can0 123##',
    '(1.1) can0 123##XAA',
    `(1.1) can0 123##1${'00'.repeat(65)}`,
    '(1.1) can0 123#DE some comment',
    'can0  123   [4]  DE AD BE EF', // the terminal format
    '\u0000\u0001\u0002',
  ])('a truncated or damaged candump line is bad and throws no error: %s', (line) => {
    expect(read(line).kind).toBe('bad');
  });
});
