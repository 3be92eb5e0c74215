import { Mf4Prescan } from '#server/telemetry/decode/can-log/mf4/mf4-prescan.ts';
import { Mf4Reader } from '#server/telemetry/decode/can-log/mf4/mf4-reader.ts';
import { type ReadFramesResult, readFrames } from './read-frames.ts';

/**
 * Reads an MF4 twice, as the product does: first with the prescan, then with the reader, whose LogError is returned as `refusal`.
 * @throws LogError of the prescan
 */
export function readMf4(file: Uint8Array, pieceBytes = 4096): ReadFramesResult {
  const survey = prescanMf4(file, pieceBytes);
  return readFrames((sink) => new Mf4Reader(sink, survey), file, pieceBytes);
}

export function prescanMf4(file: Uint8Array, pieceBytes = 4096): Mf4Prescan {
  const survey = new Mf4Prescan();
  for (let at = 0; at < file.length; at += pieceBytes) survey.push(file.subarray(at, at + pieceBytes));
  survey.end(false);
  return survey;
}
