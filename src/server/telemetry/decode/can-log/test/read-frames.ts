import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { type FrameRow, frameRowOf } from './read-lines.ts';

/** Creates the reader of one format. */
export type MakeReader = (sink: FrameSink) => FrameReader & { readonly damaged: number };

export type ReadFramesResult = {
  readonly rows: FrameRow[];
  readonly damaged: number;
  /** Kind of the LogError with which the reader stopped. */
  readonly refusal?: string;
};

/** Reads a whole file in pieces of one size. @throws any error except a LogError */
export function readFrames(make: MakeReader, file: Uint8Array, pieceBytes = 4096): ReadFramesResult {
  const rows: FrameRow[] = [];
  const reader = make({
    frame: (kind, frame) => rows.push(frameRowOf(kind, frame)),
    value: (name, timeMs, value) => rows.push(`${Math.round(timeMs * 1000)} ${name} ${value}`),
  });
  try {
    for (let at = 0; at < file.length; at += pieceBytes) reader.push(file.subarray(at, at + pieceBytes));
    reader.end(false);
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return { rows, damaged: reader.damaged, refusal: error.kind };
  }
  return { rows, damaged: reader.damaged };
}
