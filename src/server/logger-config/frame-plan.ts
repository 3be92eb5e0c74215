import { type DbcMessage, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import type { ReadBus } from './read-buses.ts';

/** Bytes (ISO 11898-1). */
const LONGEST_FRAME = 8;
export const FD_LENGTHS: readonly number[] = [12, 16, 20, 24, 32, 48, 64];

/**
 * Whether a message comes as a frame of CAN FD; undefined, and a problem in Dutch, when it fits in no frame.
 */
export function planFrame(
  message: DbcMessage,
  { bus, isJ1939, fdMessages }: ReadBus,
  problems: string[],
): boolean | undefined {
  const { name, dlc } = message;
  if (dlc <= LONGEST_FRAME) return fdMessages.has(messageKey(message));
  const tooLong = `Bericht ${name} op can${bus} is ${dlc} bytes lang`;
  if (isJ1939 || !FD_LENGTHS.includes(dlc)) {
    problems.push(`${tooLong}: het komt in meer frames, en die voegt de logger niet samen.`);
    return undefined;
  }
  return true;
}
