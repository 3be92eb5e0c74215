import type { KeptMessage, SignalMapping } from '#shared/contract/definition.ts';
import { MAX_SOURCE_ADDRESS, nameWithSource } from '#shared/domain/j1939.ts';
import { isChargingFlag, isSocSignal, knownSignal } from '#shared/domain/signal.ts';
import { type Dbc, type DbcMessage, type DbcSignal, matchesDbcName, shortDbcName } from './dbc/dbc.ts';
import { isSentByAnySource } from './j1939/messages-of-dbc.ts';
import { MappingError } from './mapping.ts';
import { isSignalName, TIME_FIELD_NAMES } from './reading-rules.ts';

/** DBC files by CAN bus. */
export type DbcsByBus = ReadonlyMap<number, Dbc>;

/** A DBC signal and where it is stored: value x factor + offset under `name`. */
export type MappingTarget = {
  readonly message: DbcMessage;
  readonly signal: DbcSignal;
  readonly name: string;
  readonly factor: number;
  readonly offset: number;
  /** The source address whose values are used; only for a J1939 message that any source may send. */
  readonly source?: number;
  /**
   * Signals with this name in other messages with the same name and bus: a file may describe a message under several
   * identifiers.
   */
  readonly alsoIn?: readonly Pick<Found, 'message' | 'signal'>[];
};

type Found = { readonly bus: number; readonly message: DbcMessage; readonly signal: DbcSignal };

/**
 * Finds the DBC signals of a mapping.
 * @throws MappingError for an unknown, unreadable or ambiguous signal, a name used twice, or a source address for a message that is
 * no J1939 message of any source
 */
export function mappedTargets(mappings: readonly SignalMapping[], dbcs: DbcsByBus): MappingTarget[] {
  const signalOf = new Map<string, string>();
  const index = indexOf(dbcs);
  return mappings.map((mapping) => {
    const [{ message, signal }, ...alsoIn] = findSignal(mapping, dbcs, index);
    const { to, factor = 1, offset = 0, source } = mapping;
    if (source !== undefined && !isSentByAnySource(message))
      throw new MappingError({
        nl: `Signaal ${mapping.signal}: een afzender hoort alleen bij een J1939-bericht dat van elke afzender kan komen (FE in het DBC-bestand).`,
        en: `Signal ${mapping.signal}: only a J1939 message of any source (FE in the DBC) can have a source.`,
      });
    const other = signalOf.get(to);
    if (other !== undefined)
      throw new MappingError({
        nl: `${other} en ${mapping.signal} hebben hetzelfde doel: ${to}.`,
        en: `${other} and ${mapping.signal} have the same target: ${to}.`,
      });
    signalOf.set(to, mapping.signal);
    return {
      ...{ message, signal, name: to, factor, offset },
      ...(source !== undefined && { source }),
      ...(alsoIn.length > 0 && { alsoIn }),
    };
  });
}

/**
 * Returns whether figures use a signal of this name. Only mapped signals may be used by figures (docs/figures.md section 1), so a
 * signal that is kept without a mapping gets a name that no figure uses.
 */
const feedsFigures = (name: string): boolean =>
  knownSignal(name) !== undefined || isSocSignal(name) || isChargingFlag(name);

/**
 * Returns the signals that are kept without a mapping, under their short names in the DBC (not the long names), because their
 * history began under the short names. If another stored signal has that name, or figures use it, the name of the message is put
 * before it.
 * @throws MappingError for an unknown message, a signal that is kept twice, or a name of more than 64 characters
 */
export function keptSignalTargets(
  kept: readonly KeptMessage[],
  dbcs: DbcsByBus,
  mapped: readonly MappingTarget[],
): MappingTarget[] {
  // A signal that is mapped for one source address only is kept without a mapping for the other addresses.
  const mappedSignals = new Set(mapped.flatMap(({ signal, source }) => (source === undefined ? signal : [])));
  const targets = kept.flatMap(({ bus, message: name }) => {
    const messages = dbcs.get(bus)?.messages.filter((message) => matchesDbcName(message, name)) ?? [];
    if (messages.length === 0)
      throw new MappingError({
        nl: `Te bewaren bericht ${name} bestaat niet op can${bus}.`,
        en: `The message to keep ${name} is not on can${bus}.`,
      });
    return messages.flatMap((message) =>
      message.signals
        .filter((signal) => signal.unreadable === undefined && !mappedSignals.has(signal))
        .map(
          (signal): MappingTarget => ({ message, signal, name: shortDbcName(signal), factor: 1, offset: 0 }),
        ),
    );
  });
  const uses = new Map<string, number>(TIME_FIELD_NAMES.map((name) => [name, 1]));
  for (const { name } of [...mapped, ...targets]) uses.set(name, (uses.get(name) ?? 0) + 1);
  const named = targets.map((target) => {
    const clear = uses.get(target.name) === 1 && !feedsFigures(target.name);
    return clear ? target : { ...target, name: `${shortDbcName(target.message)}.${target.name}` };
  });
  const names = new Set(mapped.map(({ name }) => name));
  for (const { name, message } of named) {
    if (!isSignalName(isSentByAnySource(message) ? nameWithSource(name, MAX_SOURCE_ADDRESS) : name))
      throw new MappingError({
        nl: `De naam ${name} is langer dan 64 tekens.`,
        en: `The name ${name} is longer than 64 characters.`,
      });
    if (names.has(name))
      throw new MappingError({
        nl: `Te bewaren signaal ${name} komt twee keer voor.`,
        en: `The signal to keep ${name} occurs twice.`,
      });
    names.add(name);
  }
  return named;
}

const indexes = new WeakMap<DbcsByBus, Map<string, Found[]>>();

/**
 * Returns the index of the DBC files' signals. The index is cached, because a long mapping may be looked up entry by entry, and the
 * files do not change.
 */
function indexOf(dbcs: DbcsByBus): Map<string, Found[]> {
  const index = indexes.get(dbcs) ?? indexSignals(dbcs);
  indexes.set(dbcs, index);
  return index;
}

/** Indexes every signal of every DBC by its name. */
function indexSignals(dbcs: DbcsByBus): Map<string, Found[]> {
  const index = new Map<string, Found[]>();
  for (const [bus, { messages }] of dbcs)
    for (const message of messages)
      for (const signal of message.signals) {
        const found = { bus, message, signal };
        for (const name of new Set([signal.name, shortDbcName(signal)])) {
          const same = index.get(name);
          if (same === undefined) index.set(name, [found]);
          else same.push(found);
        }
      }
  return index;
}

function findSignal(
  mapping: SignalMapping,
  dbcs: DbcsByBus,
  index: ReadonlyMap<string, Found[]>,
): readonly [Found, ...Found[]] {
  const { bus, message, signal } = mapping;
  const [op, on] = bus === undefined ? ['', ''] : [` op can${bus}`, ` on can${bus}`];
  if (bus !== undefined && !dbcs.has(bus))
    throw new MappingError({
      nl: `Signaal ${signal}: can${bus} heeft geen DBC-bestand.`,
      en: `Signal ${signal}: can${bus} has no DBC file.`,
    });
  const searched = [...dbcs].filter(([number]) => bus === undefined || number === bus);
  if (
    message !== undefined &&
    !searched.some(([, dbc]) => dbc.messages.some((one) => matchesDbcName(one, message)))
  )
    throw new MappingError({
      nl: `Signaal ${signal}: bericht ${message} bestaat niet${op}.`,
      en: `Signal ${signal}: there is no message ${message}${on}.`,
    });
  const found = (index.get(signal) ?? []).filter(
    (one) =>
      (bus === undefined || one.bus === bus) &&
      (message === undefined || matchesDbcName(one.message, message)),
  );
  // A mapping that was made before the DBC parser supported long names uses the short name of the signal.
  const inFile = found.filter((one) => shortDbcName(one.signal) === signal);
  const candidates = inFile.length > 0 ? inFile : found;
  const [only] = candidates;
  const inMessage =
    message === undefined
      ? { nl: '', en: '' }
      : { nl: ` in bericht ${message}`, en: ` in message ${message}` };
  if (only === undefined) {
    const near = nearName(signal, index);
    throw new MappingError({
      nl: `Signaal ${signal} bestaat niet${inMessage.nl}${op}${near === undefined ? '.' : `; bedoel je ${near}?`}`,
      en: `There is no signal ${signal}${inMessage.en}${on}${near === undefined ? '.' : `; did you mean ${near}?`}`,
    });
  }
  if (candidates.some((one) => one.bus !== only.bus || one.message.name !== only.message.name)) {
    const places = found.map((one) => `${one.message.name} (can${one.bus})`).join(', ');
    throw new MappingError({
      nl: `Signaal ${signal} staat in meer berichten: ${places}. Noem het bericht of de bus.`,
      en: `Signal ${signal} is in several messages: ${places}. Name the message or the bus.`,
    });
  }
  if (only.signal.unreadable !== undefined)
    throw new MappingError({
      nl: `Signaal ${signal} kan niet gelezen worden: ${only.signal.unreadable}.`,
      en: `Signal ${signal} cannot be read: its layout in the DBC is wrong.`,
    });
  const readable = candidates.slice(1).filter(({ signal: { unreadable } }) => unreadable === undefined);
  return [only, ...readable];
}

/** Finds a name that differs only in upper and lower case, which is the most common mistake. */
function nearName(signal: string, index: ReadonlyMap<string, Found[]>): string | undefined {
  const lower = signal.toLowerCase();
  return [...index.keys()].find((name) => name.toLowerCase() === lower);
}
