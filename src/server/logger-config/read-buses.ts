import { type Dbc, DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { j1939MessagesMarkedByFile, parseBusDbc } from '#server/telemetry/decode/j1939/messages-of-dbc.ts';
import type { DbcsByBus } from '#server/telemetry/decode/mapping-targets.ts';
import type { BusDefinition, Definition } from '#shared/contract/definition.ts';
import { LAST_BUS, MAX_BUS_BITS_PER_SECOND, MAX_FD_BITS_PER_SECOND } from './config-template.ts';

/** Attributes of a DBC about the bus as a whole (Vector's names for them). */
type BusAttributes = {
  /** bit/s of a CAN FD frame's data part, if the file gives one that the logger supports. */
  readonly fdBitrate: number | undefined;
  /** `messageKey` of the J1939 messages. A message of more than 8 bytes comes in several classic frames instead of one CAN FD frame. */
  readonly j1939: ReadonlySet<number>;
  /** CAN FD frames by the DBC's own number (bit 31 marks an extended one); such frames can be short too. */
  readonly fdMessages: ReadonlySet<number>;
};

export type ParsedBus = BusAttributes & { readonly bus: number; readonly bitrate: number; readonly dbc: Dbc };

/**
 * Parses the DBC of every bus.
 * @param problems errors of each bus are added, in Dutch
 * @returns undefined if a DBC is missing or broken, so that no signal can be found
 */
export function parseBuses({ buses }: Definition, problems: string[]): ParsedBus[] | undefined {
  if (buses.length === 0) {
    problems.push('De datadefinitie heeft geen DBC-bestand.');
    return undefined;
  }
  const seen = new Set<number>();
  for (const { bus } of buses) {
    if (seen.has(bus)) problems.push(`Bus can${bus} heeft twee DBC-bestanden.`);
    seen.add(bus);
  }
  const read = buses.map((definition) => readBus(definition, problems));
  const complete = read.filter((bus) => bus !== undefined);
  return complete.length === buses.length && seen.size === buses.length ? complete : undefined;
}

/** Returns the parsed DBC files by bus. */
export const dbcsByBusOf = (buses: readonly ParsedBus[]): DbcsByBus =>
  new Map(buses.map(({ bus, dbc }) => [bus, dbc]));

function readBus(definition: BusDefinition, problems: string[]): ParsedBus | undefined {
  const { bus, bitrate, name, dbc } = definition;
  if (!Number.isInteger(bus) || bus < 0 || bus > LAST_BUS)
    problems.push(`Bus can${bus} bestaat niet op de logger (can0 tot en met can${LAST_BUS}).`);
  if (!Number.isInteger(bitrate) || bitrate <= 0)
    problems.push(`Van can${bus} (${name}) ontbreekt de bitsnelheid; die staat niet in een DBC-bestand.`);
  else if (bitrate > MAX_BUS_BITS_PER_SECOND)
    problems.push(
      `De bitsnelheid van can${bus} is ${bitrate} bit/s; ten hoogste ${MAX_BUS_BITS_PER_SECOND} kan.`,
    );
  if (dbc.trim() === '') {
    problems.push(`Bus can${bus} heeft geen DBC-bestand.`);
    return undefined;
  }
  try {
    const parsed = parseBusDbc(definition);
    return { ...readBusAttributes(dbc, parsed), bus, bitrate, dbc: parsed };
  } catch (error) {
    if (!(error instanceof DbcError)) throw error;
    problems.push(`Het DBC-bestand van can${bus} kan niet gelezen worden: ${error.message}.`);
    return undefined;
  }
}

/** VFrameFormat: 14 StandardCAN_FD, 15 ExtendedCAN_FD. */
const FD_FORMAT = /^[ \t]*BA_[ \t]+"VFrameFormat"[ \t]+BO_[ \t]+(\d+)[ \t]+1[45][ \t]*;/gm;
const FD_BITRATE = /^[ \t]*BA_[ \t]+"BaudrateCANFD"[ \t]+(\d+)[ \t]*;/m;

/**
 * Reads the attributes of a bus.
 * @param dbc the result of parsing `text`
 */
function readBusAttributes(text: string, dbc: Dbc): BusAttributes {
  const fdBitrate = Number(FD_BITRATE.exec(text)?.[1]);
  return {
    fdBitrate: fdBitrate > 0 && fdBitrate <= MAX_FD_BITS_PER_SECOND ? fdBitrate : undefined,
    j1939: j1939MessagesMarkedByFile(text, dbc),
    fdMessages: new Set([...text.matchAll(FD_FORMAT)].map(([, id]) => Number(id))),
  };
}
