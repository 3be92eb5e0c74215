import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { compileMessage, type FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { absentRawValues } from '#server/telemetry/decode/j1939/absent-raw-values.ts';
import { J1939PlanIndex } from '#server/telemetry/decode/j1939/group-plans.ts';
import { ANY_SOURCE_ADDRESS, sourceAddressOf } from '#server/telemetry/decode/j1939/identifier.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { type DecodeTargets, decodeTargets, type UsedMessage } from './decode-targets.ts';

/** A definition, prepared for decoding. */
export type DecodePlan = {
  /** The names of the signals in readings. The index of a name is the signal's slot. */
  readonly names: readonly string[];
  /** Plan of each CAN bus; undefined: the bus has no DBC. */
  readonly buses: readonly (BusPlan | undefined)[];
};

export type BusPlan = {
  /** The plan of each message that is found by its whole identifier. The key is its `messageKey`. */
  readonly frames: ReadonlyMap<number, FramePlan | 'unused'>;
  /** Messages of J1939; undefined for a bus without them. */
  readonly groups: J1939PlanIndex<J1939MessagePlan> | undefined;
};

/** Decoder of a message. 'unused' replaces the plan of a message that is in the DBC but from which the mapping uses no signal. */
export type FramePlan = {
  readonly decoder: FrameDecoder;
  readonly outputs: readonly DecodedValueDestination[];
};

/** A J1939 message; `key` is its `messageKey` in the DBC. */
export type J1939MessagePlan = {
  readonly key: number;
  readonly isOfAnySource: boolean;
  readonly frame: FramePlan | 'unused';
};

/** Destination of a decoded value: value number `place` of the decoder, times factor plus offset, is written to `slot` of the reading. */
export type DecodedValueDestination = {
  readonly place: number;
  readonly slot: number;
  readonly factor: number;
  readonly offset: number;
  /**
   * The source whose values are used, for a message that any source may send. If it is absent, a mapped signal uses the first
   * source that sends it, and a signal under its DBC name (`isKept`) uses every source, with a name for each.
   */
  readonly source?: number;
  /** Whether the signal is of a kept message: its value is then stored under its DBC name. */
  readonly isKept: boolean;
};

/**
 * Prepares the decoding of frames. Parses the DBC files, which may take long.
 * @throws DbcError, MappingError as `decodeTargets` does
 */
export const planFromDefinition = (definition: Definition): DecodePlan =>
  createDecodePlan(decodeTargets(definition));

/** Prepares the decoding of frames. */
export function createDecodePlan({ names, buses: targets }: DecodeTargets): DecodePlan {
  const buses: BusPlan[] = [];
  for (const { bus, known, used, j1939 } of targets) {
    const isJ1939 = new Set(j1939);
    const plans = new Map<number, FramePlan | 'unused'>();
    for (const key of known) plans.set(key, 'unused');
    for (const message of used) plans.set(messageKey(message.message), planMessage(message));
    const groups = new Map<number, J1939MessagePlan>();
    for (const key of isJ1939) {
      const id = key - FIRST_EXTENDED;
      groups.set(id, {
        key,
        isOfAnySource: sourceAddressOf(id) === ANY_SOURCE_ADDRESS,
        frame: plans.get(key) ?? 'unused',
      });
      plans.delete(key);
    }
    buses[bus] = { frames: plans, groups: groups.size === 0 ? undefined : new J1939PlanIndex(groups) };
  }
  return { names, buses };
}

const FIRST_EXTENDED = messageKey({ id: 0, extended: true });

function planMessage({ message, signals }: UsedMessage): FramePlan {
  const wanted = new Set(signals.map(({ name }) => name));
  const decoder = compileMessage(message, wanted, message.isJ1939 ? absentRawValues : undefined);
  const places = new Map(decoder.names.map((name, place) => [name, place]));
  const outputs = signals.map(({ name, ...signal }): DecodedValueDestination => {
    return { ...signal, place: places.get(name) as number };
  });
  return { decoder, outputs };
}
