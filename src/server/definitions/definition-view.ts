import type { StreamKind } from '#server/streams/streams.store.ts';
import {
  canIdText,
  type Dbc,
  type DbcSignal,
  unreadableLinesText,
} from '#server/telemetry/decode/dbc/dbc.ts';
import { isKnownPgn, pgnOf } from '#server/telemetry/decode/j1939/identifier.ts';
import {
  isSentByAnySource,
  j1939MessagesMarkedByFile,
} from '#server/telemetry/decode/j1939/messages-of-dbc.ts';
import type { DbcsByBus } from '#server/telemetry/decode/mapping-targets.ts';
import type {
  BusDefinition,
  Definition,
  DefinitionBus,
  DefinitionView,
} from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';
import { unmappedSignals } from '#shared/domain/signal.ts';
import { mappingWithLongNames } from './long-names.ts';
import { readableSignals } from './mapping-changes.ts';
import { proposeMappings } from './proposals.ts';

/**
 * Returns a definition for the mapping screen.
 * @param version the definition's id; 0 for none
 * @param kind kind of its stream
 * @param notes per bus, texts about the results of a change, such as dropped mappings; they precede the warnings about its DBC file
 */
export function buildDefinitionView(
  version: number,
  kind: StreamKind,
  { buses, mapping: stored }: Definition,
  dbcs: DbcsByBus,
  notes: ReadonlyMap<number, readonly string[]> = new Map(),
): DefinitionView {
  const mapping = mappingWithLongNames(stored, dbcs);
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
    mapping,
    proposals: proposeMappings(unmapped, candidates),
    unmapped,
  };
}

const busView = (
  { bus, bitrate, name, dbc: text, j1939 = 'none' }: BusDefinition,
  dbc: Dbc,
  notes: readonly string[],
): DefinitionBus => ({
  bus,
  bitrate,
  name,
  j1939,
  j1939Proposed: proposedFor(j1939, text, dbc),
  messages: dbc.messages.map((message) => ({
    identifier: canIdText(message),
    name: message.name,
    ...(message.isJ1939 && { isJ1939: true }),
    ...(isSentByAnySource(message) && { isOfAnySource: true }),
    ...(message.comment !== undefined && { comment: message.comment }),
    signals: message.signals.map(signalView),
  })),
  unreadable: unreadableLinesText(dbc.unreadable),
  warnings: [...notes, ...dbc.warnings.map(({ line, text }) => `regel ${line}: ${text}`)],
});

/**
 * Returns the choice of J1939 messages that is proposed instead of 'none': for a file that marks them, or a file with mostly 29-bit
 * identifiers, most of which are known J1939 groups; null: no choice is proposed.
 */
function proposedFor(chosen: J1939Scope, text: string, dbc: Dbc): J1939Scope | null {
  if (chosen !== 'none') return null;
  if (j1939MessagesMarkedByFile(text, dbc).size > 0) return 'dbc';
  const extended = dbc.messages.filter((message) => message.extended);
  const known = extended.filter(({ id }) => isKnownPgn(pgnOf(id)));
  return extended.length > dbc.messages.length / 2 && known.length > extended.length / 2 ? 'all' : null;
}

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

/** Replaces Infinity, which JSON cannot hold, by 0: a signal's range is only a hint. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
