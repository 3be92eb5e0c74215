import { describe, expect, test } from 'vitest';
import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { absentRawValues } from './absent-raw-values.ts';
import { isEcuAddress, pgnOf, sourceAddressOf } from './identifier.ts';
import { j1939MessagesMarkedByFile } from './messages-of-dbc.ts';

describe('the parts of an identifier (42.1)', () => {
  test.each([
    // EEC1 of the engine, with two priorities.
    [0x0cf00400, 0xf004, 0x00],
    [0x18f00400, 0xf004, 0x00],
    // Proprietary A to address 0x21 and to all ECUs, which is one group.
    [0x18ef2110, 0xef00, 0x10],
    [0x18efff10, 0xef00, 0x10],
    // Identifiers of data page 1, and of the extended data page.
    [0x19f80102, 0x1f801, 0x02],
    [0x1b000003, 0x30000, 0x03],
  ])('an identifier has its group and source: %i', (id, group, source) => {
    expect([pgnOf(id), sourceAddressOf(id)]).toEqual([group, source]);
  });
  test('an identifier with the source address 254 or 255 has no source', () => {
    expect([0, 253, 254, 255].map(isEcuAddress)).toEqual([true, true, false, false]);
  });
});

describe('the messages of a DBC that are J1939 (42.1)', () => {
  const BODY = `BO_ 2364540158 EEC1: 8 X\n SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\nBO_ 2566844926 Own: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\nBO_ 256 Small: 8 X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n`;
  const DEFINED = 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";\n';
  const keys = (attributes: string): number[] => {
    const text = BODY + attributes;
    return [...j1939MessagesMarkedByFile(text, parseDbc(text))];
  };
  test.each([
    ['nothing is said', '', []],
    ['the whole file is', 'BA_ "ProtocolType" "J1939";\n', [2364540158, 2566844926]],
    ['it is so by default', 'BA_DEF_DEF_ "ProtocolType" "j1939";\n', [2364540158, 2566844926]],
    ['another default', 'BA_DEF_DEF_ "ProtocolType" "J1939";\nBA_ "ProtocolType" "CAN";\n', []],
    ['one message is', `${DEFINED}BA_ "VFrameFormat" BO_ 2364540158 3;\n`, [2364540158]],
    ['by name', `${DEFINED}BA_ "VFrameFormat" BO_ 2364540158 "J1939PG";\n`, [2364540158]],
    [
      'one is not',
      `${DEFINED}BA_ "ProtocolType" "J1939";\nBA_ "VFrameFormat" BO_ 2566844926 1;\n`,
      [2364540158],
    ],
    ['the format by default', `${DEFINED}BA_DEF_DEF_ "VFrameFormat" "J1939PG";\n`, [2364540158, 2566844926]],
    [
      'an order of its own',
      'BA_DEF_ BO_ "VFrameFormat" ENUM "J1939PG","ExtendedCAN";\nBA_ "VFrameFormat" BO_ 2364540158 0;\n',
      [2364540158],
    ],
  ])('the J1939 messages of a DBC are determined by its attributes: %s', (_, attributes, expected) => {
    expect(keys(attributes)).toEqual(expected);
  });
});

const signal = (bitCount: number, more: Partial<DbcSignal> = {}): DbcSignal => ({
  name: 'S',
  startBit: 0,
  bitCount,
  bigEndian: false,
  signed: false,
  float: 0,
  factor: 1,
  offset: 0,
  min: 0,
  max: 0,
  unit: '',
  ...more,
});

describe('the first raw value that is no measurement (42.4)', () => {
  test.each<[number, Partial<DbcSignal>, number]>([
    [1, {}, Number.POSITIVE_INFINITY],
    [2, {}, 2],
    [2, { max: 3 }, Number.POSITIVE_INFINITY],
    [2, { max: 3, values: new Map([[3, 'Not available']]) }, 2],
    [4, {}, 15],
    [8, {}, 0xfb],
    [8, { max: 250 }, 0xfb],
    [8, { max: 255 }, Number.POSITIVE_INFINITY],
    [8, { factor: 0.4, max: 100 }, 0xfb],
    [8, { factor: 1, offset: -125, min: -125, max: 125 }, 0xfb],
    [8, { factor: -1, min: -250, max: 0 }, 0xfb],
    [8, { factor: -1, min: -255, max: 0 }, Number.POSITIVE_INFINITY],
    [12, {}, 0xfb0],
    [16, {}, 0xfb00],
    [16, { factor: 0.125, max: 8031.875 }, 0xfb00],
    [16, { factor: 0.125, max: 8191.875 }, Number.POSITIVE_INFINITY],
    [32, {}, 0xfb000000],
    [64, {}, 0xfb * 2 ** 56],
    [8, { signed: true }, Number.POSITIVE_INFINITY],
    [32, { float: 32 }, Number.POSITIVE_INFINITY],
  ])(
    'the first raw value that is no measurement is right for a signal of %i bits, %j',
    (bitCount, more, first) => {
      expect(absentRawValues(signal(bitCount, more))?.first ?? Number.POSITIVE_INFINITY).toBe(first);
    },
  );
});

test.each([
  [2, 2, 3],
  [4, 15, 15],
  [8, 0xfe, 0xff],
  [16, 0xfe00, 0xff00],
])('the raw error values of a signal of %i bits are found (42.4)', (bitCount, firstError, afterErrors) => {
  expect(absentRawValues(signal(bitCount))).toMatchObject({ firstError, afterErrors });
});
