import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { OwnHistory } from './history-scope.ts';
import { AS_TEXT, POINT_COLUMNS, type PointRow, timeOf, toJson } from './path-points.ts';
import { segmentsOf } from './range.ts';

/** Readings per question: a fifth of a second at most, and little memory. */
const PAGE = 5_000;

/**
 * Sends every point of the range as one JSON array, a page at a time and no quicker than the client takes it; a client
 * that leaves ends the reading. No transaction stays open meanwhile: a reading that arrives late is in it or not.
 * An error before the first byte is thrown; later ones cut the answer off.
 */
export async function sendFullPath(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const pages = pagesOf(db, streamId, segmentsOf(range, own));
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
    await pipeline(Readable.from(jsonOf(first, pages)), reply.raw);
  } catch (error) {
    // The client that left is no failure; otherwise the answer is cut off for whoever is still there.
    const code = String((error as { code?: unknown }).code);
    if (!/^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE)$/.test(code))
      request.log.error({ err: error }, 'A path was cut off');
  }
  return reply;
}

async function* jsonOf(
  first: IteratorResult<readonly PointRow[], void>,
  pages: AsyncGenerator<readonly PointRow[], void>,
): AsyncGenerator<string> {
  let before = '[';
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.length === 0) continue;
    yield before + page.value.map(toJson).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* pagesOf(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): AsyncGenerator<readonly PointRow[], void> {
  for (const { from, to } of ranges) {
    let after = from;
    while (after < to) {
      const rows = await readPage(db, streamId, { from: after, to });
      yield rows.filter(hasPosition);
      const last = rows.at(-1);
      after = last && rows.length === PAGE ? timeOf(last) + 1 : to;
    }
  }
}

/** The next readings, at most PAGE; those without a position are counted too, so that no page is long in the making. */
async function readPage(db: Database, streamId: number, { from, to }: Range): Promise<PointRow[]> {
  const { rows } = await db.query<never>({
    ...AS_TEXT,
    text: `select ${POINT_COLUMNS}, is_position(latitude, longitude) from reading r
      where stream_id = $1 and time >= $2 and time < $3 order by time limit ${PAGE}`,
    values: [streamId, new Date(from), new Date(to)],
  });
  return rows;
}

const hasPosition = (row: readonly (string | null)[]): boolean => row[5] === 't';
