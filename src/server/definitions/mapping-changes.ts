import type { StreamKind } from '#server/streams/streams.store.ts';
import { type Dbc, type DbcMessage, type DbcSignal, isCalled } from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import { type Dbcs, mappedTargets } from '#server/telemetry/decode/mapping-targets.ts';
import type { Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { isChargingFlag, ourSpelling, unmappedSignals } from '#shared/domain/signal.ts';
import { unitFit } from '#shared/domain/signal-units.ts';

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
    const there = after.get(bus)?.messages.some((one) => isCalled(one, message)) ?? false;
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
  return bus === undefined || !target ? entry : { message: target.message.name, ...entry, bus };
}

function resolves(entry: SignalMapping, dbcs: Dbcs): boolean {
  try {
    return mappedTargets([entry], dbcs).length === 1;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}

/**
 * Entries for the signals of one bus whose names are ours but for case (`ourSpelling`), where exactly one signal has the
 * name, it is asked of this kind, and its unit is of no other quantity: the portal chooses them, and must not be wrong. An
 * entry's factor converts that unit to ours.
 */
export function equallyNamed(
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
    const to = ourSpelling(signal.name);
    if (to === undefined || !open(to)) return [];
    const { kind: fit, factor } = unitFit(to, signal);
    if (fit === 'another') return [];
    const twins = dbc.messages.filter(({ name }) => name === message.name).length > 1;
    const used = mapped.some(
      (entry) =>
        isCalled(signal, entry.signal) && isCalled(message, entry.message ?? '') && entry.bus === bus,
    );
    if (twins || used) return [];
    const entry = { bus, message: message.name, signal: signal.name, to };
    return [factor === undefined ? entry : { ...entry, factor }];
  });
}

/** Whether something may still feed a name: a machine has one signal per pack, and as many flags as it has names for. */
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
