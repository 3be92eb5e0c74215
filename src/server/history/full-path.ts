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

/** Readings per question: little memory, and the first is soon there; each costs half a millisecond more. */
const PAGE = 2_000;

/**
 * Sends every point of the range as one JSON array, a page at a time and no quicker than the client takes it, one page
 * ahead; a client that leaves ends the reading. No transaction stays open meanwhile: a reading that arrives late is in
 * it or not. An error before the first byte is thrown; later ones cut the answer off.
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
    // The client that left is no failure; otherwise the answer is cut off for whoever is still there.
    const code = String((error as { code?: unknown }).code);
    if (!/^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE)$/.test(code))
      request.log.error({ err: error }, 'A path was cut off');
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

/** While a page is sent the next one is read: one, however slow the client is. */
async function* pagesOf(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): AsyncGenerator<Page, void> {
  const rest = ranges.toReversed();
  const ask = (): Promise<Page> | undefined => {
    const range = rest.pop();
    const page = range && readPage(db, streamId, range);
    page?.catch(() => {}); // whoever awaits it is told; when the client left nobody is
    return page;
  };
  for (let asked = ask(); asked; ) {
    const page = await asked;
    if (page.after) rest.push(page.after);
    asked = ask();
    yield page;
  }
}

/** `after`: what is left of the range. */
type Page = { readonly points: Buffer | null; readonly after: Range | undefined };

/** The next readings, at most PAGE; those without a position are counted too, so that no page is long in the making. */
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
