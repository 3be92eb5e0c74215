import type { CanFrame, FrameLineParser, LogLineKind } from '#server/telemetry/decode/can-log/can-frame.ts';

/** A frame on one line, for comparison: its time in whole microseconds, bus, identifier (x: extended) and data. */
export type FrameRow = string;

export const frameRowOf = (
  kind: LogLineKind,
  { timeMs, bus, id, extended, data, length }: CanFrame,
): FrameRow => {
  const us = Math.round(timeMs * 1000);
  if (kind !== 'frame') return `${us} ${kind}`;
  const hex = Buffer.from(data.subarray(0, length)).toString('hex');
  return `${us} ${bus} ${id.toString(16)}${extended ? 'x' : ''} ${hex}`;
};

export type ReadLinesResult = { readonly rows: FrameRow[]; readonly bad: string[] };

/** Reads a whole text, whose last line may be truncated. */
export function readLines(line: FrameLineParser, log: Uint8Array): ReadLinesResult {
  const rows: FrameRow[] = [];
  const bad: string[] = [];
  for (let start = 0; start < log.length; ) {
    const newline = log.indexOf(10, start);
    const end = newline === -1 ? log.length : newline;
    const kind = line.read(log, start, end, newline !== -1);
    if (kind === 'bad') bad.push(Buffer.from(log.subarray(start, end)).toString('latin1'));
    else if (kind !== 'blank') rows.push(frameRowOf(kind, line.frame));
    start = end + 1;
  }
  return { rows, bad };
}
