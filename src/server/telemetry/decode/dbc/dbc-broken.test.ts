import { describe, expect, test } from 'vitest';
import { parseDbc } from './dbc-parse.ts';

const BO = 'BO_ 256 Probe: 8 Vector__XXX\n';
const SG = ' SG_ A : 0|8@1+ (1,0) [0|0] "" X\n';

describe('the error of a broken DBC says where and why it is broken (INGEST-04)', () => {
  test.each([
    ['an empty file', '', 'regel 1: geen enkel bericht'],
    ['another kind of file', 'PK\u0003\u0004 rubbish; "more"\nrubbish', 'regel 1: geen enkel bericht'],
    ['a signal without layout', `${BO} SG_ A : \n`, 'regel 2: SG_ A: het startbit is geen geheel getal'],
    ['a signal without colon', `${BO} SG_ A 0|8@1+ (1,0) [0|0] "" X\n`, "regel 2: SG_ A: ':' verwacht"],
    [
      'a strange multiplex mark',
      `${BO} SG_ A mX : 0|8@1+ (1,0) [0|0] "" X`,
      "regel 2: signaal A van Probe: onbekende multiplexaanduiding 'mX'",
    ],
    [
      'an unknown byte order',
      `${BO} SG_ A : 0|8@2+ (1,0) [0|0] "" X`,
      "regel 2: SG_ A: de bytevolgorde: '0' of '1' verwacht",
    ],
    ['a decimal comma', `${BO} SG_ A : 0|8@1+ (0,5,0) [0|0] "" X`, "regel 2: SG_ A: ')' verwacht"],
    ['a negative start', `${BO} SG_ A : -1|8@1+ (1,0) [0|0] "" X`, 'regel 2: SG_ A: het startbit'],
    ['no bits', `${BO} SG_ A : 0|0@1+ (1,0) [0|0] "" X`, 'regel 2: signaal A van Probe: 0 bits'],
    [
      'an endless factor',
      `${BO} SG_ A : 0|8@1+ (1e999,0) [0|0] "" X`,
      'regel 2: signaal A van Probe: factor',
    ],
    ['a signal without message', SG, 'regel 1: SG_ A staat niet onder een bericht'],
    [
      'an identifier that is none',
      `BO_ 99999999999 P: 8 X\n${SG}`,
      'regel 1: bericht P: 99999999999 is geen CAN-nummer',
    ],
    [
      'an identifier of 30 bits',
      `BO_ 536870912 P: 8 X\n${SG}`,
      'regel 1: bericht P: 536870912 is geen CAN-nummer',
    ],
    ['a message of 5,000 bytes', `BO_ 1 P: 5000 X\n${SG}`, 'regel 1: bericht P: 5000 bytes is te lang'],
    [
      'a broken range of the only signal',
      `${BO}${SG}SG_MUL_VAL_ 256 A S 1;`,
      "regel 3: SG_MUL_VAL_ A: '-' verwacht",
    ],
  ])('the error of a broken DBC says where and why it is broken: %s', (_, text, message) => {
    expect(() => parseDbc(text)).toThrow(message);
  });

  test('the error begins with the name of the file', () => {
    expect(() => parseDbc(SG, 'pcan.dbc')).toThrow('pcan.dbc, regel 1: ');
    expect(() => parseDbc(SG, 'pcan.dbc')).toThrow(expect.objectContaining({ name: 'DbcError', line: 1 }));
  });
});

describe('a hostile DBC of five megabytes is read or rejected in time proportional to its size (INGEST-04)', () => {
  const size = 5_000_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length));
  test.each([
    ['blanks', fill(' ')],
    ['line ends', fill('\n')],
    ['quotes on one line', `${BO}BA_DEF_ ${fill('"" ')}`],
    ['escaped quotes', `${BO}CM_ BO_ 256 "${fill('\\"')}";`],
    ['backslashes', `${BO}CM_ BO_ 256 "${fill('\\')}";`],
    ['letters', fill('A')],
    ['digits', `BO_ ${fill('1')}`],
    ['an endless number', `${BO} SG_ A : 0|8@1+ (1.${fill('1')}`],
    ['section names', `NS_ :\n${fill('CM_\n')}`],
    ['warnings', `${BO}${fill('CM_ BO_ 9 "";\n')}`],
    ['values', `${BO}${SG}VAL_ 256 A ${fill('1 "x" ')};`],
    [
      'a ladder of switches',
      `${BO} SG_ S0 M : 0|8@1+ (1,0) [0|0] "" X\n${Array.from({ length: 20_000 }, (_, i) => ` SG_ S${i + 1} m0M : 0|8@1+ (1,0) [0|0] "" X\n`).join('')}${Array.from({ length: 20_000 }, (_, i) => `SG_MUL_VAL_ 256 S${i + 1} S${i} 0-0;\n`).join('')}`,
    ],
  ])(
    'a hostile DBC of five megabytes is read or rejected within seconds: %s',
    (_, text) => {
      const began = performance.now();
      try {
        parseDbc(text);
      } catch (error) {
        expect(error).toMatchObject({ name: 'DbcError' });
      }
      expect(performance.now() - began).toBeLessThan(10_000); // takes a quarter of a second on an idle computer
    },
    30_000,
  );
});
