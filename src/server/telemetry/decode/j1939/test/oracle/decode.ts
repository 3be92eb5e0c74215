import {
  isJ1939,
  type OracleDefinition,
  type OracleFrame,
  type OracleMapping,
  type OracleMessage,
  type OracleSignal,
} from './definition.ts';
import { absenceOfRawValue, physicalValue, rawValue } from './signal.ts';
import { type GroupMessage, identifierPartsOf, OracleTransport } from './transport.ts';

const ANY = 0xfe;
const SILENCE_MS = 5 * 60_000;
/** Signals that are kept without a mapping have separate names for at most this many sources of a message. */
const MAX_NAMED = 16;

/** State from one log to the next. */
export type OracleMemory = {
  readonly senders: readonly { readonly message: OracleMessage; readonly source: number }[];
  readonly held: readonly { readonly name: string; readonly source: number; readonly at: number }[];
};

/** Decodes the frames of a log. */
export function decodeByOracle(
  definition: OracleDefinition,
  frames: readonly OracleFrame[],
  memory?: OracleMemory,
) {
  const readings = new Map<number, Map<string, { value: number; time: number }>>();
  const senders = new Map<OracleMessage, Map<number, number>>();
  const held = new Map<string, { source: number; at: number }>();
  const absent = new Map<string, { notAvailable: number; errors: number }>();
  const known = new Map<OracleMessage, Set<number>>();
  for (const { message, source } of memory?.senders ?? []) named(known, message, () => new Set()).add(source);
  /** Returns the source that a mapping uses; a source of an earlier log is used if its last value is at most 5 minutes older. */
  const holderOf = (name: string, time: number) => {
    const earlier = memory?.held.find(
      (one) => one.name === name && one.at <= time && time - one.at <= SILENCE_MS,
    );
    if (earlier && !held.has(name)) held.set(name, { source: earlier.source, at: earlier.at });
    return held.get(name);
  };

  const groupsOf = (bus: number): OracleMessage[] =>
    definition.buses
      .filter((one) => one.bus === bus)
      .flatMap((one) => one.messages.filter((m) => isJ1939(one, m)));
  const transport = new OracleTransport();

  const store = (name: string, time: number, value: number): boolean => {
    const accepted = acceptable(name, value);
    if (accepted === undefined) return false;
    const second = named(readings, Math.floor(time / 1000), () => new Map());
    if (time >= (second.get(name)?.time ?? Number.NEGATIVE_INFINITY))
      second.set(name, { value: accepted, time });
    return true;
  };
  const count = (name: string, kind: 'notAvailable' | 'error'): void => {
    const counts = named(absent, name, () => ({ notAvailable: 0, errors: 0 }));
    if (kind === 'error') counts.errors += 1;
    else counts.notAvailable += 1;
  };

  /** Stores the values of a message that is matched by its whole identifier: every raw value is a measurement. */
  const exact = (bus: number, message: OracleMessage, { time, data }: OracleFrame): void => {
    for (const signal of message.signals) {
      const raw = rawValue(signal, data);
      if (raw === undefined) continue;
      const value = physicalValue(signal, raw);
      for (const mapping of mappingsOf(definition, bus, message, signal))
        store(mapping.to, time, value * (mapping.factor ?? 1));
      const name = keptName(definition, bus, message, signal);
      if (name !== undefined) store(name, time, value);
    }
  };

  const group = (message: OracleMessage, { time, bus, source, data }: GroupMessage): void => {
    const its = named(senders, message, () => new Map<number, number>());
    its.set(source, (its.get(source) ?? 0) + 1);
    const isAny = identifierPartsOf(message.id).source === ANY;
    const seen = named(known, message, () => new Set<number>()).add(source);
    for (const signal of message.signals) {
      const raw = rawValue(signal, data);
      if (raw === undefined) continue;
      const none = absenceOfRawValue(signal, raw);
      const value = physicalValue(signal, raw);
      const mappings = mappingsOf(definition, bus, message, signal);
      const taken = mappings.flatMap((mapping) => mapping.source ?? []);
      for (const mapping of mappings) {
        if (mapping.source !== undefined && mapping.source !== source) continue;
        const goesByFirst = isAny && mapping.source === undefined;
        if (goesByFirst && taken.includes(source)) continue;
        if (none !== undefined) {
          count(mapping.to, none);
          continue;
        }
        const holder = goesByFirst ? holderOf(mapping.to, time) : undefined;
        if (holder && holder.source !== source && Math.abs(time - holder.at) <= SILENCE_MS) continue;
        const isStored = store(mapping.to, time, value * (mapping.factor ?? 1));
        if (isStored && goesByFirst) held.set(mapping.to, { source, at: time });
      }
      const plain = taken.includes(source) ? undefined : keptName(definition, bus, message, signal);
      if (plain === undefined || (isAny && [...seen].indexOf(source) >= MAX_NAMED)) continue;
      const name =
        isAny && seen.size > 1 ? `${plain}@${source.toString(16).padStart(2, '0').toUpperCase()}` : plain;
      // The definition's page counts absent values per signal, not per source.
      if (none !== undefined) count(plain, none);
      else store(name, time, value);
    }
  };

  for (const frame of frames) {
    const messages = definition.buses.find(({ bus }) => bus === frame.bus)?.messages ?? [];
    const groups = groupsOf(frame.bus);
    if (frame.extended && groups.length > 0) {
      const part = transport.take(frame);
      const whole = part === undefined ? { ...frame, ...identifierPartsOf(frame.id) } : part.message;
      const found = whole && messageOf(groups, whole);
      if (found) group(found, whole);
      if (part || found) continue;
    }
    const found = messages.find(({ id, extended }) => id === frame.id && extended === frame.extended);
    if (found && !groups.includes(found)) exact(frame.bus, found, frame);
  }
  return { readings, senders, held, absent, dropped: transport.dropped };
}

/** Returns the message of a group and source: the message with that source, or else the one for any source. */
function messageOf(
  groups: readonly OracleMessage[],
  { group, source }: Pick<GroupMessage, 'group' | 'source'>,
): OracleMessage | undefined {
  const same = groups.filter(({ id }) => identifierPartsOf(id).group === group);
  if (source >= ANY) return undefined;
  return (
    same.find(({ id }) => identifierPartsOf(id).source === source) ??
    same.find(({ id }) => identifierPartsOf(id).source === ANY)
  );
}

const mappingsOf = (
  { mapped }: OracleDefinition,
  bus: number,
  message: OracleMessage,
  signal: OracleSignal,
): OracleMapping[] =>
  mapped.filter((one) => one.bus === bus && one.message === message.name && one.signal === signal.name);

/** Returns the name of a signal that is kept without a mapping; undefined when it is not kept, or is mapped for any source. */
function keptName(
  definition: OracleDefinition,
  bus: number,
  message: OracleMessage,
  signal: OracleSignal,
): string | undefined {
  if (!definition.kept.some((one) => one.bus === bus && one.message === message.name)) return undefined;
  const mappings = mappingsOf(definition, bus, message, signal);
  return mappings.some(({ source }) => source === undefined) ? undefined : signal.name;
}

/** Returns the value, corrected according to docs/figures.md, section 1; undefined for an invalid value. */
function acceptable(name: string, value: number): number | undefined {
  const [lowest, highest] = /^Soc[1-8]$/.test(name)
    ? [-1, 101]
    : name === 'BatteryVoltage'
      ? [0, 2000]
      : [-1e6, 1e6];
  if (Math.abs(value) < 1e-9) return 0;
  return value >= lowest && value <= highest ? value : undefined;
}

function named<Key, Value>(map: Map<Key, Value>, key: Key, made: () => Value): Value {
  const value = map.get(key) ?? made();
  map.set(key, value);
  return value;
}
