import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Size of a chunk. A reader must accept a chunk within the time limit: with 60 s this requires 273 bytes per second, and the slowest
 * mobile data has 1,200.
 */
const CHUNK_BYTES = 16 * 1024;

/** The client disconnected or read nothing for too long; nothing can be answered. */
export class ReaderDisconnectedError extends Error {
  override readonly name = 'ReaderDisconnectedError';
}

/**
 * Writes a body whose headers are already written, as fast as the client reads, and ends the response. Closes the connection of a
 * client that reads nothing.
 * @param stallMs longest time without progress, in ms; the time to read the next part does not count
 * @throws ReaderDisconnectedError, and errors of `parts`: then the connection is closed, because the headers promised the whole body
 */
export async function sendChunks(
  response: ServerResponse,
  parts: AsyncIterable<Buffer>,
  stallMs: number,
): Promise<void> {
  try {
    for await (const part of parts) {
      for (let at = 0; at < part.length; at += CHUNK_BYTES) {
        await writeWithin(response, part.subarray(at, at + CHUNK_BYTES), stallMs);
      }
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Writes a chunk; resolves when the operating system has accepted all of it. @throws ReaderDisconnectedError */
function writeWithin(response: ServerResponse, chunk: Buffer, stallMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (gone: boolean): void => {
      clearTimeout(timer);
      response.off('close', onGone).off('error', onGone);
      if (gone) reject(new ReaderDisconnectedError());
      else resolve();
    };
    const onGone = (): void => settle(true);
    const timer = setTimeout(onGone, stallMs);
    response.on('close', onGone).on('error', onGone);
    // Node emits an error on a response that is written to after its connection closed.
    if (response.destroyed) onGone();
    else response.write(chunk, (error) => settle(error instanceof Error));
  });
}

/**
 * Sends a file that is produced while it is sent. The reply already has its headers; a HEAD request gets only those.
 * @param onCut callback that gets the reason when the file was cut off, unless the reader disconnected
 */
export async function sendFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncIterable<Buffer>,
  { stallMs, onCut }: { readonly stallMs: number; readonly onCut: (error: unknown) => void },
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  if (method === 'HEAD') {
    reply.raw.end();
    return reply;
  }
  await sendChunks(reply.raw, chunks, stallMs).catch((error: unknown) => {
    if (!(error instanceof ReaderDisconnectedError)) onCut(error);
  });
  return reply;
}
