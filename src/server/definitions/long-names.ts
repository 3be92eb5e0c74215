import { matchesDbcName } from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import {
  type DbcsByBus,
  type MappingTarget,
  mappedTargets,
} from '#server/telemetry/decode/mapping-targets.ts';
import type { KeptMessage, Mapping, SignalMapping } from '#shared/contract/definition.ts';

/** Returns the mapping with the long names of those signals and messages that have one in the DBC files. */
export const mappingWithLongNames = ({ signals, keep }: Mapping, dbcs: DbcsByBus): Mapping => ({
  signals: signals.map((entry) => shownEntry(entry, dbcs)),
  keep: keep.map((kept) => shownKept(kept, dbcs)),
});

/** Returns a sent mapping, with the stored spelling of names in each entry that is only spelled differently, so that it is no change. */
export function keepStoredSpelling(sent: Mapping, stored: Mapping, dbcs: DbcsByBus): Mapping {
  const before = new Map(stored.signals.map((entry) => [entry.to, entry]));
  const kept = new Map(stored.keep.map((entry) => [placeOf(shownKept(entry, dbcs)), entry]));
  return {
    signals: sent.signals.map((entry) => {
      const own = before.get(entry.to);
      const shown = own && shownEntry(own, dbcs);
      if (shown?.signal !== entry.signal || shown.message !== entry.message) return entry;
      const { signal, message } = own as SignalMapping;
      return { ...entry, signal, ...(message !== undefined && { message }) };
    }),
    keep: sent.keep.map((entry) => kept.get(placeOf(entry)) ?? entry),
  };
}

const placeOf = ({ bus, message }: KeptMessage): string => `${bus} ${message}`;

function shownEntry(entry: SignalMapping, dbcs: DbcsByBus): SignalMapping {
  const target = targetOf(entry, dbcs);
  if (target === undefined) return entry;
  const { message, signal } = target;
  return { ...entry, signal: signal.name, ...(entry.message !== undefined && { message: message.name }) };
}

function shownKept({ bus, message }: KeptMessage, dbcs: DbcsByBus): KeptMessage {
  const found = dbcs.get(bus)?.messages.find((one) => matchesDbcName(one, message));
  return { bus, message: found?.name ?? message };
}

function targetOf(entry: SignalMapping, dbcs: DbcsByBus): MappingTarget | undefined {
  try {
    return mappedTargets([entry], dbcs)[0];
  } catch (error) {
    if (error instanceof MappingError) return undefined;
    throw error;
  }
}
