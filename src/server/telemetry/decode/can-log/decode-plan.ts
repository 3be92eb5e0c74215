import { type DbcMessage, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { compileMessage, type FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import {
  type Dbcs,
  keptTargets,
  mappedTargets,
  type Target,
} from '#server/telemetry/decode/mapping-targets.ts';
import type { Definition } from '#shared/contract/definition.ts';

/** A definition made ready for decoding. */
export type DecodePlan = {
  /** Slot -> the name under which a reading carries the signal. */
  readonly names: readonly string[];
  /** Per CAN bus: what to do with a frame, by `messageKey`. Undefined: the bus has no DBC. */
  readonly buses: readonly (ReadonlyMap<number, FramePlan | 'unused'> | undefined)[];
};

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
 * Prepares the decoding of frames: the mapped signals under our names, and the signals of kept messages
 * under their DBC names. A kept name that would occur twice (`Counter`) becomes `Message.Counter`.
 * @throws DbcError for a broken DBC, naming the file
 * @throws MappingError when the mapping names what no DBC has, or what can mean more than one thing
 */
export function applyMapping(definition: Definition): DecodePlan {
  const dbcs: Dbcs = new Map();
  for (const { bus, name, dbc } of definition.buses) {
    if (dbcs.has(bus)) throw new MappingError(`Bus can${bus} heeft twee DBC-bestanden.`);
    dbcs.set(bus, parseDbc(dbc, name));
  }
  const mapped = mappedTargets(definition.mapping.signals, dbcs);
  const targets = [...mapped, ...keptTargets(definition.mapping.keep, dbcs, mapped)];
  const byMessage = Map.groupBy(targets.entries(), ([, target]) => target.message);

  const buses: Map<number, FramePlan | 'unused'>[] = [];
  for (const [bus, { messages }] of dbcs) {
    const planOf = (message: DbcMessage) => planMessage(message, byMessage.get(message) ?? []);
    buses[bus] = new Map(messages.map((message) => [messageKey(message), planOf(message)]));
  }
  return { names: targets.map(({ name }) => name), buses };
}

function planMessage(message: DbcMessage, targets: readonly [slot: number, Target][]): FramePlan | 'unused' {
  if (targets.length === 0) return 'unused';
  const decoder = compileMessage(message, new Set(targets.map(([, { signal }]) => signal.name)));
  const places = new Map(decoder.names.map((name, place) => [name, place]));
  const outputs = targets.map(([slot, { signal, factor, offset }]): FrameOutput => {
    return { place: places.get(signal.name) as number, slot, factor, offset };
  });
  return { decoder, outputs };
}
