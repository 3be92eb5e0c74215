import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { compileMessage, type FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { GroupPlans } from '#server/telemetry/decode/j1939/group-plans.ts';
import { ANY_SOURCE, sourceOf } from '#server/telemetry/decode/j1939/identifier.ts';
import { rawNone } from '#server/telemetry/decode/j1939/values-that-are-none.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { type DecodeTargets, decodeTargets, type UsedMessage } from './decode-targets.ts';

/** A definition made ready for decoding. */
export type DecodePlan = {
  /** Slot -> the name under which a reading carries the signal. */
  readonly names: readonly string[];
  /** Per CAN bus; undefined: the bus has no DBC. */
  readonly buses: readonly (BusPlan | undefined)[];
};

export type BusPlan = {
  /** Plans of messages that are found by their whole identifier, by `messageKey`. */
  readonly frames: ReadonlyMap<number, FramePlan | 'unused'>;
  /** Messages of J1939; undefined: the bus has none. */
  readonly groups: GroupPlans<GroupPlan> | undefined;
};

/** `'unused'` instead of a plan: the DBC knows the message, the mapping takes nothing from it. */
export type FramePlan = { readonly decoder: FrameDecoder; readonly outputs: readonly FrameOutput[] };

/** A message of J1939; `key` is its `messageKey` in the DBC. */
export type GroupPlan = {
  readonly key: number;
  readonly isOfAnySource: boolean;
  readonly frame: FramePlan | 'unused';
};

/** The value at `place` of the decoder, x factor + offset, goes to `slot`. */
export type FrameOutput = {
  readonly place: number;
  readonly slot: number;
  readonly factor: number;
  readonly offset: number;
  /**
   * The source whose values count, for a message that any source sends. Absent: a mapped signal takes the first that
   * answers, and a kept signal takes each, under names of their own.
   */
  readonly source?: number;
  /** The value goes under the name of the DBC. */
  readonly isKept: boolean;
};

/**
 * Prepares the decoding of frames, its DBC files read here and now.
 * @throws DbcError, MappingError as `decodeTargets` does
 */
export const applyMapping = (definition: Definition): DecodePlan => planOf(decodeTargets(definition));

/** Prepares the decoding of frames. */
export function planOf({ names, buses: targets }: DecodeTargets): DecodePlan {
  const buses: BusPlan[] = [];
  for (const { bus, known, used, j1939 } of targets) {
    const isJ1939 = new Set(j1939);
    const plans = new Map<number, FramePlan | 'unused'>();
    for (const key of known) plans.set(key, 'unused');
    for (const message of used) plans.set(messageKey(message.message), planMessage(message));
    const groups = new Map<number, GroupPlan>();
    for (const key of isJ1939) {
      const id = key - FIRST_EXTENDED;
      groups.set(id, { key, isOfAnySource: sourceOf(id) === ANY_SOURCE, frame: plans.get(key) ?? 'unused' });
      plans.delete(key);
    }
    buses[bus] = { frames: plans, groups: groups.size === 0 ? undefined : new GroupPlans(groups) };
  }
  return { names, buses };
}

const FIRST_EXTENDED = messageKey({ id: 0, extended: true });

function planMessage({ message, signals }: UsedMessage): FramePlan {
  const wanted = new Set(signals.map(({ name }) => name));
  const decoder = compileMessage(message, wanted, message.isJ1939 ? rawNone : undefined);
  const places = new Map(decoder.names.map((name, place) => [name, place]));
  const outputs = signals.map(({ name, ...signal }): FrameOutput => {
    return { ...signal, place: places.get(name) as number };
  });
  return { decoder, outputs };
}
