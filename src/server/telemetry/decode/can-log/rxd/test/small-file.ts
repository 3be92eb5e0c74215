import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import type { RxdSettings } from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';

export const SMALL_RXD_SETTINGS: RxdSettings = { name: 'SMALL', buses: [0, 1] };

/** Returns a file of 60 frames in three sectors, alternately of bus 0 and 1, with the identifiers 0 to 59. */
export function createSmallRxdFile(settings: RxdSettings = SMALL_RXD_SETTINGS): Uint8Array {
  const file = new RxdFile(settings);
  for (let n = 0; n < 60; n += 1) {
    if (n % 20 === 0) file.endSector();
    file.addFrame({ tick: 1000 * n, bus: n % 2, id: n, data: [n, n + 1] });
  }
  return file.toBytes();
}

/** Returns the kind of the LogError that a call throws; undefined when it throws none. */
export function logErrorOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof LogError) return error.kind;
    throw error;
  }
}
