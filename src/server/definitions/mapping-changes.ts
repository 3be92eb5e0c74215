import type { StreamKind } from '#server/streams/streams.store.ts';
import {
  type Dbc,
  type DbcMessage,
  type DbcSignal,
  matchesDbcName,
} from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import { type DbcsByBus, mappedTargets } from '#server/telemetry/decode/mapping-targets.ts';
import type { Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { catalogueSpelling, isChargingFlag, unmappedSignals } from '#shared/domain/signal.ts';
import { matchUnit } from '#shared/domain/signal-units.ts';

export type CarriedOverMapping = {
  readonly mapping: Mapping;
  /** Texts in Dutch about the dropped entries and kept messages: their signal or message is no longer in the DBC files. */
  readonly dropped: readonly string[];
};

/** Carries a mapping over from one set of DBC files to another: entries whose signal the new files have stay, the others are dropped. */
export function carryOverMapping(mapping: Mapping, before: DbcsByBus, after: DbcsByBus): CarriedOverMapping {
  const dropped: string[] = [];
  const signals = mapping.signals.flatMap((entry) => {
    // Tries the entry with its bus and message first, because a second DBC with a signal of that name makes the bare name ambiguous.
    const kept = [placed(entry, before), entry].find((candidate) => resolves(candidate, after));
    if (!kept)
      dropped.push(`Koppeling ${entry.signal} → ${entry.to} is vervallen: het signaal is er niet meer.`);
    return kept ?? [];
  });
  const keep = mapping.keep.filter(({ bus, message }) => {
    const there = after.get(bus)?.messages.some((one) => matchesDbcName(one, message)) ?? false;
    if (!there) dropped.push(`Bewaren van ${message} (can${bus}) is vervallen: het bericht is er niet meer.`);
    return there;
  });
  return { mapping: { signals, keep }, dropped };
}

/** Returns the entry with the bus and message of its signal, or unchanged if its signal is not found. */
function placed(entry: SignalMapping, dbcs: DbcsByBus): SignalMapping {
  if (!resolves(entry, dbcs)) return entry;
  const [target] = mappedTargets([entry], dbcs);
  const bus = [...dbcs].find(([, { messages }]) => messages.includes(target?.message as DbcMessage))?.[0];
  return bus === undefined || !target ? entry : { message: target.message.name, ...entry, bus };
}

function resolves(entry: SignalMapping, dbcs: DbcsByBus): boolean {
  try {
    return mappedTargets([entry], dbcs).length === 1;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}

/**
 * Returns entries for the signals of one bus whose names equal those of the portal's signals except for case (`catalogueSpelling`), if
 * exactly one signal of the bus has the name, the name is one that this kind of stream uses and that is not mapped yet, and the units are
 * of the same quantity. The portal maps these signals without asking, so they must not be wrong. An entry's factor converts the unit to
 * the portal's.
 */
export function mapSignalsWithEqualNames(
  { signals: mapped }: Mapping,
  bus: number,
  dbc: Dbc,
  kind: StreamKind,
): SignalMapping[] {
  const byName = Map.groupBy(readableSignals(dbc), ({ signal }) => signal.name.toLowerCase());
  const open = openNames(mapped, kind);
  return [...byName.values()].flatMap(([only, another]) => {
    if (!only || another) return [];
    const { message, signal } = only;
    const to = catalogueSpelling(signal.name);
    if (to === undefined || !open(to)) return [];
    const { kind: fit, factor } = matchUnit(to, signal);
    if (fit === 'another') return [];
    const twins = dbc.messages.filter(({ name }) => name === message.name).length > 1;
    const used = mapped.some(
      (entry) =>
        matchesDbcName(signal, entry.signal) &&
        matchesDbcName(message, entry.message ?? '') &&
        entry.bus === bus,
    );
    if (twins || used) return [];
    const entry = { bus, message: message.name, signal: signal.name, to };
    return [factor === undefined ? entry : { ...entry, factor }];
  });
}

/**
 * Returns a function that says whether a name can still be mapped. Each name can be mapped once; a machine may have any number of
 * charging flags with different names.
 */
function openNames(mapped: readonly SignalMapping[], kind: StreamKind): (to: string) => boolean {
  const unmapped = new Set(
    unmappedSignals(
      mapped.map(({ to }) => to),
      kind,
    ),
  );
  const flags = new Set(mapped.map(({ to }) => to.toLowerCase()));
  return (to) => (isChargingFlag(to) ? !flags.has(to.toLowerCase()) : unmapped.has(to));
}

export const readableSignals = (dbc: Dbc): { readonly message: DbcMessage; readonly signal: DbcSignal }[] =>
  dbc.messages.flatMap((message) =>
    message.signals
      .filter(({ unreadable }) => unreadable === undefined)
      .map((signal) => ({ message, signal })),
  );
