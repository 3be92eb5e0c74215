import { TEST_FRAMES_START_MS, type TestFrame } from './given-frames.ts';
import {
  chainBlocks,
  channelBlock,
  conversionBlock,
  type Mf4TestBlock,
  type WrittenChannel,
} from './written-mf4.ts';

export const MICROSECONDS_CONVERSION = conversionBlock(1, [0, 1e-6]);

/** Returns the channels of a record of 16 bytes: time, bus, identifier, flag, length code, length. Adds the channel `data`, if given. */
export function frameChannels(frame: string, data?: WrittenChannel): Mf4TestBlock[] {
  const inside = [
    channelBlock(`${frame}.BusChannel`, { byte: 8, bits: 8 }),
    channelBlock(`${frame}.ID`, { byte: 9, bits: 29 }),
    channelBlock(`${frame}.IDE`, { byte: 13, bit: 3, bits: 1 }),
    channelBlock(`${frame}.DLC`, { byte: 14, bits: 8 }),
    channelBlock(`${frame}.DataLength`, { byte: 15, bits: 7 }),
    ...(data === undefined ? [] : [channelBlock(`${frame}.DataBytes`, data)]),
  ];
  return [
    channelBlock('Timestamp', { type: 2, byte: 0, bits: 64, conversion: MICROSECONDS_CONVERSION }),
    channelBlock(frame, { byte: 8, bits: 64, dataType: 10, parts: chainBlocks(inside) as Mf4TestBlock }),
  ];
}

/** Returns a record with the channels of `frameChannels`, without its data. */
export function frameRecord({ us, bus, id, extended, data }: TestFrame): Buffer {
  const record = Buffer.alloc(16);
  record.writeBigUInt64LE(BigInt(us - TEST_FRAMES_START_MS * 1000));
  record[8] = bus;
  // No channel contains the highest three bits, so the reader must ignore them.
  record.writeUInt32LE((id | 0xe000_0000) >>> 0, 9);
  record[13] = extended ? 0xff : 0xf7;
  record[14] = data.length;
  record[15] = data.length | 0x80;
  return record;
}

/** Returns a length followed by as many bytes, the form of data of variable length in a stream. */
export function variableData(data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([length, data]);
}
