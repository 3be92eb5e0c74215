import { type Dbc, type DbcMessage, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseBusDbc } from '#server/telemetry/decode/j1939/messages-of-dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import { keptSignalTargets, mappedTargets } from '#server/telemetry/decode/mapping-targets.ts';
import type { Definition } from '#shared/contract/definition.ts';

/** The values that a definition uses from the frames of each bus. Plain data; its size depends on the mapping, not on the DBC files. */
export type DecodeTargets = {
  /** The names of the signals in readings. The index of a name is the signal's slot. */
  readonly names: readonly string[];
  readonly buses: readonly BusTargets[];
};

type BusTargets = {
  readonly bus: number;
  /** `messageKey` of every message in the DBC of the bus. */
  readonly known: Float64Array;
  /** `messageKey` of the J1939 messages. */
  readonly j1939: Float64Array;
  readonly used: readonly UsedMessage[];
};

export type UsedMessage = { readonly message: DbcMessage; readonly signals: readonly UsedSignal[] };

/** A signal whose value x factor + offset is written to `slot`. */
type UsedSignal = {
  readonly name: string;
  readonly slot: number;
  readonly factor: number;
  readonly offset: number;
  /** The J1939 source address whose values are used; `DecodedValueDestination.source` says which sources are used if this one is absent. */
  readonly source?: number;
  readonly isKept: boolean;
};

/**
 * Finds the mapped signals, which get the portal's names, and the signals of kept messages, which keep their DBC names. If a kept
 * name would occur twice, or is one that figures use, the message's name is put before it: `Counter` becomes `Message.Counter`.
 * @throws DbcError for a broken DBC, with the name of the file
 * @throws MappingError when the mapping has a name that no DBC contains, or an ambiguous one
 */
export function decodeTargets(definition: Definition): DecodeTargets {
  const dbcs = new Map<number, Dbc>();
  for (const definitionBus of definition.buses) {
    const { bus } = definitionBus;
    if (dbcs.has(bus))
      throw new MappingError({
        nl: `Bus can${bus} heeft twee DBC-bestanden.`,
        en: `Bus can${bus} has two DBC files.`,
      });
    dbcs.set(bus, parseBusDbc(definitionBus));
  }
  const mapped = mappedTargets(definition.mapping.signals, dbcs);
  const targets = [...mapped, ...keptSignalTargets(definition.mapping.keep, dbcs, mapped)];
  const signals = targets.flatMap(({ message, signal, alsoIn = [], factor, offset, source }, slot) => {
    const isKept = slot >= mapped.length;
    return [{ message, signal }, ...alsoIn].map((its) => {
      const { name } = its.signal;
      const used = { name, slot, factor, offset, isKept, ...(source !== undefined && { source }) };
      return { message: its.message, used };
    });
  });
  const byMessage = Map.groupBy(signals, ({ message }) => message);
  const buses = [...dbcs].map(([bus, { messages }]): BusTargets => {
    const known = Float64Array.from(messages, messageKey);
    const used = messages.flatMap((message): UsedMessage[] => {
      const its = byMessage.get(message);
      return its === undefined ? [] : [{ message, signals: its.map((one) => one.used) }];
    });
    const j1939 = messages.filter(({ isJ1939 }) => isJ1939);
    return { bus, known, used, j1939: Float64Array.from(j1939, messageKey) };
  });
  return { names: targets.map(({ name }) => name), buses };
}
