import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { BYTES_COLUMNS, jsonOfPoints, POINTS_AS_BYTES } from './point-bytes.ts';
import { packCounts } from './point-soc.ts';
import { segmentsOf } from './range.ts';

/** Readings per query: little memory, and a fast first answer; each query costs half a millisecond more. */
const PAGE = 2_000;

/**
 * Sends every point of the range as one JSON array, page by page and no faster than the client reads, with one page
 * read ahead. Reading stops when the client disconnects. No transaction stays open, so a reading that arrives late may
 * or may not be included. An error before the first byte is thrown; a later one truncates the answer.
 */
export async function sendFullPath(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const segments = segmentsOf(range, own);
  const packsAt = await packCounts(db, streamId, segments);
  const pages = pagesOf(db, streamId, segments);
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
  first: IteratorResult<Page, void>,
  pages: AsyncGenerator<Page, void>,
  packsAt: (time: number) => number,
): AsyncGenerator<string> {
  let before = '[';
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.points === null) continue;
    yield before + jsonOfPoints(page.value.points, packsAt);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Reads the next page while a page is sent: at most one, however slow the client is. */
async function* pagesOf(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): AsyncGenerator<Page, void> {
  const rest = ranges.toReversed();
  const ask = (): Promise<Page> | undefined => {
    const range = rest.pop();
    const page = range && readPage(db, streamId, range);
    page?.catch(() => {}); // the caller that awaits it gets the error; after a disconnect no caller does
    return page;
  };
  for (let asked = ask(); asked; ) {
    const page = await asked;
    if (page.after) rest.push(page.after);
    asked = ask();
    yield page;
  }
}

/** `after`: the rest of the range. */
type Page = { readonly points: Buffer | null; readonly after: Range | undefined };

/** Reads at most PAGE readings. Readings without a position count too, so that no page takes long. */
async function readPage(db: Database, streamId: number, { from, to }: Range): Promise<Page> {
  const { rows } = await ofStream(db, streamId).query<{ points: Buffer | null; count: number; last: number }>(
    `select ${POINTS_AS_BYTES} as points, count(*)::float8 as count, date_part('epoch', max(time)) * 1000 as last
     from (
       select ${BYTES_COLUMNS} from telemetry.reading r
       where stream_id = $1 and time >= $2 and time < $3 order by time limit ${PAGE}
     ) as page`,
    [streamId, new Date(from), new Date(to)],
  );
  const { points = null, count = 0, last = to } = rows[0] ?? {};
  const next = Math.round(last) + 1;
  return { points, after: count === PAGE && next < to ? { from: next, to } : undefined };
}
