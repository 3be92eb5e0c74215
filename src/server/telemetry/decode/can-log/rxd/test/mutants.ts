import { RxdClockPrescan } from '#server/telemetry/decode/can-log/rxd/rxd-clock-prescan.ts';
import { RxdReader } from '#server/telemetry/decode/can-log/rxd/rxd-reader.ts';
import { RxdSecretsBlanker } from '#server/telemetry/decode/can-log/rxd/rxd-secrets.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { pushInPieces } from './read-rxd.ts';
import { createSmallRxdFile } from './small-file.ts';

/** Size in bytes of the record of a frame without data. */
const MIN_FRAME_RECORD_BYTES = 13;

/** Returns a pseudo-random whole number below the limit (mulberry32). */
type Chance = (limit: number) => number;

function chanceFrom(seed: number): Chance {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const GOLDEN = ['080000', '090000', '100000', '110000'];
/** Returns the .rxd files to damage: a small generated one, and the golden files of ../shared/data if that folder exists. */
const originals = (): Buffer[] => [
  Buffer.from(createSmallRxdFile()),
  ...(hasSharedData ? GOLDEN.map((time) => sharedData(`rxd/BM-0001_0001234_20261127_${time}.rxd`)) : []),
];

/** Damages bytes at one random offset, which lies near the beginning (in the configuration) in half of the calls. */
function damage(bytes: Buffer, chance: Chance): Buffer {
  const at = chance(chance(2) === 0 ? Math.min(1400, bytes.length) : bytes.length);
  const length = 1 + chance(40);
  switch (chance(6)) {
    case 0:
      bytes[at] = chance(256);
      return bytes;
    case 1:
      return bytes.fill(chance(2) * 255, at, Math.min(bytes.length, at + length));
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 4:
      return bytes.subarray(0, at + length);
    default: {
      const sector = Buffer.from(bytes.subarray(at, at + 512));
      bytes.set(sector, chance(bytes.length - sector.length + 1));
      return bytes;
    }
  }
}

/** Corrects the checksums of the blocks, so that the reader accepts damaged blocks. */
function withChecksums(bytes: Buffer): Buffer {
  for (let at = 4; at + 6 <= bytes.length; ) {
    const end = at + bytes.readUInt16LE(at + 4);
    if (end > bytes.length || end < at + 7) break;
    bytes[end - 1] = bytes.subarray(at, end - 1).reduce((sum, byte) => sum + byte, 0) & 0xff;
    at = end;
  }
  return bytes;
}

/** Returns a summary of the frames and values that were read, or the kind of the LogError. @throws any other error */
function outcome(bytes: Uint8Array, pieceBytes: number): string {
  let [frames, values, sum] = [0, 0, 0];
  const survey = new RxdClockPrescan(0);
  try {
    pushInPieces(survey, bytes, pieceBytes);
    survey.end(false);
    const sink = {
      frame(_: unknown, { timeMs, bus, id, length, extended }: RxdFrameSeen): void {
        frames += 1;
        sum += timeMs + id;
        const isPossible = length <= 64 && id <= (extended ? 0x1fff_ffff : 0x7ff) && bus <= 255;
        if (!isPossible || !Number.isFinite(timeMs)) throw new Error(`frame ${frames} of ${length} bytes`);
      },
      value: () => {
        values += 1;
      },
    };
    const reader = new RxdReader(sink, survey.clock);
    pushInPieces(reader, bytes, pieceBytes);
    reader.end(false);
    if (frames * MIN_FRAME_RECORD_BYTES > bytes.length) throw new Error('more frames than bytes');
    return [
      frames,
      values,
      sum,
      reader.damagedSectors,
      reader.skippedPreBuffers,
      reader.unknownRecords,
    ].join();
  } catch (error) {
    if (error instanceof LogError) return error.kind;
    throw error;
  }
}
type RxdFrameSeen = {
  readonly timeMs: number;
  readonly bus: number;
  readonly id: number;
  readonly length: number;
  readonly extended: boolean;
};

/** Reads `count` damaged files, each whole and in pieces, and blanks their secrets. @throws Error for the first wrong result */
export function readDamagedRxdFiles(
  count: number,
  seed: number,
): { readonly refused: number; readonly read: number } {
  const files = originals();
  const chance = chanceFrom(seed);
  let refused = 0;
  for (let n = 0; n < count; n += 1) {
    let bytes: Buffer = Buffer.from(files[n % files.length] as Buffer);
    for (let more = 1 + chance(4); more > 0 && bytes.length > 0; more -= 1) bytes = damage(bytes, chance);
    if (chance(2) === 0) bytes = withChecksums(bytes);
    const pieceBytes = 1 + chance(2000);
    try {
      const whole = outcome(bytes, Math.max(1, bytes.length));
      if (outcome(bytes, pieceBytes) !== whole)
        throw new Error(`pieces of ${pieceBytes} bytes read as others`);
      if (!whole.includes(',')) refused += 1;
      const secrets = new RxdSecretsBlanker();
      let blanked = 0;
      for (let at = 0; at < bytes.length; at += pieceBytes)
        blanked += secrets.push(bytes.subarray(at, at + pieceBytes)).length;
      blanked += secrets.end().length;
      if (blanked !== bytes.length) throw new Error(`${blanked} bytes are left of ${bytes.length}`);
    } catch (error) {
      throw new Error(`damaged file ${n} of seed ${seed}`, { cause: error });
    }
  }
  return { refused, read: count - refused };
}
