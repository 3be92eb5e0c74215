import type { AbsentRawValues } from '#server/telemetry/decode/j1939/absent-raw-values.ts';
import type { DbcMessage, DbcSignal } from './dbc.ts';
import { sortByMultiplexSwitch } from './dbc-multiplex.ts';
import { SignalReader } from './dbc-signal-reader.ts';

/** Reads the signals of one message from its frames. */
export type FrameDecoder = {
  /** Names of the signals, by their index in `out`. */
  readonly names: readonly string[];
  /**
   * Writes the physical value of every signal in this frame to `out`, and NaN for signals of another multiplex branch, signals that
   * the frame is too short for, and values that are no finite number. NOT_AVAILABLE and ERROR_VALUE (dbc-signal-reader.ts) stand for
   * values that the sender marks as absent or wrong.
   * @param data the frame's bytes; the first `length` are valid
   * @param out array with at least `names.length` elements
   * @returns the number of signals left out because they are no finite number
   */
  readonly decode: (data: Uint8Array, length: number, out: Float64Array) => number;
};

/**
 * Prepares the decoding of a message. Values are exact up to 53 bits and rounded once above that; they are never
 * clamped to the DBC's range. Signals marked `unreadable` are skipped.
 * @param wanted the signals to decode; default: all
 * @param noneOf returns the raw values of a signal that are no measurement; default: every raw value is a measurement
 */
export function compileMessage(
  message: DbcMessage,
  wanted?: ReadonlySet<string>,
  noneOf?: (signal: DbcSignal) => AbsentRawValues | undefined,
): FrameDecoder {
  const readable = message.signals.filter(({ unreadable }) => unreadable === undefined);
  const outputs = readable.filter(({ name }) => wanted === undefined || wanted.has(name));
  const places = new Map(outputs.map(({ name }, place) => [name, place]));
  const needed = withTheirSwitches(outputs, readable);
  const ordered = sortByMultiplexSwitch(needed) ?? []; // the parser has refused switches that depend on each other in a circle
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
    if (selector !== undefined) needed.add(selector); // iterating over a growing set includes the switches of switches
  }
  return [...needed];
}
