import { describe, expect, test } from 'vitest';
import { absentRawValues } from '#server/telemetry/decode/j1939/absent-raw-values.ts';
import { ERROR_VALUE, NOT_AVAILABLE } from './dbc-signal-reader.ts';
import { compileMessage } from './frame-decoder.ts';
import { bytesFromHex, decodeFrame, parseMessageWithSignals } from './test/probe.ts';

const decode = (signals: string, data: string, rest = '', dlc = 8) =>
  Object.fromEntries(
    decodeFrame(compileMessage(parseMessageWithSignals(signals, rest, dlc)), bytesFromHex(data)),
  );

describe('decoding one signal (INGEST-04)', () => {
  test.each<[string, string, string, number]>([
    // Columns: layout, data, description, value.
    ['0|8@1+ (1,0)', 'ff', 'unsigned byte', 255],
    ['0|8@1- (1,0)', 'ff', 'signed byte', -1],
    ['4|8@1+ (1,0)', 'a1 0b', 'little endian across a byte', 0xba],
    ['0|16@1+ (1,0)', '34 12', 'little endian, two bytes', 0x1234],
    ['7|16@0+ (1,0)', '12 34', 'big endian, two bytes', 0x1234],
    ['3|8@0+ (1,0)', '0a bf', 'big endian across a byte', 0xab],
    ['0|2@0+ (1,0)', '01 80', 'big endian, one bit in each of two bytes', 3],
    ['5|1@0+ (1,0)', '20', 'big endian, one bit', 1],
    ['6|15@0- (1,0)', 'ff fe', 'big endian, signed, 15 bits', -2],
    ['7|24@0- (1,0)', '80 00 00', 'big endian, most negative', -8388608],
    ['0|32@1+ (1,0)', 'ffffffff', '32 bits, unsigned', 4294967295],
    ['0|32@1- (1,0)', 'fbffffff', '32 bits, signed', -5],
    ['0|33@1- (1,0)', 'fbffffff01', '33 bits, signed', -5],
    ['0|53@1+ (1,0)', 'ffffffffffff1f', '53 bits: the last exact number', 9007199254740991],
    ['7|53@0- (1,0)', '80000000000008', '53 bits, big endian, signed', -4503599627370495],
    ['0|64@1- (1,0)', 'fbffffffffffffff', '64 bits, signed', -5],
    ['7|64@0- (1,0)', 'fffffffffffffffb', '64 bits, big endian, signed', -5],
    ['0|64@1+ (1,0)', 'ffffffffffffffff', '64 bits, unsigned: rounded once', 2 ** 64],
    ['6|63@0- (1,0)', '7ffffffffffffffb', '63 bits, not on a byte', -5],
    ['1|63@1- (1,0)', 'f6ffffffffffffff', '63 bits, not on a byte, little endian', -5],
    ['0|8@1+ (0.5,0)', '49', 'factor', 36.5],
    ['0|8@1+ (0.1,0)', '7f', 'factor without noise in the last digit', 12.7],
    ['0|16@1- (0.01,250)', '9cff', 'factor and offset', 249],
    ['0|8@1+ (1,-40)', '00', 'offset', -40],
    ['0|8@1- (-1,0)', '00', 'zero is not minus zero', 0],
    ['0|16@1+ (1e-7,0)', '0100', 'a tiny factor', 1e-7],
  ])('a signal of layout %s decoded from %s gives the value of %s', (layout, data, _, value) => {
    const padded = data.replaceAll(' ', '').padEnd(16, '0');
    expect(decode(` SG_ A : ${layout} [0|0] "" X`, padded)).toEqual({ A: value });
  });

  test('a value is never clamped to the range of the DBC', () => {
    expect(decode(' SG_ A : 0|8@1+ (1,0) [0|100] "" X', 'c8')).toEqual({ A: 200 });
  });
});

describe('decoding a float (INGEST-04)', () => {
  const one = ' SG_ A : 0|32@1- (1,0) [0|0] "" X';
  test.each([
    ['float32, little endian', one, '0080014300000000', 1, 129.5],
    ['float32, big endian', ' SG_ A : 7|32@0- (1,0) [0|0] "" X', '4301800000000000', 1, 129.5],
    ['float32 with a factor', ' SG_ A : 0|32@1- (2,1) [0|0] "" X', '0080014300000000', 1, 260],
    ['float32, not on a byte', ' SG_ A : 4|32@1- (1,0) [0|0] "" X', '0000183004000000', 1, 129.5],
    ['float64, little endian', ' SG_ A : 0|64@1- (1,0) [0|0] "" X', '75931804562e60c0', 2, -129.448],
    ['float64, big endian', ' SG_ A : 7|64@0- (1,0) [0|0] "" X', 'c0602e5604189375', 2, -129.448],
  ])('a float is read: %s', (_, line, data, type, value) => {
    expect(decode(line, data, `SIG_VALTYPE_ 256 A : ${type};`)).toEqual({ A: value });
  });

  test.each([
    ['NaN', '0000c07f'],
    ['Infinity', '0000807f'],
    ['minus Infinity', '000080ff'],
  ])('a float is left out and counted: %s', (_, data) => {
    const decoder = compileMessage(
      parseMessageWithSignals(`${one}\n SG_ B : 32|8@1+ (1,0) [0|0] "" X`, 'SIG_VALTYPE_ 256 A : 1;'),
    );
    const out = new Float64Array(2);
    expect(decoder.decode(bytesFromHex(`${data}07`), 5, out)).toBe(1);
    expect([...out]).toEqual([Number.NaN, 7]);
  });
});

describe('a frame with another length than its message (INGEST-04)', () => {
  const two = ' SG_ A : 0|12@1+ (1,0) [0|0] "" X\n SG_ B : 23|12@0+ (1,0) [0|0] "" X';
  test.each([
    ['', {}],
    ['01', {}],
    ['01 02', { A: 0x201 }],
    ['01 02 03', { A: 0x201 }],
    ['01 02 03 40', { A: 0x201, B: 0x034 }],
    ['01 02 03 40 ff ff ff ff ff ff', { A: 0x201, B: 0x034 }],
  ])("a frame of the bytes '%s' gives only the signals that fit", (data, values) => {
    expect(decode(two, data)).toEqual(values);
  });

  test('a signal that lies beyond the end of a frame is not decoded', () => {
    const out = new Float64Array(1);
    compileMessage(parseMessageWithSignals(' SG_ A : 8|8@1+ (1,0) [0|0] "" X')).decode(
      bytesFromHex('01 02'),
      1,
      out,
    );
    expect(out[0]).toBeNaN();
  });

  test('a frame may be CAN FD, with a signal in the last of 64 bytes', () => {
    const data = `${'00'.repeat(62)}12 34`;
    const signals = ' SG_ A : 503|16@0+ (1,0) [0|0] "" X\n SG_ B : 504|8@1+ (1,0) [0|0] "" X';
    expect(decode(signals, data, '', 64)).toEqual({ A: 0x1234, B: 0x34 });
  });

  test('a signal that lies outside its message is not decoded, even from a frame that is long enough', () => {
    expect(decode(' SG_ A : 8|8@1+ (1,0) [0|0] "" X', '01 02', '', 1)).toEqual({});
  });
});

describe('decoding multiplexed signals (INGEST-04)', () => {
  const byte = (name: string, mark: string, at: number, sign = '+') =>
    ` SG_ ${name} ${mark} : ${at}|8@1${sign} (1,0) [0|0] "" X\n`;
  const simple = byte('S', 'M', 0) + byte('A', 'm1', 8) + byte('B', 'm2', 8) + byte('C', '', 16);
  test.each([
    ['01 0a 0b', { S: 1, A: 10, C: 11 }],
    ['02 0a 0b', { S: 2, B: 10, C: 11 }],
    ['03 0a 0b', { S: 3, C: 11 }],
    ['', {}],
  ])('only the active branch of a multiplexed message is given: %s', (data, values) => {
    expect(decode(simple, data)).toEqual(values);
  });

  const cascade =
    byte('D', 'm7', 24) + byte('T', 'm1M', 8) + byte('S', 'M', 0) + byte('A', 'm2', 8) + byte('E', 'm8', 24);
  const ranges = 'SG_MUL_VAL_ 256 D T 7-7, 20-30;\nSG_MUL_VAL_ 256 T S 1-1;\nSG_MUL_VAL_ 256 E T 8-8;\n';
  test.each([
    ['01 07 00 64', { S: 1, T: 7, D: 100 }],
    ['01 14 00 64', { S: 1, T: 20, D: 100 }],
    ['01 1e 00 64', { S: 1, T: 30, D: 100 }],
    ['01 1f 00 64', { S: 1, T: 31 }],
    ['01 08 00 64', { S: 1, T: 8, E: 100 }],
    ['02 07 00 64', { S: 2, A: 7 }], // the byte of T is 7, but this frame does not contain T
  ])(
    'the active branch of cascaded switches with ranges is given, also when the switch comes later in the file: %s',
    (data, values) => {
      expect(decode(cascade, data, ranges)).toEqual(values);
    },
  );

  test('the value of a signed switch is compared as an unsigned number, so that a byte c8 selects m200', () => {
    expect(decode(byte('S', 'M', 0, '-') + byte('A', 'm200', 8), 'c8 05')).toEqual({ S: -56, A: 5 });
  });

  test('the switch values of earlier frames are ignored', () => {
    const decoder = compileMessage(parseMessageWithSignals(byte('S', 'M', 8) + byte('A', 'm1', 0)));
    const out = new Float64Array(2);
    decoder.decode(bytesFromHex('05 01'), 2, out);
    expect([...out]).toEqual([1, 5]);
    decoder.decode(bytesFromHex('05 01'), 1, out);
    expect([...out]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('a name in several branches of the multiplexer (43.7)', () => {
  const line = (mark: string, at: number) => ` SG_ Temp ${mark} : ${at}|8@1+ (1,-40) [0|0] "" X\n`;
  const page = ' SG_ Page M : 0|8@1+ (1,0) [0|0] "" X\n';
  test.each([
    ['00 3c 00', { Page: 0, Temp: 20 }],
    ['01 00 46', { Page: 1, Temp: 30 }],
    ['02 3c 46', { Page: 2 }],
  ])('a name in several branches gives the signal of the active branch: %s', (data, values) => {
    expect(decode(page + line('m0', 8) + line('m1', 16), data)).toEqual(values);
  });

  test.each([
    ['the same branch', line('m0', 8) + line('m0', 16)],
    ['no branch', line('m0', 8) + line('', 16)],
  ])('a name in several branches gives only the first signal in %s', (_, lines) => {
    expect(decode(page + lines, '00 3c 46')).toEqual({ Page: 0, Temp: 20 });
  });
});

test('only the wanted signals are decoded, although their switches are read too (INGEST-04)', () => {
  const message = parseMessageWithSignals(
    ' SG_ S M : 0|8@1+ (1,0) [0|0] "" X\n SG_ A m1 : 8|8@1+ (1,0) [0|0] "" X',
  );
  const decoder = compileMessage(message, new Set(['A']));
  expect(decoder.names).toEqual(['A']);
  expect(decodeFrame(decoder, bytesFromHex('01 09'))).toEqual(new Map([['A', 9]]));
  expect(decodeFrame(decoder, bytesFromHex('02 09'))).toEqual(new Map());
});

test('the highest measurement of a 64-bit signal is not one of the values that J1939 reserves (42.63)', () => {
  const message = parseMessageWithSignals(' SG_ A : 0|64@1+ (1,0) [0|0] "" X');
  const decoder = compileMessage(message, undefined, absentRawValues);
  expect(decodeFrame(decoder, bytesFromHex('fffffffffffffffa')).get('A')).toBe(0xfb * 2 ** 56);
  expect(decodeFrame(decoder, bytesFromHex('00000000000000fb')).get('A')).toBe(NOT_AVAILABLE);
  expect(decodeFrame(decoder, bytesFromHex('fffffffffffffffd')).get('A')).toBe(NOT_AVAILABLE);
  expect(decodeFrame(decoder, bytesFromHex('fffffffffffffffe')).get('A')).toBe(ERROR_VALUE);
});
