import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { compileMessage, type FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { GroupPlans } from '#server/telemetry/decode/j1939/group-plans.ts';
import { firstNone } from '#server/telemetry/decode/j1939/values-that-are-none.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { type DecodeTargets, decodeTargets, type UsedMessage } from './decode-targets.ts';

/** A definition made ready for decoding. */
export type DecodePlan = {
  /** Slot -> the name under which a reading carries the signal. */
  readonly names: readonly string[];
  /** Per CAN bus: what to do with a frame, by `messageKey`. Undefined: the bus has no DBC. */
  readonly buses: readonly (BusPlan | undefined)[];
};

/** Undefined: no message of the DBC is such a frame. */
export type BusPlan = { get(key: number): FramePlan | 'unused' | undefined };

/** `'unused'` instead of a plan: the DBC knows the message, the mapping takes nothing from it. */
export type FramePlan = { readonly decoder: FrameDecoder; readonly outputs: readonly FrameOutput[] };

/** The value at `place` of the decoder, x factor + offset, goes to `slot`. */
type FrameOutput = {
  readonly place: number;
  readonly slot: number;
  readonly factor: number;
  readonly offset: number;
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
    const groups = new Set(j1939);
    const plans = new Map<number, FramePlan | 'unused'>();
    for (const key of known) plans.set(key, 'unused');
    for (const message of used) {
      const key = messageKey(message.message);
      plans.set(key, planMessage(message, groups.has(key)));
    }
    buses[bus] = groups.size === 0 ? plans : new GroupPlans(plans, groups);
  }
  return { names, buses };
}

function planMessage({ message, signals }: UsedMessage, isJ1939: boolean): FramePlan {
  const wanted = new Set(signals.map(({ name }) => name));
  const decoder = compileMessage(message, wanted, isJ1939 ? firstNone : undefined);
  const places = new Map(decoder.names.map((name, place) => [name, place]));
  const outputs = signals.map(({ name, slot, factor, offset }): FrameOutput => {
    return { place: places.get(name) as number, slot, factor, offset };
  });
  return { decoder, outputs };
}
