import type { Definition } from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';

export const J1939_DBC = 'BO_ 2364540158 EEC1: 8 X\n SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\n';

/** Returns a definition of a J1939 bus that reads the engine's speed. */
export const j1939Definition = (j1939: J1939Scope = 'all'): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'j.dbc', dbc: J1939_DBC, j1939 }],
  mapping: { signals: [{ signal: 'Rpm', to: 'MotorSpeed' }], keep: [] },
});

/** Data of DM1 messages: no code; SPN 100, FMI 1 with the stop lamp; SPN 110, FMI 0 with the warning lamp. */
export const NO_CODE_DM1 = '00FF00000000FFFF';
export const OIL_CODE_DM1 = '10FF64000103FFFF';
export const COOLANT_CODE_DM1 = '04FF6E000001FFFF';

/** Returns a line of a candump log. @param second seconds since 1970 */
export const dm1Line = (second: number, data: string, source = '21'): string =>
  `(${second}.000000) can0 18FECA${source}#${data}\n`;
/** Returns a line with a speed, so that the log gives a reading too. */
export const speedLine = (second: number): string => `(${second}.000000) can0 0CF00400#000000402C000000\n`;
/** Returns lines for each second of a half-open range. */
export const dm1Lines = (from: number, to: number, data: string): string =>
  Array.from({ length: to - from }, (_, n) => dm1Line(from + n, data) + speedLine(from + n)).join('');
