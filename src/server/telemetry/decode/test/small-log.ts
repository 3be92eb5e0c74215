import { decodeRecordedLog, type LogBatch, type RecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** Yields a file in chunks of a given size. */
export async function* splitInChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export const LOG_NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 0);
/** Start of the logs, in seconds. */
export const LOG_START_SECONDS = LOG_NOW_MS / 1000 - 3600;

const DBC = `BO_ 1 Bms: 8 X
 SG_ Soc : 0|8@1+ (0.5,0) [0|100] "%" X
 SG_ Amps : 8|16@1- (0.1,0) [0|0] "A" X
BO_ 2 Motor: 4 X
 SG_ Rpm : 0|32@1- (1,0) [0|0] "rpm" X
SIG_VALTYPE_ 2 Rpm : 1;
BO_ 3 Unused: 8 X`;

const definition: Definition = {
  buses: [{ bus: 0, bitrate: 500_000, name: 'bms.dbc', dbc: DBC }],
  mapping: {
    signals: [
      { signal: 'Soc', to: 'Soc1' },
      { signal: 'Rpm', to: 'MotorSpeed' },
      { signal: 'Amps', to: 'BatteryCurrent', factor: -1 },
    ],
    keep: [],
  },
};

export type LogOptions = Partial<Omit<RecordedLog, 'chunks'>> & { chunkBytes?: number };

/** Decodes a log with frames of the messages in `DBC`. */
export function decodeLog(text: string | Uint8Array, { chunkBytes = 1 << 20, ...options }: LogOptions = {}) {
  const chunks = () => splitInChunks(Buffer.from(text), chunkBytes);
  return decodeRecordedLog({ chunks, format: 'candump', definition, now: LOG_NOW_MS, ...options });
}

/** Returns the readings of all batches, and the last batch with its counts. */
export async function readAllBatches(
  batches: AsyncIterable<LogBatch>,
): Promise<{ readings: Reading[]; last: LogBatch }> {
  const list = await collect(batches);
  return { readings: list.flatMap(({ readings }) => readings), last: list.at(-1) as LogBatch };
}

/** Returns a candump line with a state of charge. @param value one hexadecimal byte, in units of 0.5 % */
export const socLine = (time: number, value: string, bus = 0) =>
  `(${time.toFixed(6)}) can${bus} 001#${value}0A00\n`;
/** Returns a candump line with a motor speed. @param hex the four bytes of a little-endian float32 */
export const rpmLine = (time: number, hex: string) => `(${time.toFixed(6)}) can0 002#${hex}\n`;
