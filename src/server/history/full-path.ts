import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readPackCountLookup } from './pack-counts.ts';
import { jsonOfPoints, type PackCountAt, POINT_COLUMNS } from './path-points.ts';
import { ownedSegmentsOf } from './range.ts';

/** Readings per statement: little memory, and a fast first answer; each statement costs half a millisecond more. */
const PAGE = 2_000;

/**
 * Sends every point of the range as one JSON array, page by page and no faster than the client reads. Reading stops
 * when the client disconnects. An error before the first byte is thrown; a later one truncates the answer.
 */
export async function sendFullPath(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const segments = ownedSegmentsOf(range, own);
  const packsAt = await readPackCountLookup(db, streamId, segments);
  const pages = readColumnPages(db, streamId, segments, POINT_COLUMNS, PAGE);
  const first = await pages.next();
  reply.hijack();
  reply.raw.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'application/json; charset=utf-8',
  } as Record<string, string>);
  if (request.method === 'HEAD') {
    reply.raw.end();
    return reply;
  }
  try {
    await pipeline(Readable.from(jsonOf(first, pages, packsAt)), reply.raw);
  } catch (error) {
    // A client that disconnected is no failure; any other error truncates the answer.
    const code = String((error as { code?: unknown }).code);
    if (!/^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE)$/.test(code))
      request.log.error({ err: error }, 'A path could not be sent completely');
  }
  return reply;
}

async function* jsonOf(
  first: IteratorResult<ReadingColumns, void>,
  pages: AsyncGenerator<ReadingColumns, void>,
  packsAt: PackCountAt,
): AsyncGenerator<string | Buffer> {
  let before = '[';
  for (let page = first; !page.done; page = await pages.next()) {
    const points = jsonOfPoints(page.value, packsAt, before);
    if (points.length === 0) continue;
    yield points;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
