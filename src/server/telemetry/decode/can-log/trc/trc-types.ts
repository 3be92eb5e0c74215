import type { LineKind } from '#server/telemetry/decode/can-log/can-frame.ts';

/** Kinds of lines by the word in column `T`; 'blank' is no frame. Versions 1.x write the direction in that column. */
export const TYPES: readonly (readonly [string, LineKind, isFd: boolean])[] = [
  ['dt', 'frame', false],
  ['rx', 'frame', false],
  ['tx', 'frame', false],
  ['fd', 'frame', true],
  ['fb', 'frame', true],
  ['fe', 'frame', true],
  ['bi', 'frame', true],
  ['rr', 'remote', false],
  ['er', 'error', false],
  ['error', 'error', false],
  ['st', 'blank', false],
  ['ec', 'blank', false],
  ['ev', 'blank', false],
  ['warng', 'blank', false],
];
