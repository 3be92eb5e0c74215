import { type DbcMessage, type DbcSignal, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import type { MappingTarget } from '#server/telemetry/decode/mapping-targets.ts';
import { isSignalName, TIME_FIELD_NAMES } from '#server/telemetry/decode/reading-rules.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { CAN_FD_FRAME_LENGTHS, MAX_CLASSIC_FRAME_BYTES } from './config-template.ts';
import { fitsFloat, isLoggerText } from './fields.ts';
import { findMappedSignals } from './find-targets.ts';
import { dbcsByBusOf, type ParsedBus, parseBuses } from './read-buses.ts';

/** The part of a definition that the logger needs: the buses, messages and signals that the mapping names. */
export type SignalPlan = {
  readonly buses: readonly PlannedBus[];
  /** Reasons why no configuration can be made, in Dutch. */
  readonly problems: readonly string[];
  /** Dutch sentences about what the configuration cannot send, and about bit rates that were assumed. */
  readonly warnings: readonly string[];
};

export type PlannedBus = {
  readonly bus: number;
  readonly bitrate: number;
  /** bit/s of the data part; undefined for a bus without CAN FD. */
  readonly fdBitrate: number | undefined;
  /** Whether the bus has J1939: fault codes and messages in several frames are recorded too. */
  readonly hasJ1939: boolean;
  readonly messages: readonly PlannedMessage[];
};

/** A message that is recorded whole; `signals` go into the snapshot as well. */
export type PlannedMessage = {
  readonly message: DbcMessage;
  readonly isFd: boolean;
  /** The sender of a J1939 message that several sources send; undefined: any sender. */
  readonly source: number | undefined;
  readonly signals: readonly PlannedSignal[];
};

/** A signal under the portal's name: value = raw value x factor + offset. */
export type PlannedSignal = {
  readonly name: string;
  readonly signal: DbcSignal;
  readonly factor: number;
  readonly offset: number;
  readonly source: number | undefined;
};

/** Plans which messages the logger must record and which signals it must send for a definition, and collects all problems. */
export function planSignals(definition: Definition | undefined): SignalPlan {
  const problems: string[] = [];
  const warnings: string[] = [];
  if (definition === undefined) {
    const reason = 'kies een vergelijkbare machine of upload een DBC-bestand';
    return { buses: [], problems: [`Er is geen datadefinitie: ${reason}.`], warnings };
  }
  const read = parseBuses(definition, problems);
  if (read === undefined) return { buses: [], problems, warnings };
  const { mapped, keptMessages } = findMappedSignals(definition.mapping, dbcsByBusOf(read), problems);

  const sendable = mapped
    .filter(({ message }) => !isLong(message))
    .map(toSignal)
    .filter(({ signal }) => signal.activeWhen === undefined);
  problems.push(...sendable.flatMap((planned) => signalProblem(planned) ?? []));
  if (problems.length === 0) warnings.push(...unsendableWarnings(mapped, sendable.length));

  const signalsOf = Map.groupBy(sendable, ({ signal }) => signal);
  const kept = new Set(keptMessages);
  const needed = new Set([...mapped.map(({ message }) => message), ...keptMessages]);
  const buses = read.map((bus): PlannedBus => planBus(bus, needed, kept, signalsOf, problems, warnings));
  const used = buses.filter(({ bus, messages }) => messages.length > 0 || sendsLong(read, bus, needed));
  return { buses: used, problems, warnings };
}

/** Whether a J1939 message comes in several frames, which the logger records one by one. */
const isLong = ({ isJ1939, dlc }: DbcMessage): boolean => isJ1939 === true && dlc > MAX_CLASSIC_FRAME_BYTES;

const sendsLong = (read: readonly ParsedBus[], bus: number, needed: ReadonlySet<DbcMessage>): boolean =>
  read.some(
    (one) => one.bus === bus && one.dbc.messages.some((message) => needed.has(message) && isLong(message)),
  );

/** Combines the conversions of the DBC and of the mapping: value = (raw x factor + offset of the DBC) x factor + offset of the mapping. */
const toSignal = ({ name, signal, factor, offset, source }: MappingTarget): PlannedSignal => ({
  name,
  signal,
  source,
  factor: signal.factor * factor,
  offset: signal.offset * factor + offset,
});

/** Returns the reason why the logger cannot send this signal, in Dutch; undefined if it can. */
function signalProblem({ name, signal, factor, offset }: PlannedSignal): string | undefined {
  if (TIME_FIELD_NAMES.some((time) => time === name))
    return `${name} is de tijd van de meting en kan geen doel zijn.`;
  // The name becomes a key of the logger's JSON, and the firmware may not escape anything.
  if (!isSignalName(name) || !isLoggerText(name) || /["\\]/.test(name))
    return `De naam ${name} kan de logger niet versturen: alleen gewone letters, cijfers en leestekens kunnen.`;
  if (!fitsFloat(factor) || !fitsFloat(offset))
    return `Signaal ${signal.name}: factor ${factor} of offset ${offset} past niet in de logger.`;
  return undefined;
}

/** Returns Dutch warnings about signals that a configuration cannot send. */
function unsendableWarnings(mapped: readonly MappingTarget[], sendable: number): string[] {
  const warnings: string[] = [];
  if (sendable === 0) warnings.push('De momentopname bevat alleen de positie: geen signaal gaat mee.');
  const long = mapped.filter(({ message }) => isLong(message)).map(({ name }) => name);
  if (long.length > 0)
    warnings.push(
      `De logger voegt geen berichten van meer frames samen. Niet in de momentopname, wel in het logbestand: ${enumerate(long)}.`,
    );
  const multiplexed = mapped.filter(({ signal }) => signal.activeWhen !== undefined).map(({ name }) => name);
  if (multiplexed.length > 0)
    warnings.push(
      `De logger kent geen multiplexing. Niet in de momentopname, wel in het logbestand: ${enumerate(multiplexed)}.`,
    );
  return warnings;
}

const MAX_NAMES = 10;

function enumerate(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` en nog ${rest}` : '');
}

function planBus(
  read: ParsedBus,
  needed: ReadonlySet<DbcMessage>,
  kept: ReadonlySet<DbcMessage>,
  signalsOf: ReadonlyMap<DbcSignal, readonly PlannedSignal[]>,
  problems: string[],
  warnings: string[],
): PlannedBus {
  const messages = read.dbc.messages
    .filter((message) => needed.has(message) && !isLong(message))
    .flatMap((message): PlannedMessage[] => {
      const isFd = planFrame(message, read, problems);
      const signals = message.signals.flatMap((signal) => signalsOf.get(signal) ?? []);
      return isFd === undefined ? [] : bySource(message, isFd, signals, kept.has(message));
    });
  return {
    bus: read.bus,
    bitrate: read.bitrate,
    fdBitrate: fdBitrateOf(read, messages, warnings),
    hasJ1939: read.dbc.messages.some(({ isJ1939 }) => isJ1939),
    messages,
  };
}

/** Returns one planned message per J1939 source that the mapping names, and one for any source if the mapping accepts all sources. */
function bySource(
  message: DbcMessage,
  isFd: boolean,
  signals: readonly PlannedSignal[],
  isKept: boolean,
): PlannedMessage[] {
  const sources = new Set(signals.map(({ source }) => source));
  if (isKept || signals.length === 0) sources.add(undefined);
  return [...sources].map((source) => ({
    message,
    isFd,
    source,
    signals: signals.filter((signal) => signal.source === source),
  }));
}

/** Returns whether a message comes as a frame of CAN FD; undefined, with a problem in Dutch, if it fits in no frame. */
function planFrame(
  message: DbcMessage,
  { bus, j1939, fdMessages }: ParsedBus,
  problems: string[],
): boolean | undefined {
  const { name, dlc } = message;
  if (dlc <= MAX_CLASSIC_FRAME_BYTES) return fdMessages.has(messageKey(message));
  const tooLong = `Bericht ${name} op can${bus} is ${dlc} bytes lang`;
  if (j1939.has(messageKey(message)) || !CAN_FD_FRAME_LENGTHS.includes(dlc)) {
    problems.push(
      `${tooLong}: het komt in meer frames. Kies op de pagina van de datadefinitie dat het J1939 is; anders kan de logger het niet leveren.`,
    );
    return undefined;
  }
  return true;
}

/** Bit rate of most CAN FD networks, for a DBC that does not give one. */
const USUAL_FD_BITRATE = 2_000_000;

function fdBitrateOf({ bus, fdBitrate }: ParsedBus, messages: readonly PlannedMessage[], warnings: string[]) {
  if (!messages.some(({ isFd }) => isFd)) return undefined;
  if (fdBitrate === undefined)
    warnings.push(
      `Bus can${bus} is CAN FD, maar het DBC-bestand noemt geen bruikbare snelheid van het datadeel (BaudrateCANFD): ` +
        `${USUAL_FD_BITRATE} bit/s is aangenomen.`,
    );
  return fdBitrate ?? USUAL_FD_BITRATE;
}
