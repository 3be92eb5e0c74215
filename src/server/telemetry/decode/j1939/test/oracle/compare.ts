import { Readable } from 'node:stream';
import { decodeRecordedLog, type LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { dbcId, dbcText } from './dbc-text.ts';
import { decodeByOracle } from './decode.ts';
import type { OracleDefinition, OracleMessage } from './definition.ts';
import { candumpText, type RandomLog } from './random-log.ts';

/** Decodes a log with the product and with the oracle, and returns both results in the same form. */
export async function decodeWithBothDecoders(log: RandomLog) {
  return { ours: await byProduct(log), oracle: byOracle(log) };
}

function byOracle({ definition, frames, memory }: RandomLog) {
  const { readings, senders, held, absent, dropped } = decodeByOracle(definition, frames, memory);
  const busOf = busesOf(definition);
  return {
    readings: Object.fromEntries(
      [...readings].map(([second, values]) => [
        second,
        Object.fromEntries([...values].map(([name, { value }]) => [name, value])),
      ]),
    ),
    senders: [...senders]
      .flatMap(([message, its]) =>
        [...its].map(
          ([source, frames]) => `can${busOf.get(message)} ${dbcId(message)} from ${source}: ${frames}`,
        ),
      )
      .sort(),
    held: [...held].map(([name, { source, at }]) => `${name} by ${source} at ${at}`).sort(),
    absent: [...absent].map(([name, counts]) => `${name} ${counts.notAvailable} ${counts.errors}`).sort(),
    dropped,
  };
}

const busesOf = ({ buses }: OracleDefinition): Map<OracleMessage, number> =>
  new Map(buses.flatMap(({ bus, messages }) => messages.map((message) => [message, bus])));

async function byProduct({ definition, frames, memory }: RandomLog) {
  const readings: Record<number, Readonly<Record<string, number>>> = {};
  const busOf = busesOf(definition);
  let report: LogBatch['busReport'];
  for await (const batch of decodeRecordedLog({
    chunks: () => Readable.from([Buffer.from(candumpText(frames))]),
    format: 'candump',
    definition: {
      buses: definition.buses.map((bus) => ({
        bus: bus.bus,
        bitrate: 250_000,
        name: 'oracle.dbc',
        dbc: dbcText(bus),
        j1939: bus.choice,
        ...(bus.choice === 'some' && {
          j1939Messages: bus.chosen.map((id) => `0x${id.toString(16).toUpperCase().padStart(8, '0')}`),
        }),
      })),
      mapping: { signals: [...definition.mapped], keep: [...definition.kept] },
    },
    shift: 'if-before-2015',
    now: Date.UTC(2026, 6, 1),
    memory: {
      senders: memory.senders.map(({ message, source }) => ({
        bus: busOf.get(message) ?? 0,
        message: dbcId(message),
        source,
      })),
      held: memory.held,
    },
  })) {
    for (const { time, signals } of batch.readings) {
      if (readings[time / 1000]) throw new Error(`Second ${time / 1000} came twice.`);
      readings[time / 1000] = signals;
    }
    report = batch.busReport;
  }
  const { senders = [], held = memory.held, absent = [], dropped = 0 } = report ?? {};
  return {
    readings,
    senders: senders
      .map(({ bus, message, source, frames }) => `can${bus} ${message} from ${source}: ${frames}`)
      .sort(),
    held: held.map(({ name, source, at }) => `${name} by ${source} at ${at}`).sort(),
    absent: absent
      .filter(({ notAvailable, errors }) => notAvailable + errors > 0)
      .map(({ name, notAvailable, errors }) => `${name} ${notAvailable} ${errors}`)
      .sort(),
    dropped,
  };
}
