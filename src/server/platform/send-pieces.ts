import type { ServerResponse } from 'node:http';

/** What a reader must take within the time: at 60 s, 273 bytes per second; the slowest mobile data is 1,200. */
const PIECE = 16 * 1024;

/** The client went away, or read nothing for too long; there is nobody to answer. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/**
 * Writes a body whose head is written, no quicker than the client takes it, and ends the answer. The connection of a
 * client that takes nothing is cut.
 * @param stallMs the longest time without progress, ms; what the next part takes to be read does not count
 * @throws ReaderGone, and what `parts` throws: then the connection is cut, since the head has promised the whole
 */
export async function sendPieces(
  response: ServerResponse,
  parts: AsyncIterable<Buffer>,
  stallMs: number,
): Promise<void> {
  try {
    for await (const part of parts) {
      for (let at = 0; at < part.length; at += PIECE) {
        await writeWithin(response, part.subarray(at, at + PIECE), stallMs);
      }
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Resolves when the system has taken all of the piece. */
function writeWithin(response: ServerResponse, piece: Buffer, stallMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (gone: boolean): void => {
      clearTimeout(timer);
      response.off('close', onGone).off('error', onGone);
      if (gone) reject(new ReaderGone());
      else resolve();
    };
    const onGone = (): void => settle(true);
    const timer = setTimeout(onGone, stallMs);
    response.on('close', onGone).on('error', onGone);
    // node emits an error on an answer that is written to after its connection went.
    if (response.destroyed) onGone();
    else response.write(piece, (error) => settle(error instanceof Error));
  });
}
