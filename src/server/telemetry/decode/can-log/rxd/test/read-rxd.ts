import type { FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { RxdClockPrescan } from '#server/telemetry/decode/can-log/rxd/rxd-clock-prescan.ts';
import { RxdReader } from '#server/telemetry/decode/can-log/rxd/rxd-reader.ts';

export type ReadOptions = {
  /** The start time in the file's name. Default: none. */
  readonly startMs?: number;
  /** Number of bytes that the reader gets at a time. Default: the whole file. */
  readonly pieceBytes?: number;
  readonly isCut?: boolean;
};

/** A frame that the sink received. @property place byte offset of the frame in the file */
export type ReceivedFrame = {
  readonly kind: string;
  readonly timeMs: number;
  readonly bus: number;
  readonly id: number;
  readonly extended: boolean;
  readonly data: string;
  readonly place: number;
};
export type ReceivedValue = { readonly name: string; readonly timeMs: number; readonly value: number };

export function pushInPieces(
  reader: { push(piece: Uint8Array): void },
  bytes: Uint8Array,
  pieceBytes: number,
): void {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // The reader gets a copy that is overwritten after the call, which reveals a reader that uses the bytes after the call.
    const piece = Uint8Array.from(bytes.subarray(at, at + pieceBytes));
    reader.push(piece);
    piece.fill(0xee);
  }
}

/** Reads a file twice, as the product does: first with the prescan, which finds the clock, then with the reader. */
export function readRxd(bytes: Uint8Array, options: ReadOptions = {}) {
  const { startMs, pieceBytes = Math.max(1, bytes.length), isCut = false } = options;
  const survey = new RxdClockPrescan(startMs);
  pushInPieces(survey, bytes, pieceBytes);
  survey.end(isCut);
  const { clock } = survey;

  const frames: ReceivedFrame[] = [];
  const values: ReceivedValue[] = [];
  const sink: FrameSink = {
    frame: (kind, { timeMs, bus, id, extended, data, length }, { byteOffset: place }) => {
      const hex = Buffer.from(data.subarray(0, length)).toString('hex');
      frames.push({ kind, timeMs, bus, id, extended, data: hex, place });
    },
    value: (name, timeMs, value) => values.push({ name, timeMs, value }),
  };
  const reader = new RxdReader(sink, clock);
  pushInPieces(reader, bytes, pieceBytes);
  reader.end(isCut);
  const { damagedSectors, unknownRecords, skippedPreBuffers, linFrames, place } = reader;
  return { clock, frames, values, damagedSectors, unknownRecords, skippedPreBuffers, linFrames, place };
}
