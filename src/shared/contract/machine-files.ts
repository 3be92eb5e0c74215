import { z } from 'zod';
import { MAX_MANUAL_BYTES, MAX_PHOTO_BYTES, MAX_PHOTO_MB } from '#shared/domain/file-limits.ts';
import type { Endpoints } from './endpoint.ts';

export { MAX_MANUAL_BYTES, MAX_PHOTO_BYTES };

const readable = (length: number) =>
  z
    .string()
    .max(length, 'is te lang')
    .regex(/^\P{Cc}*$/u, 'is onleesbaar');
const serial = readable(200);
const Serial = z.object({ serial });
const Upload = z.object({
  name: z.string().max(300),
  serial,
  /** A data URL; the call returns 413 when the file is too large. */
  file: z.string(),
});

const StoredFile = z.object({ url: z.string() });
export type StoredFile = z.output<typeof StoredFile>;
const StoredManual = StoredFile.extend({ name: z.string(), size: z.number().int() });
export type StoredManual = z.output<typeof StoredManual>;
const MachineFiles = z.object({ photo: StoredFile.nullable(), manual: StoredManual.nullable() });
export type MachineFiles = z.output<typeof MachineFiles>;

/**
 * Returns the maximum length of the body of a call with a file of at most `bytes` bytes: base64 has four characters
 * for three bytes, and the JSON around them needs some more.
 */
const bodyOf = (bytes: number) => Math.ceil(bytes / 3) * 4 + 4096;

/**
 * Calls about the manual and the photo of a machine (API-01). A URL contains the content's hash, so that its content
 * never changes and can be cached.
 */
export const machineFilesApi = {
  // Pages find out with this call which files exist, because a browser logs each request for a missing file in
  // its console.
  'GET /api/machine/files/:serial': {
    summary: "Returns the URLs of a machine's photo and manual; null when it has none.",
    dutch: 'Waar de foto en de handleiding van een machine staan; null voor wat zij niet heeft.',
    needs: 'see-machines',
    params: Serial,
    response: MachineFiles,
  },
  'GET /api/img/:serial': {
    summary: "Returns the URL of a machine's photo; 404 when it has none.",
    dutch: 'Waar de foto van een machine staat; 404 als zij er geen heeft.',
    needs: 'see-machines',
    params: Serial,
    response: StoredFile,
  },
  'GET /api/img/:serial/:hash': {
    summary: 'Returns the photo itself: WebP, at most 2048 px, without metadata.',
    dutch: 'De foto zelf: WebP, hoogstens 2048 pixels, zonder verborgen gegevens.',
    needs: 'see-machines',
    media: 'image/webp',
    params: Serial.extend({ hash: readable(100) }),
    response: z.unknown(),
  },
  'POST /api/img/upload': {
    summary: "Replaces a machine's photo: JPEG, PNG, WebP, AVIF, GIF or TIFF by its content, as a data URL.",
    dutch: `Vervangt de foto van een machine: JPEG, PNG, WebP, AVIF, GIF of TIFF, als data-URL, hoogstens ${MAX_PHOTO_MB} MB. De inhoud telt, niet de naam.`,
    needs: 'manage-machines',
    bodyLimit: bodyOf(MAX_PHOTO_BYTES),
    body: Upload,
    response: StoredFile,
  },
  'POST /api/img/delete': {
    summary: "Removes a machine's photo.",
    dutch: 'Verwijdert de foto van een machine.',
    needs: 'manage-machines',
    body: Serial,
  },
  'GET /api/manual/:serial': {
    summary: "Returns the URL of a machine's manual; 404 when it has none.",
    dutch: 'Waar de handleiding van een machine staat; 404 als zij er geen heeft.',
    needs: 'see-machines',
    params: Serial,
    response: StoredManual,
  },
  'GET /api/manual/:serial/:hash': {
    summary: 'Returns the manual itself, for showing in a browser tab.',
    dutch: 'De handleiding zelf, om in een tabblad te tonen.',
    needs: 'see-machines',
    media: 'application/pdf',
    params: Serial.extend({ hash: readable(100) }),
    response: z.unknown(),
  },
  'POST /api/manual/upload': {
    summary: "Replaces a machine's manual: a PDF of at most 25 MB, as a data URL.",
    dutch: 'Vervangt de handleiding van een machine: een PDF van hoogstens 25 MB, als data-URL.',
    needs: 'manage-machines',
    bodyLimit: bodyOf(MAX_MANUAL_BYTES),
    body: Upload.extend({ size: z.number().optional() }),
    response: z.object({ url: z.string(), size: z.number().int() }),
  },
  'POST /api/manual/delete': {
    summary: "Removes a machine's manual.",
    dutch: 'Verwijdert de handleiding van een machine.',
    needs: 'manage-machines',
    body: Serial,
  },
} as const satisfies Endpoints;
