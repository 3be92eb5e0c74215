import { DbcScanner } from './dbc-scanner.ts';

/** A statement of a DBC that says something about messages or signals. `rawId` still carries bit 31. */
type DbcStatement =
  | MessageStatement
  | SignalStatement
  | { kind: 'values'; line: number; rawId: number; signal: string; values: Map<number, string> }
  | { kind: 'float'; line: number; rawId: number; signal: string; type: number }
  | { kind: 'multiplex'; line: number; rawId: number; signal: string; switch: string; ranges: Range[] }
  | { kind: 'comment'; line: number; rawId: number; signal: string; text: string }
  | { kind: 'message comment'; line: number; rawId: number; text: string }
  | { kind: 'cycle'; line: number; rawId: number; ms: number };

/** A statement about a message or signal that stands elsewhere in the file. */
export type AboutStatement = Exclude<DbcStatement, { kind: 'message' | 'signal' }>;

export type MessageStatement = { kind: 'message'; line: number; rawId: number; name: string; dlc: number };

export type SignalStatement = {
  kind: 'signal';
  line: number;
  name: string;
  /** `M` or the M of `m2M`: other signals depend on this one. */
  isSwitch: boolean;
  /** The 2 of `m2` and `m2M`. */
  branch?: number;
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

/**
 * The statements of a DBC in the order of the file. Sections that say nothing about decoding are passed.
 * @throws DbcError with line and Dutch reason for the first statement that cannot be read
 */
export function* readStatements(text: string, source?: string): Generator<DbcStatement> {
  const scanner = new DbcScanner(text, source);
  while (scanner.nextStatement()) {
    const statement = readStatement(scanner);
    if (statement !== undefined) yield statement;
    if (statement?.kind === 'message' || statement?.kind === 'signal') scanner.skipLine(); // sender, receivers
  }
}

function readStatement(scanner: DbcScanner): DbcStatement | undefined {
  switch (scanner.keyword()) {
    case 'BO_':
      return readMessage(scanner);
    case 'SG_':
      return readSignal(scanner);
    case 'VAL_':
      return readValues(scanner);
    case 'SIG_VALTYPE_':
      return readFloat(scanner);
    case 'SG_MUL_VAL_':
      return readMultiplex(scanner);
    case 'CM_':
      return readComment(scanner);
    case 'BA_':
      return readAttribute(scanner);
    case 'NS_':
      scanner.skipNames();
      return undefined;
    default:
      scanner.skipLine();
      return undefined;
  }
}

/** `BO_ 2148676694 Message1: 8 Vector__XXX` */
function readMessage(scanner: DbcScanner): MessageStatement {
  const rawId = scanner.whole('BO_: het berichtnummer');
  const name = scanner.name('BO_: de naam van het bericht');
  scanner.expect(':', `BO_ ${name}`);
  const dlc = scanner.whole(`BO_ ${name}: de lengte`);
  return { kind: 'message', line: scanner.line, rawId, name, dlc };
}

/** `SG_ Speed m2M : 16|16@1- (0.5,0) [-1|1] "rpm" Vector__XXX`; blanks may be anywhere or absent. */
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
  const unit = scanner.text(`${what}: de eenheid`);
  const { line } = scanner;
  const layout = { startBit, bitCount, bigEndian, signed, factor, offset, min, max, unit };
  return { kind: 'signal', line, name, ...multiplex, ...layout };
}

function readMultiplexMark(scanner: DbcScanner, what: string): { isSwitch: boolean; branch?: number } {
  if (scanner.take(':')) return { isSwitch: false };
  const mark = scanner.name(`${what}: ':'`);
  const parts = /^(?:M|m(\d+)(M?))$/.exec(mark);
  if (parts === null) scanner.fail(`${what}: onbekende multiplexaanduiding '${mark}'`);
  scanner.expect(':', what);
  const [, branch, both] = parts;
  if (branch === undefined) return { isSwitch: true };
  return { isSwitch: both === 'M', branch: Number(branch) };
}

/** `VAL_ 1346 Gear 0 "P" 5 "D";`. Without a number in front it is about an environment variable: passed. */
function readValues(scanner: DbcScanner): DbcStatement | undefined {
  const rawId = scanner.optionalNumber();
  const signal = rawId === undefined ? '' : scanner.name('VAL_: de naam van het signaal');
  const values = new Map<number, string>();
  for (let value = scanner.optionalNumber(); value !== undefined; value = scanner.optionalNumber())
    values.set(value, scanner.text(`VAL_ ${signal}`));
  if (rawId === undefined || values.size === 0) {
    scanner.skipLine();
    return undefined;
  }
  scanner.endStatement(`VAL_ ${signal}`);
  return { kind: 'values', line: scanner.line, rawId, signal, values };
}

/** `SIG_VALTYPE_ 1024 Signal1 : 2;` */
function readFloat(scanner: DbcScanner): DbcStatement {
  const rawId = scanner.whole('SIG_VALTYPE_: het berichtnummer');
  const signal = scanner.name('SIG_VALTYPE_: de naam van het signaal');
  scanner.take(':');
  const type = scanner.whole(`SIG_VALTYPE_ ${signal}: de soort`);
  scanner.endStatement(`SIG_VALTYPE_ ${signal}`);
  return { kind: 'float', line: scanner.line, rawId, signal, type };
}

/** `SG_MUL_VAL_ 2147483649 Muxed Switch 0-0, 3-5;` */
function readMultiplex(scanner: DbcScanner): DbcStatement {
  const rawId = scanner.whole('SG_MUL_VAL_: het berichtnummer');
  const signal = scanner.name('SG_MUL_VAL_: de naam van het signaal');
  const what = `SG_MUL_VAL_ ${signal}`;
  const selector = scanner.name(`${what}: de naam van de multiplexschakelaar`);
  const ranges: Range[] = [];
  do {
    const from = scanner.whole(`${what}: het bereik`);
    scanner.expect('-', what);
    ranges.push([from, scanner.whole(`${what}: het bereik`)]);
  } while (scanner.take(','));
  scanner.endStatement(what);
  return { kind: 'multiplex', line: scanner.line, rawId, signal, switch: selector, ranges };
}

/** `CM_ SG_ 657 Speed "Motor rpm";`, `CM_ BO_ 657 "…";`; those of nodes and of the file are passed. */
function readComment(scanner: DbcScanner): DbcStatement | undefined {
  const about = scanner.optionalText() === undefined ? scanner.name('CM_: de tekst') : '';
  if (about === 'SG_' || about === 'BO_') {
    const rawId = scanner.whole(`CM_ ${about}: het berichtnummer`);
    const signal = about === 'SG_' ? scanner.name('CM_ SG_: de naam van het signaal') : undefined;
    const what = `CM_ ${about} ${signal ?? rawId}`;
    const text = scanner.text(what);
    scanner.endStatement(what);
    const { line } = scanner;
    if (signal === undefined) return { kind: 'message comment', line, rawId, text };
    return { kind: 'comment', line, rawId, signal, text };
  }
  scanner.skipLine();
  return undefined;
}

/** `BA_ "GenMsgCycleTime" BO_ 530 100;`; every other attribute is passed. */
function readAttribute(scanner: DbcScanner): DbcStatement | undefined {
  if (scanner.optionalText() === 'GenMsgCycleTime' && scanner.keyword() === 'BO_') {
    const rawId = scanner.whole('BA_ GenMsgCycleTime: het berichtnummer');
    const ms = scanner.number('BA_ GenMsgCycleTime: de waarde');
    scanner.endStatement('BA_ GenMsgCycleTime');
    return { kind: 'cycle', line: scanner.line, rawId, ms };
  }
  scanner.skipLine();
  return undefined;
}
