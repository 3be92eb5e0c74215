import type { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { readUint16, readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';

const CAN_MESSAGE = 1;
const CAN_ERROR = 2;
const CAN_ERROR_EXT = 73;
const CAN_MESSAGE_2 = 86;
const CAN_FD_MESSAGE = 100;
const CAN_FD_MESSAGE_64 = 101;
const CAN_FD_ERROR_64 = 104;
const TYPES = [
  CAN_MESSAGE,
  CAN_ERROR,
  CAN_ERROR_EXT,
  CAN_MESSAGE_2,
  CAN_FD_MESSAGE,
  CAN_FD_MESSAGE_64,
  CAN_FD_ERROR_64,
];
/** Maximum length of an object: a frame of 64 bytes takes about 200 bytes with everything that writers add. */
const MAX_OBJECT_BYTES = 4096;

const TIME_10_US = 1;
const EXTENDED_FLAG = 0x8000_0000;
const ID_MASK = 0x1fff_ffff;
const REMOTE_FLAG = 0x80;
const REMOTE_FLAG_64 = 0x10;

/** Headers of versions 1 and 2 have flags and time at the same offsets. */
const FLAGS_AT = 16;
const TIME_AT = 24;
const MIN_HEADER_BYTES = 32;

export const isBlfFrame = (type: number, size: number): boolean =>
  TYPES.includes(type) && size <= MAX_OBJECT_BYTES;

/**
 * Reads an object of a BLF into a frame. Channel 1 is bus 0, as in python-can and in the exporter of the ReXgen loggers.
 * @param startMs start of the log; the object's time is relative to it
 */
export function readBlfFrame(
  type: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  startMs: number,
  frame: CanFrame,
): 'frame' | 'remote' | 'error' | 'bad' {
  const headerSize = readUint16(bytes, start + 4);
  const body = start + headerSize;
  if (headerSize < MIN_HEADER_BYTES || body + 8 > end) return 'bad';
  const time = readUint64(bytes, start + TIME_AT);
  frame.timeMs =
    startMs + (readUint32(bytes, start + FLAGS_AT) === TIME_10_US ? time / 100 : time / 1_000_000);
  switch (type) {
    case CAN_MESSAGE:
    case CAN_MESSAGE_2: {
      readId(bytes, body, readUint16(bytes, body), frame);
      if (((bytes[body + 2] as number) & REMOTE_FLAG) !== 0) return 'remote';
      return readData(bytes, body + 8, end, Math.min(bytes[body + 3] as number, 8), frame);
    }
    case CAN_FD_MESSAGE: {
      if (body + 20 > end) return 'bad';
      readId(bytes, body, readUint16(bytes, body), frame);
      if (((bytes[body + 2] as number) & REMOTE_FLAG) !== 0) return 'remote';
      return readData(bytes, body + 20, end, bytes[body + 14] as number, frame);
    }
    case CAN_FD_MESSAGE_64: {
      if (body + 40 > end) return 'bad';
      readId(bytes, body, bytes[body] as number, frame);
      if ((readUint32(bytes, body + 12) & REMOTE_FLAG_64) !== 0) return 'remote';
      return readData64(bytes, start, body, end, frame);
    }
    default:
      return 'error';
  }
}

function readId(bytes: Uint8Array, body: number, channel: number, frame: CanFrame): void {
  const id = readUint32(bytes, body + 4);
  frame.bus = Math.max(channel - 1, 0);
  frame.extended = id >= EXTENDED_FLAG;
  frame.id = id & ID_MASK;
}

/**
 * Reads the data. Writers leave out zeros at its end; extra fields of the frame may follow at an offset that the object
 * states.
 */
function readData64(
  bytes: Uint8Array,
  start: number,
  body: number,
  end: number,
  frame: CanFrame,
): 'frame' | 'bad' {
  const length = bytes[body + 2] as number;
  const more = bytes[body + 35] as number;
  const dataEnd = more === 0 ? end : Math.min(end, start + more);
  const written = Math.min(length, Math.max(dataEnd - body - 40, 0));
  if (length > frame.data.length) return 'bad';
  readData(bytes, body + 40, end, written, frame);
  frame.data.fill(0, written, length);
  frame.length = length;
  return 'frame';
}

function readData(
  bytes: Uint8Array,
  from: number,
  end: number,
  length: number,
  frame: CanFrame,
): 'frame' | 'bad' {
  if (length > frame.data.length || from + length > end) return 'bad';
  for (let index = 0; index < length; index++) frame.data[index] = bytes[from + index] as number;
  frame.length = length;
  return 'frame';
}
