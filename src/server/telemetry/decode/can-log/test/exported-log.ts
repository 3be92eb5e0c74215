import { sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import type { FrameRow } from './read-lines.ts';

const NAME = 'rxd/BM-0001_0001234_20261127_080000';
/** The start in the name of the file, in UTC; the exporter wrote it into the headers too. */
export const EXPORTED_START_MS = Date.UTC(2026, 10, 27, 8);

/** Returns a file that the vendor's exporter created from the .rxd file `NAME`. */
export const exportedLog = (ending: 'asc' | 'blf' | 'trc' | 'mf4'): Buffer => sharedData(`${NAME}.${ending}`);

type Truth = { tickUs: number; firstTick: number; frames: [number, number, number, string, number?][] };

/**
 * Returns the frames of the exported file.
 * @param usPerTick microseconds per tick, 10 by default; 0.01 for the exporter's TRC, which has seconds where milliseconds belong
 */
export function exportedRows(usPerTick = 10): FrameRow[] {
  const { firstTick, frames } = JSON.parse(sharedData(`${NAME}.rxd.json`).toString()) as Truth;
  return frames.map(([tick, bus, id, data]) => {
    const us = Math.round(EXPORTED_START_MS * 1000 + (tick - firstTick) * usPerTick);
    return `${us} ${bus} ${id.toString(16)} ${data}`;
  });
}
