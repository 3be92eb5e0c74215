import { bytesOf, type CanMessage } from '#shared/demo/can-message.ts';
import type { Signals } from '#shared/domain/signal.ts';

/**
 * Returns the data of a message with the signals of one moment; undefined if a signal is missing, because then its sender is
 * silent.
 */
export function frameData(message: CanMessage, signals: Signals): Uint8Array | undefined {
  const data = new Uint8Array(message.length);
  for (const { to, firstByte, number } of message.signals) {
    const value = signals[to];
    if (value === undefined) return undefined;
    let raw = Math.round((value - number.offset) / number.factor);
    if (raw < 0) raw += 2 ** number.bits;
    const bytes = bytesOf(number);
    for (let n = 0; n < bytes; n++) {
      data[firstByte + (message.isBigEndian ? bytes - 1 - n : n)] = raw % 256;
      raw = Math.floor(raw / 256);
    }
  }
  return data;
}
