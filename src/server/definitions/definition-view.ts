import type { StreamKind } from '#server/streams/streams.store.ts';
import type { Dbc, DbcMessage, DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import type { Dbcs } from '#server/telemetry/decode/mapping-targets.ts';
import type {
  BusDefinition,
  Definition,
  DefinitionBus,
  DefinitionView,
} from '#shared/contract/definition.ts';
import { unmappedSignals } from '#shared/domain/signal.ts';
import { readableSignals } from './mapping-changes.ts';
import { proposals } from './proposals.ts';

/**
 * A definition as the mapping screen shows it.
 * @param version the definition's id; 0 for none
 * @param kind whose definition it is
 * @param notes per bus, what a change has led to, put before the file's own warnings
 */
export function viewOf(
  version: number,
  kind: StreamKind,
  { buses, mapping }: Definition,
  dbcs: Dbcs,
  notes: ReadonlyMap<number, readonly string[]> = new Map(),
): DefinitionView {
  const unmapped = unmappedSignals(
    mapping.signals.map(({ to }) => to),
    kind,
  );
  const used = new Set(mapping.signals.map(({ bus, message, signal }) => `${bus} ${message} ${signal}`));
  const candidates = [...dbcs].flatMap(([bus, dbc]) =>
    readableSignals(dbc)
      .map(({ message, signal }) => ({ ...signal, bus, message: message.name }))
      .filter(({ message, name }) => !used.has(`${bus} ${message} ${name}`)),
  );
  return {
    version,
    kind,
    buses: buses.map((bus) => busView(bus, dbcs.get(bus.bus) as Dbc, notes.get(bus.bus) ?? [])),
    mapping: { signals: [...mapping.signals], keep: [...mapping.keep] },
    proposals: proposals(unmapped, candidates),
    unmapped,
  };
}

const busView = (
  { bus, bitrate, name }: BusDefinition,
  dbc: Dbc,
  notes: readonly string[],
): DefinitionBus => ({
  bus,
  bitrate,
  name,
  messages: dbc.messages.map((message) => ({
    identifier: identifierOf(message),
    name: message.name,
    ...(message.comment !== undefined && { comment: message.comment }),
    signals: message.signals.map(signalView),
  })),
  warnings: [...notes, ...dbc.warnings.map(({ line, text }) => `regel ${line}: ${text}`)],
});

/** '0x18FF50E5', and '0x1F1' for an identifier of 11 bits. */
const identifierOf = ({ id, extended }: Pick<DbcMessage, 'id' | 'extended'>): string =>
  `0x${id
    .toString(16)
    .toUpperCase()
    .padStart(extended ? 8 : 3, '0')}`;

const signalView = ({ name, unit, factor, min, max, comment, activeWhen, unreadable }: DbcSignal) => ({
  name,
  unit,
  factor: finite(factor),
  min: finite(min),
  max: finite(max),
  ...(comment !== undefined && { comment }),
  ...(activeWhen && {
    activeWhen: `${activeWhen.switch} = ${activeWhen.ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')}`,
  }),
  ...(unreadable !== undefined && { unreadable }),
});

/** JSON has no Infinity; a range is a hint only. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
