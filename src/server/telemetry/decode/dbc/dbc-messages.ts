import type { DbcFindings, MultiplexCondition } from './dbc.ts';
import type { MessageStatement, ReferringStatement, SignalStatement } from './dbc-statements.ts';

const EXTENDED = 0x8000_0000; // bit 31 of a DBC's message number marks a 29-bit identifier
const MAX_MESSAGE_ID = 0x1fff_ffff;
const MAX_STANDARD_ID = 0x7ff;
/** Maximum length in bytes of a message that J1939 reassembles from several frames; a single frame has 64 at most. */
const MAX_MESSAGE_BYTES = 1785;

/** A message while its statements are collected. */
export type DraftMessage = {
  readonly at: MessageStatement;
  readonly id: number;
  readonly extended: boolean;
  readonly signals: Map<string, DraftSignal>;
  /** Conditions of SG_MUL_VAL_, by signal. */
  readonly ranges: Map<string, MultiplexCondition>;
  longName?: string;
  comment?: string;
  cycleMs?: number;
};

export type DraftSignal = {
  readonly at: SignalStatement;
  /** Other signals with the same name, each in its own branch of the multiplexer. */
  readonly branches: DraftSignal[];
  float: 0 | 32 | 64;
  longName?: string;
  values?: Map<number, string>;
  comment?: string;
  /** Dutch reason why the signal cannot be decoded; the findings already contain it. */
  problem?: string;
};

/** Starts a message. @returns undefined when no frame can have this identifier or length */
export function draftMessage(at: MessageStatement, findings: DbcFindings): DraftMessage | undefined {
  const { line, rawId, dlc } = at;
  const what = `bericht ${at.name}`;
  const marked = rawId >= EXTENDED;
  const isNoId = rawId > 0xffff_ffff || (!marked && rawId > MAX_MESSAGE_ID);
  if (isNoId || dlc > MAX_MESSAGE_BYTES) {
    const problem = isNoId
      ? `${rawId} is geen CAN-nummer`
      : `${dlc} bytes is te lang (${MAX_MESSAGE_BYTES} kan)`;
    findings.fail(line, `${what}: ${problem}`);
    return undefined;
  }
  const id = marked ? rawId & MAX_MESSAGE_ID : rawId;
  const extended = marked || id > MAX_STANDARD_ID;
  if (extended && !marked)
    findings.warn(line, `${what}: ${id} past niet in 11 bits en is gelezen als 29 bits`);
  return { at, id, extended, signals: new Map(), ranges: new Map() };
}

/**
 * Adds a signal to its message. A second signal with the same name is accepted only in another branch of the
 * multiplexer.
 */
export function draftSignal(message: DraftMessage, at: SignalStatement, findings: DbcFindings): void {
  const what = `signaal ${at.name} van ${message.at.name}`;
  const twin = message.signals.get(at.name);
  if (twin && !(isInBranch(twin.at) && isInBranch(at))) {
    findings.fail(at.line, `${what} staat er twee keer`);
    return;
  }
  const problem = problemOf(at);
  if (problem !== undefined) findings.fail(at.line, `${what}: ${problem}`);
  const draft: DraftSignal = { at, branches: [], float: 0, ...(problem !== undefined && { problem }) };
  if (twin) twin.branches.push(draft);
  else message.signals.set(at.name, draft);
}

/** Returns whether a signal is in a branch of the multiplexer and is not itself a switch. */
const isInBranch = ({ branch, isSwitch }: SignalStatement): boolean => branch !== undefined && !isSwitch;

function problemOf({ markProblem, bitCount, factor, offset }: SignalStatement): string | undefined {
  if (markProblem !== undefined) return markProblem;
  if (bitCount < 1) return `${bitCount} bits (1 tot en met 64 kan)`;
  return Number.isFinite(factor) && Number.isFinite(offset) ? undefined : 'factor of offset is te groot';
}

/** Applies a statement about a message or signal that was defined earlier in the file; an unknown message or signal gives a warning. */
export function applyStatement(
  statement: ReferringStatement,
  message: DraftMessage | undefined,
  findings: DbcFindings,
): void {
  const { line } = statement;
  if (statement.kind === 'spoilt') findings.fail(line, statement.reason);
  if (message === undefined) {
    findings.warn(line, `bericht ${statement.rawId} bestaat niet`);
  } else if (statement.kind === 'cycle') {
    if (statement.ms > 0) message.cycleMs = statement.ms;
  } else if (statement.kind === 'message comment') {
    message.comment = statement.text;
  } else if (statement.kind === 'long name' && statement.signal === undefined) {
    message.longName = statement.name;
  } else {
    const { signal: name } = statement as { signal: string };
    const signal = message.signals.get(name);
    if (statement.kind === 'multiplex')
      message.ranges.set(name, { switch: statement.switch, ranges: statement.ranges });
    if (signal === undefined) findings.warn(line, `signaal ${name} van ${message.at.name} bestaat niet`);
    else for (const one of [signal, ...signal.branches]) applyToSignal(statement, one);
  }
}

function applyToSignal(statement: ReferringStatement, signal: DraftSignal): void {
  if (statement.kind === 'comment') signal.comment = statement.text;
  else if (statement.kind === 'values') signal.values = statement.values;
  else if (statement.kind === 'long name') signal.longName = statement.name;
  else if (statement.kind === 'spoilt') signal.problem ??= `regel ${statement.line}: ${statement.reason}`;
  else if (statement.kind === 'float' && (statement.type === 1 || statement.type === 2))
    signal.float = statement.type === 1 ? 32 : 64;
}
