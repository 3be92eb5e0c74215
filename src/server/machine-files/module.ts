import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import { bytesOfDataUrl } from '#server/platform/data-url.ts';
import { openStreamingQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import { inlineDisposition, safeFileName } from '#server/platform/file-name.ts';
import type { Module } from '#server/platform/module.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { ReaderDisconnectedError, sendChunks } from '#server/platform/send-chunks.ts';
import type { Scope } from '#shared/domain/access.ts';
import {
  deleteFile,
  type FileKind,
  findFile,
  findVersion,
  readFileContent,
  replaceFile,
  requireMachineInScope,
  type StoredFile,
} from './machine-files.store.ts';
import { checkManual } from './manual.ts';
import { encodePhoto } from './photo.ts';

const PATH: Readonly<Record<FileKind, string>> = { photo: 'img', manual: 'manual' };
// Messages for a machine without this file (MDET-08, MDET-10).
const NONE: Readonly<Record<FileKind, string>> = {
  photo: 'Afbeelding onbeschikbaar',
  manual: 'Handleiding onbeschikbaar',
};
// Content-Security-Policy of each kind of file. A photo may load nothing. For a manual, styles are allowed, because the PDF viewer of a
// browser may need its own. `sandbox` is left out, because some versions of Chrome then refuse to show a PDF.
const POLICY: Readonly<Record<FileKind, string>> = {
  photo: "default-src 'none'; frame-ancestors 'none'",
  manual: "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
};

/** Limits of one account and of one reader. */
export type FileDownloadLimits = {
  /** Maximum number of files that are sent to one account at the same time. */
  readonly atOnce: number;
  /** Maximum number of waiting requests of one account; more get 429. */
  readonly waiting: number;
  /** Time without progress after which a reader is cut off, in ms. */
  readonly stallMs: number;
};

export const FILE_DOWNLOAD_LIMITS: FileDownloadLimits = {
  // As many as the connections that a browser opens to one host over HTTP/1.1. Over HTTP/2 a proxy may pass on a hundred requests at once;
  // the requests above this limit wait.
  atOnce: 6,
  // A page of 120 machines shows all their photos, and an office may have four such pages open with one account.
  waiting: 500,
  stallMs: 60_000,
};

const urlOf = (kind: FileKind, serial: string, hash: string) =>
  `/api/${PATH[kind]}/${encodeURIComponent(serial)}/${hash}`;

/**
 * Serves manuals and photos (API-01, Manual and image; MEDIT-08, MEDIT-09, MDET-08, MDET-10). Reads metadata through the connection pool of
 * pages, and contents through the connection pool of files.
 */
export const machineFiles: Module<
  Caller,
  { readonly pools: Pick<ConnectionPools, 'pages' | 'files'>; readonly fileLimits: FileDownloadLimits }
> = {
  topics: {
    img: { title: 'Foto’s', about: 'De foto van een machine.' },
    manual: { title: 'Handleidingen', about: 'De handleiding van een machine, in PDF.' },
  },
  routes: (serve, { pools: { pages, files }, fileLimits: { atOnce, waiting, stallMs } }) => {
    const queue = openStreamingQueue(atOnce, waiting);

    const photoOf = async (scope: Scope, serial: string) => {
      const photo = await findFile(pages, scope, serial, 'photo');
      return photo ? { url: urlOf('photo', serial, photo.hash) } : null;
    };
    const manualOf = async (scope: Scope, serial: string) => {
      const manual = await findFile(pages, scope, serial, 'manual');
      return manual
        ? { url: urlOf('manual', serial, manual.hash), name: manual.name, size: manual.size }
        : null;
    };

    serve('GET /api/machine/files/:serial', async ({ caller: { scope }, params: { serial } }) => {
      await requireMachineInScope(pages, scope, serial);
      const [photo, manual] = await Promise.all([photoOf(scope, serial), manualOf(scope, serial)]);
      return { photo, manual };
    });

    serve('GET /api/img/:serial', async ({ caller, params: { serial } }) => {
      const photo = await photoOf(caller.scope, serial);
      if (!photo) throw notFound(NONE.photo);
      return photo;
    });

    serve('GET /api/manual/:serial', async ({ caller, params: { serial } }) => {
      const manual = await manualOf(caller.scope, serial);
      if (!manual) throw notFound(NONE.manual);
      return manual;
    });

    for (const [key, kind] of [
      ['GET /api/img/:serial/:hash', 'photo'],
      ['GET /api/manual/:serial/:hash', 'manual'],
    ] as const) {
      serve(key, (call) =>
        queue.run(queuedCallerOf(call), async () => {
          const { caller, params, request, reply } = call;
          const file = await findVersion(files, caller.scope, params.serial, kind, params.hash);
          if (!file) throw notFound(NONE[kind]);
          const content = readFileContent(files, caller.scope, params.serial, kind, file);
          describe(reply, kind, params.hash, file);
          if (kind === 'photo' && request.headers['if-none-match'] === `"${params.hash}"`)
            return reply.removeHeader('content-length').code(304).send();
          // Reads the first part before the headers are sent, so that an error can still decide the status. HEAD reads nothing.
          const first = request.method === 'HEAD' ? undefined : await content.next();
          return sendContent(call, prepend(first, content), stallMs);
        }),
      );
    }

    serve('POST /api/img/upload', async ({ caller, body: { serial, file } }) => {
      await requireMachineInScope(pages, caller.scope, serial);
      const body = await encodePhoto(bytesOfDataUrl(file));
      const { hash } = await replaceFile(files, caller, serial, 'photo', {
        name: safeFileName(serial, 'webp', 'foto'),
        contentType: 'image/webp',
        body,
      });
      return { url: urlOf('photo', serial, hash) };
    });

    serve('POST /api/manual/upload', async ({ caller, body: { serial, name, file } }) => {
      await requireMachineInScope(pages, caller.scope, serial);
      const body = bytesOfDataUrl(file);
      await checkManual(body);
      const { hash, size } = await replaceFile(files, caller, serial, 'manual', {
        name: safeFileName(name, 'pdf', 'handleiding'),
        contentType: 'application/pdf',
        body,
      });
      return { url: urlOf('manual', serial, hash), size };
    });

    serve('POST /api/img/delete', async ({ caller, body: { serial } }) => {
      await deleteFile(pages, caller, serial, 'photo');
      return { message: 'De foto is verwijderd.' };
    });

    serve('POST /api/manual/delete', async ({ caller, body: { serial } }) => {
      await deleteFile(pages, caller, serial, 'manual');
      return { message: 'De handleiding is verwijderd.' };
    });
  },
};

/**
 * Cache-Control headers that let a browser cache a file without showing it to a later session. A page shows photos of many machines: a
 * photo is cached, and shown after the portal confirms that the caller may still see it (304). A manual is opened rarely: it is not cached,
 * because a browser may show it from its history without asking the portal.
 */
const CACHING: Readonly<Record<FileKind, string>> = {
  photo: 'private, no-cache',
  manual: 'private, no-store',
};

const describe = (
  reply: FastifyReply,
  kind: FileKind,
  hash: string,
  { name, contentType, size }: StoredFile,
): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('content-length', size)
    .header('cache-control', CACHING[kind])
    .header('etag', `"${hash}"`)
    .header('vary', 'cookie')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', POLICY[kind])
    .header('content-disposition', inlineDisposition(name));

async function* prepend<T>(
  first: IteratorResult<T, void> | undefined,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  if (!first || first.done) return;
  yield first.value;
  yield* rest;
}

/** Sends the file after its headers. An error while sending cuts off the answer, because the status has already been sent. */
async function sendContent(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  content: AsyncIterable<Buffer>,
  stallMs: number,
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  try {
    await sendChunks(reply.raw, content, stallMs);
  } catch (error) {
    // A client that disconnected, or a file that was replaced, is no error.
    if (!(error instanceof ReaderDisconnectedError || error instanceof ProblemError))
      request.log.error({ err: error }, 'A file was cut off');
  }
  return reply;
}
