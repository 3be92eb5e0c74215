import type { ConfigRequest } from '#server/logger-config/config-request.ts';
import { type LoggerConfig, makeLoggerConfig } from '#server/logger-config/logger-config.ts';
import { invalidInputError, notFound } from '#server/platform/problem.ts';
import type { StreamKind } from '#server/streams/streams.store.ts';
import { type DecodeTargets, decodeTargets } from '#server/telemetry/decode/can-log/decode-targets.ts';
import { canIdText, type Dbc, DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { absentValues } from '#server/telemetry/decode/j1939/absent-values.ts';
import { j1939MessagesMarkedByFile, parseBusDbc } from '#server/telemetry/decode/j1939/messages-of-dbc.ts';
import { MappingError, parseMapping } from '#server/telemetry/decode/mapping.ts';
import {
  type DbcsByBus,
  keptSignalTargets,
  type MappingTarget,
  mappedTargets,
} from '#server/telemetry/decode/mapping-targets.ts';
import type { BusDefinition, Definition, DefinitionView, Mapping } from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';
import { buildDefinitionView } from './definition-view.ts';
import { keepStoredSpelling } from './long-names.ts';
import { carryOverMapping, mapSignalsWithEqualNames } from './mapping-changes.ts';

/** A definition, and the kind of its stream. */
type Given = { readonly definition: Definition; readonly kind: StreamKind };

/** Returns which messages of a new DBC file are J1939: 'dbc' (those that the file marks) if it marks any, otherwise 'none'. */
const j1939Of = (text: string, dbc: Dbc): J1939Scope =>
  j1939MessagesMarkedByFile(text, dbc).size > 0 ? 'dbc' : 'none';

/** Which messages of a bus are J1939; `j1939Messages` lists them if the choice is 'some'. */
export type J1939Selection = Required<Pick<BusDefinition, 'j1939' | 'j1939Messages'>>;

/** A definition after a change, and its view on the mapping screen. The view's version is 0, because it is not known yet. */
export type ChangedDefinition = { readonly definition: Definition; readonly view: DefinitionView };

/**
 * Tasks that parse a definition's DBC files. They are pure, and slow for large files: call them through the thread (definition-thread.ts).
 * Input and output are plain data.
 */
export const definitionTasks = {
  /**
   * Returns the view of a definition.
   * @param version the definition's id; 0 for none
   */
  view: ({ version, definition, kind }: Given & { version: number }): DefinitionView =>
    buildDefinitionView(version, kind, definition, dbcsOf(definition)),

  /**
   * Replaces the DBC of a bus. Mappings stay if their signal is still in the file, and signals with the portal's names are mapped
   * immediately.
   * @throws ProblemError 400 for a broken file, with line and reason, or a file without signals
   */
  upload: ({ definition, kind, added: sent }: Given & { added: BusDefinition }): ChangedDefinition => {
    const read = readableDbc(sent);
    const added = { ...sent, j1939: sent.j1939 ?? j1939Of(sent.dbc, read) };
    const dbc = parseBusDbc(added);
    const dbcs = dbcsOf(definition);
    const buses = definition.buses.filter(({ bus }) => bus !== added.bus);
    buses.push(added);
    buses.sort((a, b) => a.bus - b.bus);
    const after: DbcsByBus = new Map(
      buses.map(({ bus }) => [bus, bus === added.bus ? dbc : (dbcs.get(bus) as Dbc)]),
    );
    const { mapping, dropped } = carryOverMapping(definition.mapping, dbcs, after);
    const own = mapSignalsWithEqualNames(mapping, added.bus, dbc, kind);
    const more = { signals: [...mapping.signals, ...own], keep: mapping.keep };
    // If a kept message already stores a signal of the same name, no mapping is added: the person decides.
    const changed = { buses, mapping: isClear(more, after) ? more : mapping };
    return checked(changed, kind, after, new Map([[added.bus, dropped]]));
  },

  /**
   * Changes which messages of a bus are J1939.
   * @throws ProblemError 400 for a message that is not in the file, or if a mapping names the source of a message that would no longer be
   * J1939; 404
   */
  j1939: ({
    definition,
    kind,
    bus,
    ...choice
  }: Given & { bus: number } & J1939Selection): ChangedDefinition => {
    const present = definition.buses.find((one) => one.bus === bus);
    if (!present) throw notFound(`Bus can${bus} heeft geen DBC-bestand.`);
    const buses = definition.buses.map((one) => (one === present ? { ...one, ...choice } : one));
    const changed = { buses, mapping: definition.mapping };
    const dbcs = dbcsOf(changed);
    const extended = dbcs.get(bus)?.messages.filter((message) => message.extended) ?? [];
    const known = new Set(extended.map(canIdText));
    const unknown = choice.j1939Messages?.find((identifier) => !known.has(identifier));
    if (unknown !== undefined)
      throw invalidInputError(`Bericht ${unknown} van 29 bits staat niet in ${present.name}.`);
    return checked(changed, kind, dbcs);
  },

  /**
   * Replaces the mapping.
   * @throws ProblemError 400 if it cannot be decoded
   */
  mapping: ({ definition, kind, mapping }: Given & { mapping: unknown }): ChangedDefinition => {
    const stored = new Set(definition.mapping.signals.map(({ to }) => to));
    const sent = orInvalid(() => parseMapping(mapping, stored));
    const flat = sent.signals.find(({ factor }) => factor === 0);
    if (flat) throw invalidInputError(`De factor van ${flat.signal} mag niet 0 zijn.`);
    const dbcs = dbcsOf(definition);
    const changed = { buses: definition.buses, mapping: keepStoredSpelling(sent, definition.mapping, dbcs) };
    return checked(changed, kind, dbcs);
  },

  /**
   * Removes one bus, or all of them, with its mappings.
   * @throws ProblemError 404
   */
  delete: ({ definition, kind, bus }: Given & { bus: number | undefined }): ChangedDefinition => {
    const dbcs = dbcsOf(definition);
    if (bus !== undefined && !dbcs.has(bus)) throw notFound(`Bus can${bus} heeft geen DBC-bestand.`);
    const stays = (other: number): boolean => bus !== undefined && other !== bus;
    const after: DbcsByBus = new Map([...dbcs].filter(([other]) => stays(other)));
    const buses = definition.buses.filter((other) => stays(other.bus));
    return checked(
      { buses, mapping: carryOverMapping(definition.mapping, dbcs, after).mapping },
      kind,
      after,
    );
  },

  /** Checks an earlier version of a definition, and returns it with its view. */
  restore: ({ definition, kind }: Given): ChangedDefinition => checked(definition, kind, dbcsOf(definition)),

  /**
   * Returns the targets by which a log of CAN frames is decoded.
   * @throws DbcError, MappingError
   */
  targets: ({ definition }: { definition: Definition }): DecodeTargets => decodeTargets(definition),

  /**
   * Returns the units in the DBC files of the signals that are stored unscaled, by the names under which the signals are stored.
   * @throws DbcError, MappingError
   */
  units: ({ definition }: { definition: Definition }): Readonly<Record<string, string>> => {
    const dbcs = dbcsOf(definition);
    const mapped = mappedTargets(definition.mapping.signals, dbcs);
    const targets = [...mapped, ...keptSignalTargets(definition.mapping.keep, dbcs, mapped)];
    const asSent = targets.filter(({ factor, offset }) => factor === 1 && offset === 0);
    return Object.fromEntries(asSent.map(({ name, signal }) => [name, signal.unit]));
  },

  config: ({ request }: { request: ConfigRequest }): LoggerConfig => makeLoggerConfig(request),
} as const;

const dbcsOf = ({ buses }: Definition): DbcsByBus =>
  new Map(buses.map((definition) => [definition.bus, parseBusDbc(definition)]));

/**
 * Parses a DBC; an error names the broken line, for the sender.
 * @throws ProblemError 400
 */
function readableDbc({ name, ...bus }: BusDefinition): Dbc {
  const dbc = orInvalid(() => parseBusDbc({ name, ...bus }));
  if (!dbc.messages.some(({ signals }) => signals.some(({ unreadable }) => unreadable === undefined)))
    throw invalidInputError(`${name} bevat geen enkel leesbaar signaal (SG_).`);
  return dbc;
}

function checked(
  definition: Definition,
  kind: StreamKind,
  dbcs: DbcsByBus,
  notes?: ReadonlyMap<number, readonly string[]>,
): ChangedDefinition {
  const mapped = orInvalid(() => checkMapping(definition.mapping, dbcs));
  const stored = { ...definition, absent: absentValues(mapped) };
  return { definition: stored, view: buildDefinitionView(0, kind, definition, dbcs, notes) };
}

/**
 * Returns the mapped signals.
 * @throws MappingError if the mapping cannot be decoded
 */
function checkMapping({ signals, keep }: Mapping, dbcs: DbcsByBus): readonly MappingTarget[] {
  const mapped = mappedTargets(signals, dbcs);
  keptSignalTargets(keep, dbcs, mapped);
  return mapped;
}

function isClear(mapping: Mapping, dbcs: DbcsByBus): boolean {
  try {
    checkMapping(mapping, dbcs);
    return true;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}

/**
 * Turns an error of a DBC or a mapping into a rejected request.
 * @throws ProblemError 400 with the reason
 */
function orInvalid<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DbcError) throw invalidInputError(`${error.message}.`.replace(/\.\.$/, '.'));
    if (error instanceof MappingError) throw invalidInputError(error.message);
    throw error;
  }
}
