import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.ts';

/** The client went away; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** How slow a body may come before its place is given to another. */
export type Patience = {
  /** Longest silence, ms; also the time before the rate below counts. */
  readonly stallMs: number;
  readonly slowestBytesPerSecond: number;
};

/**
 * Hands the body of a request over piece by piece and resolves at its end. While `take` returns a promise the
 * request is paused. After a failure the request is left paused, with its rest unread.
 * @throws S3Error RequestTimeout, ClientGone, and what `take` throws
 */
export function pump(
  request: IncomingMessage,
  patience: Patience,
  take: (bytes: Buffer) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let received = 0;
    const timer = setTimeout(() => settle(new S3Error('RequestTimeout')), patience.stallMs);

    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      if (error === undefined) {
        resolve();
        return;
      }
      request.pause();
      request.on('error', () => {}); // an abort after our refusal is not news
      reject(error);
    };
    const onEnd = (): void => settle();
    const onGone = (): void => settle(new ClientGone());
    const onData = (bytes: Buffer): void => {
      try {
        received += bytes.length;
        timer.refresh();
        const tooLongMs = performance.now() - startedMs - patience.stallMs;
        if (tooLongMs > 0 && received < (tooLongMs / 1000) * patience.slowestBytesPerSecond) {
          throw new S3Error('RequestTimeout');
        }
        const wait = take(bytes);
        if (wait === undefined) return;
        request.pause();
        wait.then(() => request.resume(), settle);
      } catch (error) {
        settle(error);
      }
    };
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    if (request.destroyed) onGone();
  });
}
