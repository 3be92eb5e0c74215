import type { DbcFindings, DbcMessage, DbcSignal, MultiplexCondition } from './dbc.ts';
import { lastByteOf } from './dbc-bits.ts';
import { multiplexConditions, switchesFirst } from './dbc-multiplex.ts';
import type { AboutStatement, MessageStatement, SignalStatement } from './dbc-statements.ts';

const EXTENDED = 0x8000_0000; // bit 31 of a DBC's message number marks a 29-bit identifier
const LONGEST_ID = 0x1fff_ffff;
const LONGEST_STANDARD_ID = 0x7ff;
/** Bytes that J1939 puts together from several frames; a single frame has 64 at most. */
const LONGEST_MESSAGE = 1785;

/** A message while statements about it are gathered. */
export type DraftMessage = {
  readonly at: MessageStatement;
  readonly id: number;
  readonly extended: boolean;
  readonly signals: Map<string, DraftSignal>;
  /** What SG_MUL_VAL_ says, by signal. */
  readonly ranges: Map<string, MultiplexCondition>;
  comment?: string;
  cycleMs?: number;
};

type DraftSignal = {
  readonly at: SignalStatement;
  float: 0 | 32 | 64;
  values?: Map<number, string>;
  comment?: string;
};

/** @throws DbcError when no frame can have this identifier or length */
export function draftMessage(at: MessageStatement, findings: DbcFindings): DraftMessage {
  const { line, rawId, dlc } = at;
  const what = `bericht ${at.name}`;
  const marked = rawId >= EXTENDED;
  if (rawId > 0xffff_ffff || (!marked && rawId > LONGEST_ID))
    findings.fail(line, `${what}: ${rawId} is geen CAN-nummer`);
  if (dlc > LONGEST_MESSAGE) findings.fail(line, `${what}: ${dlc} bytes is te lang (${LONGEST_MESSAGE} kan)`);
  const id = marked ? rawId & LONGEST_ID : rawId;
  const extended = marked || id > LONGEST_STANDARD_ID;
  if (extended && !marked)
    findings.warn(line, `${what}: ${id} past niet in 11 bits en is gelezen als 29 bits`);
  return { at, id, extended, signals: new Map(), ranges: new Map() };
}

/** @throws DbcError when the signal's own line makes no sense, or the message has one of this name */
export function draftSignal(message: DraftMessage, at: SignalStatement, findings: DbcFindings): void {
  const what = `signaal ${at.name} van ${message.at.name}`;
  if (message.signals.has(at.name)) findings.fail(at.line, `${what} staat er twee keer`);
  if (at.bitCount < 1) findings.fail(at.line, `${what}: ${at.bitCount} bits (1 tot en met 64 kan)`);
  if (!Number.isFinite(at.factor) || !Number.isFinite(at.offset))
    findings.fail(at.line, `${what}: factor of offset is te groot`);
  message.signals.set(at.name, { at, float: 0 });
}

/** Adds what a later statement says; a statement about something unknown is only warned of. */
export function applyStatement(
  statement: AboutStatement,
  message: DraftMessage | undefined,
  findings: DbcFindings,
): void {
  const { line } = statement;
  if (message === undefined) {
    findings.warn(line, `bericht ${statement.rawId} bestaat niet`);
  } else if (statement.kind === 'cycle') {
    if (statement.ms > 0) message.cycleMs = statement.ms;
  } else if (statement.kind === 'message comment') {
    message.comment = statement.text;
  } else if (statement.kind === 'multiplex') {
    message.ranges.set(statement.signal, { switch: statement.switch, ranges: statement.ranges });
    if (!message.signals.has(statement.signal)) findings.warn(line, unknown(statement.signal, message));
  } else {
    const signal = message.signals.get(statement.signal);
    if (signal === undefined) findings.warn(line, unknown(statement.signal, message));
    else if (statement.kind === 'comment') signal.comment = statement.text;
    else if (statement.kind === 'values') signal.values = statement.values;
    else if (statement.type === 1 || statement.type === 2) signal.float = statement.type === 1 ? 32 : 64;
  }
}

const unknown = (signal: string, message: DraftMessage): string =>
  `signaal ${signal} van ${message.at.name} bestaat niet`;

/** @throws DbcError when multiplexed signals depend on each other in a circle */
export function finishMessage(draft: DraftMessage, findings: DbcFindings): DbcMessage {
  const { at, id, extended, comment, cycleMs } = draft;
  const problems = new Map<string, string>();
  const conditions = new Map<string, MultiplexCondition>();
  const marks = new Map([...draft.signals].map(([name, signal]) => [name, signal.at]));
  for (const [name, condition] of multiplexConditions(marks, draft.ranges)) {
    if (typeof condition === 'string') problems.set(name, condition);
    else conditions.set(name, condition);
  }
  for (const [name, signal] of draft.signals) {
    const problem = layoutProblem(signal, at.dlc);
    if (problem !== undefined) problems.set(name, problem);
  }
  const links = [...draft.signals.keys()].map((name) => ({ name, ...when(conditions.get(name)) }));
  const ordered = switchesFirst(links);
  if (ordered === undefined)
    findings.fail(at.line, `bericht ${at.name}: multiplexsignalen hangen van elkaar af`);
  for (const { name, activeWhen } of ordered) {
    if (activeWhen !== undefined && problems.has(activeWhen.switch) && !problems.has(name))
      problems.set(name, `multiplexschakelaar ${activeWhen.switch} wordt niet gelezen`);
  }

  const signals = [...draft.signals].map(([name, signal]): DbcSignal => {
    const { kind: _kind, line, isSwitch: _isSwitch, branch: _branch, ...layout } = signal.at;
    const { at: _at, ...said } = signal;
    const unreadable = problems.get(name);
    if (unreadable !== undefined)
      findings.warn(line, `signaal ${name} van ${at.name} wordt niet gelezen: ${unreadable}`);
    return {
      ...layout,
      ...said,
      ...when(conditions.get(name)),
      ...(unreadable !== undefined && { unreadable }),
    };
  });
  return {
    id,
    extended,
    name: at.name,
    dlc: at.dlc,
    ...(cycleMs !== undefined && { cycleMs }),
    ...(comment !== undefined && { comment }),
    signals,
  };
}

const when = (activeWhen: MultiplexCondition | undefined): { activeWhen?: MultiplexCondition } =>
  activeWhen === undefined ? {} : { activeWhen };

/** Files in the wild hold signals that stand outside their message; no frame can carry those. */
function layoutProblem({ at, float }: DraftSignal, dlc: number): string | undefined {
  // J1939 files describe texts (a VIN) as one long signal: no number, and no reason to refuse the file.
  if (at.bitCount > 64) return `${at.bitCount} bits is geen getal`;
  if (lastByteOf(at) >= dlc) return `staat buiten het bericht van ${dlc} bytes`;
  if (float !== 0 && float !== at.bitCount)
    return `een kommagetal van ${float} bits staat in ${at.bitCount} bits`;
  return undefined;
}
