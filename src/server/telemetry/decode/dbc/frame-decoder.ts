import type { RawNone } from '#server/telemetry/decode/j1939/values-that-are-none.ts';
import type { DbcMessage, DbcSignal } from './dbc.ts';
import { switchesFirst } from './dbc-multiplex.ts';
import { SignalReader } from './dbc-signal-reader.ts';

/** Reads the signals of one message out of its frames. */
export type FrameDecoder = {
  /** Place in `out` -> name. */
  readonly names: readonly string[];
  /**
   * Writes the physical value of every signal that this frame carries to `out`, and NaN for the others:
   * those of another multiplex branch, those that the frame is too short for, those that are no finite
   * number. NOT_AVAILABLE and SENT_ERROR (dbc-signal-reader.ts) stand for what the sender marks so.
   * @param data the frame's bytes, of which the first `length` count
   * @param out at least `names.length` places
   * @returns how many signals were left out because they are no finite number
   */
  readonly decode: (data: Uint8Array, length: number, out: Float64Array) => number;
};

/**
 * Prepares the decoding of a message. Values are exact up to 53 bits and rounded once above that; they are
 * never clamped to the DBC's range. Signals marked `unreadable` are passed.
 * @param wanted the signals to decode; absent: all
 * @param noneOf the raw values of a signal that are no measurement; absent: every value counts
 */
export function compileMessage(
  message: DbcMessage,
  wanted?: ReadonlySet<string>,
  noneOf?: (signal: DbcSignal) => RawNone | undefined,
): FrameDecoder {
  const readable = message.signals.filter(({ unreadable }) => unreadable === undefined);
  const outputs = readable.filter(({ name }) => wanted === undefined || wanted.has(name));
  const places = new Map(outputs.map(({ name }, place) => [name, place]));
  const needed = withTheirSwitches(outputs, readable);
  const ordered = switchesFirst(needed) ?? []; // the parser refused circles
  const switches = new Map<string, number>();
  for (const { activeWhen } of needed)
    if (activeWhen !== undefined && !switches.has(activeWhen.switch))
      switches.set(activeWhen.switch, switches.size);

  const readers = ordered.flatMap((signal) =>
    [signal, ...(signal.branches ?? [])].map(
      (one) => new SignalReader(one, places.get(one.name), switches, noneOf?.(one), one === signal),
    ),
  );
  const switchValues = new Float64Array(switches.size);
  const decode = (data: Uint8Array, length: number, out: Float64Array): number => {
    let notFinite = 0;
    for (const reader of readers) if (!reader.read(data, length, out, switchValues)) notFinite += 1;
    return notFinite;
  };
  return { names: outputs.map(({ name }) => name), decode };
}

function withTheirSwitches(outputs: readonly DbcSignal[], readable: readonly DbcSignal[]): DbcSignal[] {
  const byName = new Map(readable.map((signal) => [signal.name, signal]));
  const needed = new Set(outputs);
  for (const { activeWhen } of needed) {
    const selector = activeWhen && byName.get(activeWhen.switch);
    if (selector !== undefined) needed.add(selector); // a set is walked to its growing end: switches of switches too
  }
  return [...needed];
}
