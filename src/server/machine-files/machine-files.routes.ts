import type { FastifyReply } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import { bytesOfDataUrl } from '#server/platform/data-url.ts';
import type { Pool } from '#server/platform/database.ts';
import { inlineDisposition, safeFileName } from '#server/platform/file-name.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';
import {
  deleteFile,
  type FileKind,
  findFile,
  readFile,
  replaceFile,
  requireMachine,
  type StoredFile,
} from './machine-files.store.ts';
import { checkManual } from './manual.ts';
import { encodePhoto } from './photo.ts';

const PATH: Readonly<Record<FileKind, string>> = { photo: 'img', manual: 'manual' };
// MDET-08, MDET-10.
const NONE: Readonly<Record<FileKind, string>> = {
  photo: 'Afbeelding onbeschikbaar',
  manual: 'Handleiding onbeschikbaar',
};
// A photo needs nothing at all. A browser's own PDF viewer may need its styles; `sandbox` is left out, since versions of
// Chrome refuse to show a PDF under it.
const POLICY: Readonly<Record<FileKind, string>> = {
  photo: "default-src 'none'; frame-ancestors 'none'",
  manual: "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
};

const urlOf = (kind: FileKind, serial: string, hash: string) =>
  `/api/${PATH[kind]}/${encodeURIComponent(serial)}/${hash}`;

/** API-01, Manual and image (MEDIT-08, MEDIT-09, MDET-08, MDET-10). */
export function machineFilesRoutes(serve: Serve<Caller>, pool: Pool): void {
  serve('GET /api/img/:serial', async ({ caller, params: { serial } }) => {
    const photo = await findFile(pool, caller.scope, serial, 'photo');
    if (!photo) throw notFound(NONE.photo);
    return { url: urlOf('photo', serial, photo.hash) };
  });

  serve('GET /api/manual/:serial', async ({ caller, params: { serial } }) => {
    const manual = await findFile(pool, caller.scope, serial, 'manual');
    if (!manual) throw notFound(NONE.manual);
    return { url: urlOf('manual', serial, manual.hash), name: manual.name, size: manual.size };
  });

  for (const [key, kind] of [
    ['GET /api/img/:serial/:hash', 'photo'],
    ['GET /api/manual/:serial/:hash', 'manual'],
  ] as const) {
    serve(key, async ({ caller, params: { serial, hash }, reply }) => {
      const file = await readFile(pool, caller.scope, serial, kind, hash);
      if (!file) throw notFound(NONE[kind]);
      return send(reply, kind, file);
    });
  }

  serve('POST /api/img/upload', async ({ caller, body: { serial, file } }) => {
    await requireMachine(pool, caller.scope, serial);
    const body = await encodePhoto(bytesOfDataUrl(file));
    const { hash } = await replaceFile(pool, caller, serial, 'photo', {
      name: safeFileName(serial, 'webp', 'foto'),
      contentType: 'image/webp',
      body,
    });
    return { url: urlOf('photo', serial, hash) };
  });

  serve('POST /api/manual/upload', async ({ caller, body: { serial, name, file } }) => {
    await requireMachine(pool, caller.scope, serial);
    const body = bytesOfDataUrl(file);
    await checkManual(body);
    const { hash, size } = await replaceFile(pool, caller, serial, 'manual', {
      name: safeFileName(name, 'pdf', 'handleiding'),
      contentType: 'application/pdf',
      body,
    });
    return { url: urlOf('manual', serial, hash), size };
  });

  serve('POST /api/img/delete', async ({ caller, body: { serial } }) => {
    await deleteFile(pool, caller, serial, 'photo');
    return { message: 'De foto is verwijderd.' };
  });

  serve('POST /api/manual/delete', async ({ caller, body: { serial } }) => {
    await deleteFile(pool, caller, serial, 'manual');
    return { message: 'De handleiding is verwijderd.' };
  });
}

/**
 * For ever, since the address has the content's hash; for this browser and this session only (`vary`), so that who
 * signs in after another on one computer is asked for again.
 */
const send = (reply: FastifyReply, kind: FileKind, { name, contentType, body }: StoredFile): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('cache-control', 'private, max-age=31536000, immutable')
    .header('vary', 'cookie')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', POLICY[kind])
    .header('content-disposition', inlineDisposition(name))
    .send(body);
