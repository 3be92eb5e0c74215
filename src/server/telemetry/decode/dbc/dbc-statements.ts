import { BadStatement, DbcScanner, type DbcSignalReference } from './dbc-scanner.ts';

/** A statement of a DBC about messages or signals. `rawId` includes bit 31. */
type DbcStatement =
  | MessageStatement
  | SignalStatement
  | UnreadableLine
  | { kind: 'values'; line: number; rawId: number; signal: string; values: Map<number, string> }
  | { kind: 'float'; line: number; rawId: number; signal: string; type: number }
  | { kind: 'multiplex'; line: number; rawId: number; signal: string; switch: string; ranges: Range[] }
  | { kind: 'comment'; line: number; rawId: number; signal: string; text: string }
  | { kind: 'message comment'; line: number; rawId: number; text: string }
  | { kind: 'cycle'; line: number; rawId: number; ms: number }
  | { kind: 'long name'; line: number; rawId: number; signal?: string; name: string }
  /** A statement about the signal's type or branch that cannot be read, so that the signal's values would be wrong. */
  | { kind: 'spoilt'; line: number; rawId: number; signal: string; reason: string };

/** A statement about a message or signal that is defined elsewhere in the file. */
export type ReferringStatement = Exclude<DbcStatement, { kind: 'message' | 'signal' | 'unread' }>;

export type MessageStatement = { kind: 'message'; line: number; rawId: number; name: string; dlc: number };

/** A line that cannot be read. */
export type UnreadableLine = {
  kind: 'unread';
  line: number;
  /** Undefined when the line does not begin with a keyword of a DBC. */
  keyword?: string;
  /** Whether the line contains a signal's layout: it is a signal with a damaged keyword. */
  isLikeSignal?: boolean;
  /** Reason in Dutch. */
  reason: string;
};

export type SignalStatement = {
  kind: 'signal';
  line: number;
  name: string;
  /** Whether other signals depend on this one: `M` or the M of `m2M`. */
  isSwitch: boolean;
  /** Number of the branch: the 2 of `m2` and `m2M`. */
  branch?: number;
  /** Dutch reason why the multiplex mark is invalid. */
  markProblem?: string;
  startBit: number;
  bitCount: number;
  bigEndian: boolean;
  signed: boolean;
  factor: number;
  offset: number;
  min: number;
  max: number;
  unit: string;
};

type Range = [from: number, to: number];

/** Sections that do not affect decoding. */
const PASSED = new Set(
  (
    'VERSION NS_DESC_ BS_ BU_ VAL_TABLE_ BO_TX_BU_ EV_ ENVVAR_DATA_ EV_DATA_ SGTYPE_ SGTYPE_VAL_ SIG_TYPE_REF_ SIG_GROUP_ ' +
    'SIGTYPE_VALTYPE_ CAT_DEF_ CAT_ FILTER BA_DEF_ BA_DEF_DEF_ BA_DEF_SGTYPE_ BA_SGTYPE_ BA_DEF_REL_ BA_REL_ ' +
    'BA_DEF_DEF_REL_ BU_SG_REL_ BU_EV_REL_ BU_BO_REL_'
  ).split(' '),
);
const COMMENT_LINE = '//';
const MAX_QUOTE_CHARACTERS = 40;

/**
 * Yields the statements of a DBC in the order of the file. Skips sections that do not affect decoding. After an
 * unreadable statement, reading continues on the line after its first line.
 */
export function* readStatements(text: string): Generator<DbcStatement> {
  const scanner = new DbcScanner(text);
  while (scanner.nextStatement()) {
    const statement = readStatement(scanner);
    if (statement === undefined) continue;
    if (statement.kind === 'message' || statement.kind === 'signal') scanner.passRest(); // skips the sender or the receivers
    yield statement;
  }
}

function readStatement(scanner: DbcScanner): DbcStatement | undefined {
  const { line } = scanner;
  const keyword = scanner.keyword();
  if (keyword === 'NS_') return scanner.passNames();
  const read = keyword === undefined ? undefined : READERS.get(keyword);
  if (keyword === undefined || !(read || PASSED.has(keyword))) {
    const text = scanner.passLine();
    if (text.startsWith(COMMENT_LINE)) return undefined;
    const reason = `"${text.slice(0, MAX_QUOTE_CHARACTERS)}" is geen regel van een DBC-bestand`;
    return {
      kind: 'unread',
      line,
      reason,
      isLikeSignal: text.indexOf('@', text.indexOf('|') + 1) > 0 && text.includes('|'),
    };
  }
  try {
    return read ? read(scanner) : scanner.passStatement(keyword);
  } catch (error) {
    if (!(error instanceof BadStatement)) throw error;
    scanner.passLine();
    const { reason, signal } = error;
    return signal ? { kind: 'spoilt', line, reason, ...signal } : { kind: 'unread', line, keyword, reason };
  }
}

/** Reads `BO_ 2148676694 Message1: 8 Vector__XXX`. */
function readMessage(scanner: DbcScanner): MessageStatement {
  const rawId = scanner.whole('BO_: het berichtnummer');
  const name = scanner.name('BO_: de naam van het bericht');
  scanner.expect(':', `BO_ ${name}`);
  const dlc = scanner.whole(`BO_ ${name}: de lengte`);
  return { kind: 'message', line: scanner.line, rawId, name, dlc };
}

/** Reads `SG_ Speed m2M : 16|16@1- (0.5,0) [-1|1] "rpm" Vector__XXX`. Spaces may be anywhere or absent. */
function readSignal(scanner: DbcScanner): SignalStatement {
  const name = scanner.name('SG_: de naam van het signaal');
  const what = `SG_ ${name}`;
  const multiplex = readMultiplexMark(scanner, what);
  const startBit = scanner.whole(`${what}: het startbit`);
  scanner.expect('|', what);
  const bitCount = scanner.whole(`${what}: het aantal bits`);
  scanner.expect('@', what);
  const bigEndian = scanner.expect('01', `${what}: de bytevolgorde`) === '0';
  const signed = scanner.expect('+-', `${what}: het teken`) === '-';
  scanner.expect('(', what);
  const factor = scanner.number(`${what}: de factor`);
  scanner.expect(',', what);
  const offset = scanner.number(`${what}: de offset`);
  scanner.expect(')', what);
  scanner.expect('[', what);
  const min = scanner.number(`${what}: het minimum`);
  scanner.expect('|', what);
  const max = scanner.number(`${what}: het maximum`);
  scanner.expect(']', what);
  const unit = scanner.textOfLine(`${what}: de eenheid`);
  const { line } = scanner;
  const layout = { startBit, bitCount, bigEndian, signed, factor, offset, min, max, unit };
  return { kind: 'signal', line, name, ...multiplex, ...layout };
}

function readMultiplexMark(
  scanner: DbcScanner,
  what: string,
): Pick<SignalStatement, 'isSwitch' | 'branch' | 'markProblem'> {
  if (scanner.take(':')) return { isSwitch: false };
  const mark = scanner.name(`${what}: ':'`);
  scanner.expect(':', what);
  const parts = /^(?:M|m(\d+)(M?))$/.exec(mark);
  if (parts === null) return { isSwitch: false, markProblem: `onbekende multiplexaanduiding '${mark}'` };
  const [, branch, both] = parts;
  if (branch === undefined) return { isSwitch: true };
  return { isSwitch: both === 'M', branch: Number(branch) };
}

/** Reads `VAL_ 1346 Gear 0 "P" 5 "D";`. Without a number the statement is about an environment variable and is skipped. */
function readValues(scanner: DbcScanner): DbcStatement | undefined {
  const rawId = scanner.optionalNumber();
  const signal = rawId === undefined ? '' : scanner.name('VAL_: de naam van het signaal');
  const values = new Map<number, string>();
  for (let value = scanner.optionalNumber(); value !== undefined; value = scanner.optionalNumber())
    values.set(value, scanner.text(`VAL_ ${signal}`));
  if (rawId === undefined || values.size === 0) return scanner.passStatement('VAL_');
  scanner.endStatement(`VAL_ ${signal}`);
  return { kind: 'values', line: scanner.line, rawId, signal, values };
}

/** Reads `SIG_VALTYPE_ 1024 Signal1 : 2;`. */
function readFloat(scanner: DbcScanner): DbcStatement {
  const { rawId, signal } = readSignalName(scanner, 'SIG_VALTYPE_');
  return spoiling({ rawId, signal }, () => {
    scanner.take(':');
    const type = scanner.whole(`SIG_VALTYPE_ ${signal}: de soort`);
    scanner.endStatement(`SIG_VALTYPE_ ${signal}`);
    return { kind: 'float', line: scanner.line, rawId, signal, type };
  });
}

/** Reads `SG_MUL_VAL_ 2147483649 Muxed Switch 0-0, 3-5;`. */
function readMultiplex(scanner: DbcScanner): DbcStatement {
  const { rawId, signal } = readSignalName(scanner, 'SG_MUL_VAL_');
  const what = `SG_MUL_VAL_ ${signal}`;
  return spoiling({ rawId, signal }, () => {
    const selector = scanner.name(`${what}: de naam van de multiplexschakelaar`);
    const ranges: Range[] = [];
    do {
      const from = scanner.whole(`${what}: het bereik`);
      scanner.expect('-', what);
      ranges.push([from, scanner.whole(`${what}: het bereik`)]);
    } while (scanner.take(','));
    scanner.endStatement(what);
    return { kind: 'multiplex', line: scanner.line, rawId, signal, switch: selector, ranges };
  });
}

function readSignalName(scanner: DbcScanner, what: string): DbcSignalReference {
  const rawId = scanner.whole(`${what}: het berichtnummer`);
  return { rawId, signal: scanner.name(`${what}: de naam van het signaal`) };
}

/**
 * Reads the rest of a statement about a signal. If it cannot be read, the error names the signal, whose values would be wrong
 * without it.
 */
function spoiling(signal: DbcSignalReference, read: () => DbcStatement): DbcStatement {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadStatement) throw new BadStatement(error.reason, signal);
    throw error;
  }
}

/** Reads `CM_ SG_ 657 Speed "Motor rpm";` and `CM_ BO_ 657 "…";`. Comments of nodes and of the file are skipped. */
function readComment(scanner: DbcScanner): DbcStatement | undefined {
  const about = scanner.optionalWord(['SG_', 'BO_']);
  if (about === undefined) return scanner.passStatement('CM_');
  const rawId = scanner.whole(`CM_ ${about}: het berichtnummer`);
  const signal = about === 'SG_' ? scanner.name('CM_ SG_: de naam van het signaal') : undefined;
  const what = `CM_ ${about} ${signal ?? rawId}`;
  const text = scanner.text(what);
  scanner.endStatement(what);
  const { line } = scanner;
  if (signal === undefined) return { kind: 'message comment', line, rawId, text };
  return { kind: 'comment', line, rawId, signal, text };
}

/**
 * Reads `BA_ "GenMsgCycleTime" BO_ 530 100;`, `BA_ "SystemSignalLongSymbol" SG_ 530 Short_0001 "TheLongName";`, and the long name
 * of a message. Other attributes are skipped.
 */
function readAttribute(scanner: DbcScanner): DbcStatement | undefined {
  const attribute = scanner.textOfLine('BA_');
  const what = `BA_ ${attribute}`;
  const ofSignal = attribute === 'SystemSignalLongSymbol';
  const isLongName = ofSignal || attribute === 'SystemMessageLongSymbol';
  if (!isLongName && attribute !== 'GenMsgCycleTime') return scanner.passStatement('BA_');
  if (scanner.optionalWord([ofSignal ? 'SG_' : 'BO_']) === undefined) return scanner.passStatement('BA_');
  const rawId = scanner.whole(`${what}: het berichtnummer`);
  const signal = ofSignal ? { signal: scanner.name(`${what}: de naam van het signaal`) } : {};
  const said = isLongName
    ? { kind: 'long name' as const, ...signal, name: scanner.textOfLine(what) }
    : { kind: 'cycle' as const, ms: scanner.number(`${what}: de waarde`) };
  scanner.endStatement(what);
  return { line: scanner.line, rawId, ...said };
}

const READERS = new Map<string, (scanner: DbcScanner) => DbcStatement | undefined>([
  ['BO_', readMessage],
  ['SG_', readSignal],
  ['VAL_', readValues],
  ['SIG_VALTYPE_', readFloat],
  ['SG_MUL_VAL_', readMultiplex],
  ['CM_', readComment],
  ['BA_', readAttribute],
]);
