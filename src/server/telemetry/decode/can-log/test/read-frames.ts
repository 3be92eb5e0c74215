import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { type LogStats, noStats } from '#server/telemetry/decode/log-outcome.ts';
import { type FrameRow, rowOf } from './read-lines.ts';

/** Makes the reader of one format. */
export type MakeReader = (sink: FrameSink, stats: LogStats) => FrameReader;

export type ReadFrames = { readonly rows: FrameRow[]; readonly damaged: number };

/** Reads a whole file in pieces of one size. @throws what the reader throws */
export function readFrames(make: MakeReader, file: Uint8Array, pieceBytes = 4096): ReadFrames {
  const rows: FrameRow[] = [];
  const stats = noStats();
  const reader = make(
    { frame: (kind, frame) => rows.push(rowOf(kind, frame)), value: () => expectNoValue() },
    stats,
  );
  for (let at = 0; at < file.length; at += pieceBytes) reader.push(file.subarray(at, at + pieceBytes));
  reader.end(false);
  return { rows, damaged: stats.badLines };
}

function expectNoValue(): never {
  throw new Error('This log has no values of its own.');
}
