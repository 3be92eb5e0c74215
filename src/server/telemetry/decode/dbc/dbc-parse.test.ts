import { describe, expect, test } from 'vitest';
import type { DbcSignal } from './dbc.ts';
import { parseDbc } from './dbc-parse.ts';
import { parseMessageWithSignals } from './test/probe.ts';

const BO = 'BO_ 256 Probe: 8 Vector__XXX\n';
const SG = ' SG_ A : 0|8@1+ (1,0) [0|0] "" X\n';

describe('the forms of a signal line (INGEST-04)', () => {
  const plain = {
    startBit: 0,
    bitCount: 8,
    bigEndian: false,
    signed: false,
    factor: 1,
    offset: 0,
    min: 0,
    max: 0,
  };
  test.each<[string, Partial<DbcSignal>]>([
    [' SG_ A : 0|8@1+ (1,0) [0|0] "" X', { ...plain, name: 'A', unit: '', float: 0 }],
    ['SG_ A:0|8@1+(1,0)[0|0]""X', { ...plain, name: 'A', unit: '' }],
    [
      ' SG_ A : 7|16@0- (0.5,-40) [-40|87.5] "km/h" X,Y',
      { startBit: 7, bigEndian: true, signed: true, factor: 0.5, offset: -40, unit: 'km/h' },
    ],
    [
      ' SG_ A : 0|64@1- (1,0) [-9.22337203685478E+018|9.22337203685478E+018] "" X',
      { min: -9.22337203685478e18 },
    ],
    [' SG_ A : 0 | 8 @ 1 + ( 1.5E-3 , .25 ) [ 0 | 1. ] "%" X', { factor: 0.0015, offset: 0.25, max: 1 }],
    [' SG_ M : 0|8@1+ (1,0) [0|0] "a \\"b\\" c" X', { name: 'M', unit: 'a "b" c' }],
  ])('a signal line is parsed: %s', (line, expected) => {
    const [signal] = parseMessageWithSignals(line).signals;
    expect(signal).toMatchObject(expected);
    expect(signal).not.toHaveProperty('activeWhen');
  });
});

test('a signal of more than 64 bits, such as a text of J1939, is reported as unreadable, and other signals are read (INGEST-04)', () => {
  const { messages, unreadable } = parseDbc(
    'BO_ 2566845694 VIN: 1785 X\n SG_ Text : 0|1600@1+ (1,0) [0|0] "" X\n SG_ Byte : 0|8@1+ (1,0) [0|0] "" X\n',
  );
  expect(messages[0]?.signals).toMatchObject([{ unreadable: '1600 bits is geen getal' }, { name: 'Byte' }]);
  expect(messages[0]?.signals[1]).not.toHaveProperty('unreadable');
  expect(unreadable.count).toBe(1);
});

describe('identifiers in a DBC (INGEST-04)', () => {
  test.each([
    [256, 256, false],
    [2047, 2047, false],
    [2147483648, 0, true],
    [2620009002, 0x1c2a2a2a, true],
    [4294967295, 0x1fffffff, true],
  ])('the message number BO_ %i is the identifier %i, extended: %s', (raw, id, extended) => {
    expect(parseDbc(`BO_ ${raw} P: 8 X\n${SG}`).messages[0]).toMatchObject({ id, extended });
  });

  test('two messages may have the same identifier number, one in 11 bits and one in 29 bits', () => {
    const { messages } = parseDbc(`BO_ 1 P: 8 X\n${SG}BO_ 2147483649 Q: 8 X\n${SG}`);
    expect(messages.map(({ name }) => name)).toEqual(['P', 'Q']);
  });

  test('an identifier over 11 bits without the marker of 29-bit identifiers is read as 29 bits, with a warning', () => {
    const { messages, warnings } = parseDbc(
      'BO_ 2048 P: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\nCM_ BO_ 2048 "c";\n',
    );
    expect(messages[0]).toMatchObject({ id: 2048, extended: true, comment: 'c' });
    expect(warnings).toEqual([{ line: 1, text: expect.stringContaining('29 bits') }]);
  });

  test('the pseudo message for unused signals is skipped with its signals', () => {
    const { messages } = parseDbc(`BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 X\n${SG}${SG}\n${BO}${SG}`);
    expect(messages.map(({ name }) => name)).toEqual(['Probe']);
  });
});

test('other statements of a DBC are read: value texts, float types, comments and cycle times (INGEST-04)', () => {
  const text = `VERSION "1 BO_ 7"\r\n\r\nNS_ :\r\n\tCM_\r\n\tBA_\r\n\tVAL_\r\n\tSG_MUL_VAL_\r\n\r\nBS_:\r\n\r\nBU_: Node1
VAL_TABLE_ Gears 5 "D" 0 "P" ;
${BO} SG_ Gear : 0|8@1- (1,0) [0|0] "" Node1
 SG_ Level : 8|32@1- (1,0) [0|0] "" Node1
CM_ "the file; SG_ X : not a signal";
CM_ BU_ Node1 "a node";
CM_ BO_ 256 "of the message";
CM_ SG_ 256 Gear "two lines,
with \\"quotes\\" and a ; in them";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "DBName" "Net
BO_ 1 Trap: 8 X";
BA_ "GenMsgCycleTime" BO_ 256 100;
VAL_ 256 Gear 5 "D" 0 "P" -1 "unknown" ;
VAL_ EnvironmentVariable 0 "off" ;
SIG_VALTYPE_ 256 Level : 1;
SIG_GROUP_ 256 Group 1 : Gear Level;
`;
  const { messages, warnings } = parseDbc(text);
  expect(warnings).toEqual([]);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ comment: 'of the message', cycleMs: 100 });
  const [gear, level] = messages[0]?.signals ?? [];
  expect(gear?.comment).toBe('two lines,\nwith "quotes" and a ; in them');
  expect(gear?.values).toEqual(
    new Map([
      [5, 'D'],
      [0, 'P'],
      [-1, 'unknown'],
    ]),
  );
  expect(level?.float).toBe(32);
});

describe('multiplexing (INGEST-04)', () => {
  const line = (name: string, mark: string) => ` SG_ ${name} ${mark} : 0|8@1+ (1,0) [0|0] "" X\n`;

  test('a signal with m<n> depends on the only signal with M', () => {
    const { signals } = parseMessageWithSignals(line('A', 'm3') + line('S', 'M'));
    expect(signals.map(({ activeWhen }) => activeWhen)).toEqual([
      { switch: 'S', ranges: [[3, 3]] },
      undefined,
    ]);
  });

  test('the ranges and the switch of a SG_MUL_VAL_ line take precedence over m<n>', () => {
    const rest = 'SG_MUL_VAL_ 256 A T 0-0, 3-5;\nSG_MUL_VAL_ 256 T S 2-2;';
    const { signals } = parseMessageWithSignals(line('A', 'm0') + line('T', 'm2M') + line('S', 'M'), rest);
    expect(signals[0]?.activeWhen).toEqual({
      switch: 'T',
      ranges: [
        [0, 0],
        [3, 5],
      ],
    });
    expect(signals[1]?.activeWhen).toEqual({ switch: 'S', ranges: [[2, 2]] });
  });

  test.each([
    ['no switch', line('A', 'm0'), '', 'zonder multiplexschakelaar'],
    [
      'two switches',
      line('A', 'm0') + line('S', 'M') + line('T', 'M'),
      '',
      'meer dan één multiplexschakelaar',
    ],
    ['an unknown switch', line('A', 'm0') + line('S', 'M'), 'SG_MUL_VAL_ 256 A Z 0-0;', 'Z bestaat niet'],
    [
      'a switch outside the message',
      `${line('A', 'm0')} SG_ S M : 64|8@1+ (1,0) [0|0] "" X\n`,
      '',
      'S wordt niet gelezen',
    ],
  ])('a branch of %s is never decoded', (_, signals, rest, reason) => {
    const probe = parseMessageWithSignals(signals, rest).signals.find(({ name }) => name === 'A');
    expect(probe?.unreadable).toContain(reason);
  });

  test('switches that depend on each other in a circle are rejected', () => {
    const rest = 'SG_MUL_VAL_ 256 A B 0-0;\nSG_MUL_VAL_ 256 B A 0-0;';
    expect(() => parseMessageWithSignals(line('A', 'm0M') + line('B', 'm0M'), rest)).toThrow(
      'regel 3: bericht Probe',
    );
  });
});

describe('signals that no frame can carry are kept, marked and reported (INGEST-04)', () => {
  test.each([
    ['little endian, one bit too far', ' SG_ A : 57|8@1+ (1,0) [0|0] "" X', '', true],
    ['little endian, up to the last bit', ' SG_ A : 56|8@1+ (1,0) [0|0] "" X', '', false],
    ['big endian, one bit too far', ' SG_ A : 62|8@0+ (1,0) [0|0] "" X', '', true],
    ['big endian, up to the last bit', ' SG_ A : 63|8@0+ (1,0) [0|0] "" X', '', false],
    ['a float of the wrong size', ' SG_ A : 0|16@1+ (1,0) [0|0] "" X', 'SIG_VALTYPE_ 256 A : 1;', true],
  ])('a signal that no frame can carry is kept, marked and reported: %s', (_, line, rest, unreadable) => {
    const { messages, unreadable: findings } = parseDbc(`${BO}${line}\n${rest}`);
    expect(messages[0]?.signals[0]?.unreadable !== undefined).toBe(unreadable);
    expect(findings.first.map((finding) => finding.line)).toEqual(unreadable ? [2] : []);
  });
});

test('statements about unknown messages and signals give at most 200 warnings (INGEST-04)', () => {
  const { warnings } = parseDbc(`${BO}${SG}${'CM_ SG_ 9 B "x";\n'.repeat(300)}`);
  expect(warnings).toHaveLength(200);
  expect(warnings[0]).toEqual({ line: 3, text: 'bericht 9 bestaat niet' });
});
