import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

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

/**
 * Answers with a file that is made while it is read; its head is set on the reply, and HEAD has no more than that.
 * @param onCut told why it was cut off, unless by the reader
 */
export async function sendFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<Buffer>,
  { stallMs, onCut }: { readonly stallMs: number; readonly onCut: (error: unknown) => void },
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  if (method === 'HEAD') {
    reply.raw.end();
    return reply;
  }
  await sendPieces(reply.raw, pieces, stallMs).catch((error: unknown) => {
    if (!(error instanceof ReaderGone)) onCut(error);
  });
  return reply;
}
