import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { DbcError, type DbcMessage, messageKey, unreadableLinesText } from './dbc.ts';
import { parseDbc } from './dbc-parse.ts';
import { damagedLines, dbcLinesWithOwner, SMALL_DBC } from './test/damage.ts';

const GOOD = 'BO_ 512 Good: 8 X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n';
const BO = 'BO_ 256 Probe: 8 X\n';
const SG = ' SG_ A : 0|8@1+ (1,0) [0|0] "" X\n';

describe('a DBC with a bad line is read around that line, which is reported with its reason (43.7)', () => {
  test.each<[string, string, string[], string]>([
    [
      'a multiplex mark without number',
      `${BO}${SG.replace('A', 'A m')}${SG.replace('A', 'C')}${GOOD}`,
      ["regel 2, signaal A van Probe: onbekende multiplexaanduiding 'm'"],
      'Probe A! C, Good B',
    ],
    [
      'a signal of 0 bits',
      `${BO}${SG.replace('0|8', '0|0')}${SG.replace('A', 'C')}${GOOD}`,
      ['regel 2, signaal A van Probe: 0 bits (1 tot en met 64 kan)'],
      'Probe A! C, Good B',
    ],
    [
      'an identifier of 30 bits',
      `BO_ 536870912 Wide: 8 X\n${SG}${GOOD}`,
      ['regel 1, bericht Wide: 536870912 is geen CAN-nummer'],
      'Good B',
    ],
    ['values without a semicolon', `${BO}${SG}VAL_ 256 A 0 "uit" 1 "aan"\n${GOOD}`, [], 'Probe A, Good B'],
    [
      'values and a statement behind them on their line',
      `${BO}${SG}VAL_ 256 A 0 "uit" CM_ "x";\n${GOOD}`,
      ['regel 3, VAL_ A is niet goed afgesloten (aanhalingsteken te veel of vergeten?)'],
      'Probe A, Good B',
    ],
    [
      'a layout that is cut off',
      `${BO} SG_ A : 0|8\n${SG.replace('A', 'C')}${GOOD}`,
      ["regel 2, SG_ A: '@' verwacht"],
      'Probe C, Good B',
    ],
    [
      'a text without its end',
      `${BO}${SG}CM_ SG_ 256 A "een;\nCM_ SG_ 256 A "twee";\n${GOOD}`,
      ['regel 3, CM_ SG_ A is niet goed afgesloten (aanhalingsteken te veel of vergeten?)'],
      'Probe A, Good B',
    ],
    [
      'a line that is none of a DBC: the signals below it are of no message',
      `${GOOD}O_ 256 Probe: 8 X\n${SG}`,
      ['regel 3, "O_ 256 Probe: 8 X" is geen regel van een DBC-bestand'],
      'Good B',
    ],
    [
      'a signal without its keyword',
      `${BO} G_ Z : 0|8@1+ (1,0) [0|0] "" X\n${SG}${GOOD}`,
      ['regel 2, "G_ Z : 0|8@1+ (1,0) [0|0] "" X" is geen regel van een DBC-bestand'],
      'Probe A, Good B',
    ],
    [
      'a number that stands twice: the first message counts',
      `${BO}${SG}BO_ 256 Twin: 8 X\n${SG}${GOOD}`,
      ['regel 3, bericht Twin heeft hetzelfde nummer als Probe'],
      'Probe A, Good B',
    ],
    [
      'a name that stands twice: the first signal counts',
      `${BO}${SG}${SG.replace('0|8', '8|8')}${GOOD}`,
      ['regel 3, signaal A van Probe staat er twee keer'],
      'Probe A, Good B',
    ],
    [
      'a float of an unknown kind of text',
      `${BO}${SG.replace('0|8', '0|32')}${GOOD}SIG_VALTYPE_ 256 A : x;`,
      ['regel 5, SIG_VALTYPE_ A: de soort is geen geheel getal'],
      'Probe A!, Good B',
    ],
    [
      'a range of a branch in a branch',
      `${BO}${SG.replace('A', 'S M')}${SG.replace('A', 'T m1M')}${SG.replace('A', 'D m7')}${GOOD}SG_MUL_VAL_ x D T 7-7;\nSG_MUL_VAL_ 256 T S 1-1;`,
      [
        'regel 4, signaal D van Probe: m7 zonder leesbare SG_MUL_VAL_',
        'regel 7, SG_MUL_VAL_: het berichtnummer is geen geheel getal',
      ],
      'Probe S T D!, Good B',
    ],
    [
      'switches that depend on each other',
      `${BO}${SG.replace('A', 'A m0M')}${SG.replace('A', 'C m0M')}${GOOD}SG_MUL_VAL_ 256 A C 0-0;\nSG_MUL_VAL_ 256 C A 0-0;`,
      [
        'regel 1, bericht Probe: multiplexsignalen hangen van elkaar af',
        'regel 2, signaal A van Probe: multiplexsignalen hangen van elkaar af',
        'regel 3, signaal C van Probe: multiplexsignalen hangen van elkaar af',
      ],
      'Probe A! C!, Good B',
    ],
    [
      'a start beyond any message',
      `${BO}${SG.replace('0|8', '4294967296|8')}${GOOD}`,
      ['regel 2, signaal A van Probe: staat buiten het bericht van 8 bytes'],
      'Probe A!, Good B',
    ],
    ['a line of comment between signals', `${BO}// a remark\n${SG}${GOOD}`, [], 'Probe A, Good B'],
  ])('a DBC is read around a bad line, which is reported with its reason: %s', (_, text, expected, read) => {
    const { messages, unreadable } = parseDbc(text);
    expect(unreadableLinesText(unreadable)).toEqual(expected);
    expect(messages.map(inWords).join(', ')).toBe(read);
  });
});

/** Returns, for example, 'Message Signal Signal!'; the exclamation mark means that the signal cannot be read. */
const inWords = ({ name, signals }: DbcMessage): string =>
  [name, ...signals.map((signal) => signal.name + (signal.unreadable === undefined ? '' : '!'))].join(' ');

test('the first 20 unreadable lines are reported in their order, with the number of further ones (43.7)', () => {
  const bad = Array.from({ length: 1234 }, () => ' SG_ Z : x\n').join('');
  const list = unreadableLinesText(parseDbc(`${BO}${bad}${GOOD}VAL_ 512 B 1 x;`).unreadable);
  expect([list.length, list[0], list[19], list[20]]).toEqual([
    21,
    'regel 2, SG_ Z: het startbit is geen geheel getal',
    'regel 21, SG_ Z: het startbit is geen geheel getal',
    'en nog 1.215',
  ]);
});

/**
 * Returns the messages by their numbers. Returns an empty map when the file is rejected because no message has a
 * signal.
 */
function byNumber(text: string): Map<string, DbcMessage> {
  try {
    const messages = parseDbc(text).messages.filter(({ signals }) => signals.length > 0);
    return new Map(messages.map((message) => [String(messageKey(message)), message]));
  } catch (error) {
    expect(error).toBeInstanceOf(DbcError);
    return new Map();
  }
}

/** Damages each line in turn and expects that only the message of that line changes. */
function expectOthersTheSame(text: string): void {
  const lines = dbcLinesWithOwner(text);
  const good = byNumber(text);
  lines.forEach(({ line, owner }, at) => {
    for (const damaged of damagedLines(line)) {
      // If the damage removed a digit of the message's number, the line may belong to another message.
      const [changed] = dbcLinesWithOwner(damaged);
      const rest = lines.map((one) => one.line).toSpliced(at, 1, damaged);
      const read = byNumber(rest.join('\n'));
      for (const [number, message] of good)
        if (number !== owner && number !== changed?.owner)
          expect(read.get(number), `line ${at + 1}: ${damaged}`).toEqual(message);
    }
  });
}

test('a damaged line changes only its own message, wherever the damage is (43.7)', () => {
  expect([parseDbc(SMALL_DBC).unreadable.count, parseDbc(SMALL_DBC).warnings]).toEqual([0, []]);
  expectOthersTheSame(SMALL_DBC);
});

test('damage to several messages at once leaves the other messages unchanged (43.7)', () => {
  const lines = dbcLinesWithOwner(SMALL_DBC);
  const good = byNumber(SMALL_DBC);
  const [kept = '', ...damagedOnes] = [...good.keys()];
  const targets = lines.flatMap(({ owner }, at) => (damagedOnes.includes(owner ?? '') ? [at] : []));
  const damage = fc.tuple(fc.constantFrom(...targets), fc.nat(), fc.string({ unit: 'binary', maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 8 }), (damages) => {
      const changed = lines.map(({ line }) => line);
      for (const [at, place, text] of damages) {
        const line = changed[at] as string;
        const cut = 1 + (place % Math.max(1, line.length));
        changed[at] = line.slice(0, cut) + text.replace(/[\r\n]/g, '') + line.slice(cut + 1);
      }
      expect(byNumber(changed.join('\n')).get(kept)).toEqual(good.get(kept));
    }),
    { numRuns: 200 },
  );
});

describe.skipIf(!hasSharedData)('the DBC files of ../shared/data (43.7)', () => {
  const folders = ['canedge', 'cantools', 'field-cases', 'kona', 'opendbc', 'tesla'];
  const files = hasSharedData
    ? folders.flatMap((folder) => folderFiles(folder).map((name) => `${folder}/${name}`))
    : [];
  /**
   * Number of unreadable parts, by file. cantools rejects the first file, because its signals do not fit into their messages. The
   * second file defines a message twice, and cantools uses the second definition.
   */
  const UNREADABLE: Readonly<Record<string, number>> = {
    'tesla/Model3CAN.dbc': 6,
    'field-cases/06-doubled-message.dbc': 1,
  };
  const textOf = (file: string): string => decodeText(sharedData(file));

  test('the DBC files of ../shared/data are present', () => expect(files.length).toBeGreaterThanOrEqual(21));

  test.each(files)('%s is read, with every statement of it that cantools reads', (file) => {
    const { messages, unreadable } = parseDbc(textOf(file));
    expect(messages.length).toBeGreaterThan(0);
    expect([unreadable.count, unreadableLinesText(unreadable)]).toEqual([
      UNREADABLE[file] ?? 0,
      expect.any(Array),
    ]);
  });

  test.each([
    'cantools/floating_point.dbc',
    'cantools/padding_bit_order.dbc',
    'cantools/test_extended_id_dump.dbc',
    'field-cases/06-doubled-message.dbc',
    'kona/ccan.dbc',
  ])('%s, with damage in any line, keeps its other messages unchanged', (file) =>
    expectOthersTheSame(textOf(file)),
  );
});

function folderFiles(folder: string): string[] {
  const path = new URL(`../../../../../../shared/data/${folder}`, import.meta.url);
  return readdirSync(path).filter((name) => name.endsWith('.dbc'));
}

describe('a million bad lines take time proportional to their number, and little memory (43.7)', () => {
  const fill = (line: string, count = 100_000) => GOOD + line.repeat(count);
  test.each([
    ['signals', fill(' SG_ Z : x\n', 1_000_000)],
    ['messages', fill('BO_ x\n')],
    ['other lines', fill('zzz\n')],
    ['texts without an end', `${fill('CM_ SG_ 1 A "\n')}CM_ "`],
    ['quotes in no text', fill('BA_DEF_ \\"\n')],
    ['texts that begin with what ends the one before', fill('BA_ "a" \\"\n')],
    ['quotes behind a name', `${fill('CM_ SG_ 1 A\\"\n')}"`],
    ['values without an end', fill('VAL_ 1 A 1 "x" y\n')],
    ['attributes', fill('BA_ \n')],
  ])('many bad lines of a DBC are counted without much memory: %s', (_, text) => {
    const { messages, unreadable, warnings } = parseDbc(text);
    expect(messages.map(({ name }) => name)).toEqual(['Good']);
    expect(unreadable.count).toBeGreaterThan(0);
    expect(JSON.stringify([messages, unreadable, warnings]).length).toBeLessThan(50_000);
  });
});
