import { type Dbc, DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { Dbcs } from '#server/telemetry/decode/mapping-targets.ts';
import type { BusDefinition, Definition } from '#shared/domain/definition.ts';
import { type BusAttributes, readBusAttributes } from './dbc-attributes.ts';

export type ReadBus = BusAttributes & { readonly bus: number; readonly bitrate: number; readonly dbc: Dbc };

/** bit/s (ReXgen XML schema, CANINTERFACE). */
const FASTEST = 1_000_000;
const LAST_BUS = 3;

/**
 * Parses the DBC of every bus.
 * @param problems what is wrong with each bus is added, in Dutch
 * @returns undefined when a DBC is missing or broken, so that no signal can be looked up
 */
export function readBuses({ buses }: Definition, problems: string[]): ReadBus[] | undefined {
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

/** For looking up what a mapping names. */
export const dbcsOf = (buses: readonly ReadBus[]): Dbcs => new Map(buses.map(({ bus, dbc }) => [bus, dbc]));

function readBus({ bus, bitrate, name, dbc }: BusDefinition, problems: string[]): ReadBus | undefined {
  if (!Number.isInteger(bus) || bus < 0 || bus > LAST_BUS)
    problems.push(`Bus can${bus} bestaat niet op de logger (can0 tot en met can${LAST_BUS}).`);
  if (!Number.isInteger(bitrate) || bitrate <= 0)
    problems.push(`Van can${bus} (${name}) ontbreekt de bitsnelheid; die staat niet in een DBC-bestand.`);
  else if (bitrate > FASTEST)
    problems.push(`De bitsnelheid van can${bus} is ${bitrate} bit/s; ten hoogste ${FASTEST} kan.`);
  if (dbc.trim() === '') {
    problems.push(`Bus can${bus} heeft geen DBC-bestand.`);
    return undefined;
  }
  try {
    return { ...readBusAttributes(dbc), bus, bitrate, dbc: parseDbc(dbc, name) };
  } catch (error) {
    if (!(error instanceof DbcError)) throw error;
    problems.push(`Het DBC-bestand van can${bus} kan niet gelezen worden: ${error.message}.`);
    return undefined;
  }
}
