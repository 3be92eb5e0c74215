import type { Dbc, DbcMessage, DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import { type Dbcs, mappedTargets } from '#server/telemetry/decode/mapping-targets.ts';
import type { Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { unmappedSignals } from '#shared/domain/signal.ts';

export type CarriedOver = {
  readonly mapping: Mapping;
  /** In Dutch: what was mapped before and has nothing to come from any more. */
  readonly dropped: readonly string[];
};

/** The mapping of one set of DBC files for another set: what still means the same thing stays, the rest is dropped. */
export function carryOver(mapping: Mapping, before: Dbcs, after: Dbcs): CarriedOver {
  const dropped: string[] = [];
  const signals = mapping.signals.flatMap((entry) => {
    // Its place is named first: a second DBC with such a signal would make it ambiguous.
    const kept = [placed(entry, before), entry].find((candidate) => resolves(candidate, after));
    if (!kept)
      dropped.push(`Koppeling ${entry.signal} → ${entry.to} is vervallen: het signaal is er niet meer.`);
    return kept ?? [];
  });
  const keep = mapping.keep.filter(({ bus, message }) => {
    const there = after.get(bus)?.messages.some(({ name }) => name === message) ?? false;
    if (!there) dropped.push(`Bewaren van ${message} (can${bus}) is vervallen: het bericht is er niet meer.`);
    return there;
  });
  return { mapping: { signals, keep }, dropped };
}

/** The same entry with its bus and message, where it can be found. */
function placed(entry: SignalMapping, dbcs: Dbcs): SignalMapping {
  if (!resolves(entry, dbcs)) return entry;
  const [target] = mappedTargets([entry], dbcs);
  const bus = [...dbcs].find(([, { messages }]) => messages.includes(target?.message as DbcMessage))?.[0];
  return bus === undefined || !target ? entry : { ...entry, bus, message: target.message.name };
}

function resolves(entry: SignalMapping, dbcs: Dbcs): boolean {
  try {
    return mappedTargets([entry], dbcs).length === 1;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}

/** Entries for the signals of one bus whose names are ours but for case, where exactly one signal has the name. */
export function equallyNamed({ signals: mapped }: Mapping, bus: number, dbc: Dbc): SignalMapping[] {
  const byName = Map.groupBy(readableSignals(dbc), ({ signal }) => signal.name.toLowerCase());
  return unmappedSignals(mapped.map(({ to }) => to)).flatMap((to) => {
    const [only, another] = byName.get(to.toLowerCase()) ?? [];
    if (!only || another) return [];
    const { message, signal } = only;
    const twins = dbc.messages.filter(({ name }) => name === message.name).length > 1;
    const used = mapped.some(
      (entry) => entry.signal === signal.name && entry.message === message.name && entry.bus === bus,
    );
    return twins || used ? [] : [{ bus, message: message.name, signal: signal.name, to }];
  });
}

export const readableSignals = (dbc: Dbc): { readonly message: DbcMessage; readonly signal: DbcSignal }[] =>
  dbc.messages.flatMap((message) =>
    message.signals
      .filter(({ unreadable }) => unreadable === undefined)
      .map((signal) => ({ message, signal })),
  );
