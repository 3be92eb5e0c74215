import type { DbcFindings, DbcMessage, DbcSignal, MultiplexCondition } from './dbc.ts';
import { lastByteOf } from './dbc-bits.ts';
import type { DraftMessage, DraftSignal } from './dbc-messages.ts';
import { multiplexConditions, sortByMultiplexSwitch } from './dbc-multiplex.ts';
import { LongNames } from './dbc-names.ts';

/** A signal after it was checked against the rest of its message. `problem`: Dutch reason why it is never decoded. */
type Judged = {
  readonly draft: DraftSignal;
  readonly activeWhen: MultiplexCondition | undefined;
  problem: string | undefined;
};

/**
 * Builds a message from its statements, and adds its unreadable signals to `findings`.
 * @param hasLostRanges whether a SG_MUL_VAL_ of an unknown signal could not be read
 */
export function buildDbcMessage(
  draft: DraftMessage,
  hasLostRanges: boolean,
  findings: DbcFindings,
): DbcMessage {
  const { at, id, extended, comment, cycleMs } = draft;
  const marks = new Map([...draft.signals].map(([name, signal]) => [name, signal.at]));
  const conditionOf = multiplexConditions(marks, draft.ranges, hasLostRanges);
  const judge = (signal: DraftSignal): Judged => {
    const condition = conditionOf(signal.at);
    const [activeWhen, reason] = typeof condition === 'string' ? [undefined, condition] : [condition];
    return { draft: signal, activeWhen, problem: problemOf(signal, at.dlc) ?? reason };
  };
  const judged = new Map([...draft.signals].map(([name, signal]) => [name, judge(signal)]));
  judgeSwitches(draft, judged, findings);

  const names = new LongNames(draft.signals.keys());
  const named = new Map([...draft.signals].map(([name, signal]) => [name, names.of(name, signal.longName)]));
  const finish = ({ draft: signal, activeWhen, problem }: Judged): DbcSignal => {
    const { name, line, startBit, bitCount, bigEndian, signed, factor, offset, min, max, unit } = signal.at;
    if (problem !== undefined && problem !== signal.problem)
      findings.addUnreadable(line, `signaal ${name} van ${at.name}: ${problem}`);
    return {
      ...{ name, startBit, bitCount, bigEndian, signed, float: signal.float, factor, offset, min, max, unit },
      ...named.get(name),
      ...(activeWhen && {
        activeWhen: { ...activeWhen, switch: named.get(activeWhen.switch)?.name ?? activeWhen.switch },
      }),
      ...(signal.values && { values: signal.values }),
      ...(signal.comment !== undefined && { comment: signal.comment }),
      ...(problem !== undefined && { unreadable: problem }),
    };
  };
  const signals = [...judged].map(([name, one]) => {
    const signal = finish(one);
    const numbers = new Set([one.draft.at.branch]);
    const branches = one.draft.branches.flatMap((branch): DbcSignal[] => {
      const other = judge(branch);
      // A SG_MUL_VAL_ line names a signal, and therefore applies to both signals of that name.
      if (draft.ranges.has(name) || numbers.has(branch.at.branch)) other.problem ??= 'staat er twee keer';
      other.problem ??= switchProblem(other, judged);
      numbers.add(branch.at.branch);
      const finished = finish(other);
      return finished.unreadable === undefined ? [finished] : [];
    });
    return branches.length === 0 ? signal : { ...signal, branches };
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

/** Marks signals whose multiplexer switch is unreadable, and signals whose switches depend on each other in a circle. */
function judgeSwitches(
  { at }: DraftMessage,
  judged: ReadonlyMap<string, Judged>,
  findings: DbcFindings,
): void {
  const links = [...judged].map(([name, { activeWhen }]) => ({ name, ...(activeWhen && { activeWhen }) }));
  const ordered = sortByMultiplexSwitch(links);
  if (ordered !== undefined) {
    for (const { name } of ordered) {
      const one = judged.get(name) as Judged;
      one.problem ??= switchProblem(one, judged);
    }
    return;
  }
  const circle = 'multiplexsignalen hangen van elkaar af';
  findings.fail(at.line, `bericht ${at.name}: ${circle}`);
  for (const one of judged.values()) if (one.activeWhen) one.problem ??= circle;
}

const switchProblem = ({ activeWhen }: Judged, judged: ReadonlyMap<string, Judged>): string | undefined =>
  activeWhen && judged.get(activeWhen.switch)?.problem !== undefined
    ? `multiplexschakelaar ${activeWhen.switch} wordt niet gelezen`
    : undefined;

/** Returns the Dutch reason why a signal is never decoded. Some files contain signals that lie outside their message. */
function problemOf({ at, float, problem }: DraftSignal, dlc: number): string | undefined {
  if (problem !== undefined) return problem;
  // J1939 files describe texts (a VIN) as one long signal. Such a signal is no number, but no reason to reject the file.
  if (at.bitCount > 64) return `${at.bitCount} bits is geen getal`;
  if (at.startBit >= dlc * 8 || lastByteOf(at) >= dlc) return `staat buiten het bericht van ${dlc} bytes`;
  if (float !== 0 && float !== at.bitCount)
    return `een kommagetal van ${float} bits staat in ${at.bitCount} bits`;
  return undefined;
}
