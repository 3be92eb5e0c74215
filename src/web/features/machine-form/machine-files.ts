/** A machine's photo and manual: what they must be, and the calls that change them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_MANUAL_BYTES, MAX_PHOTO_BYTES } from '#shared/domain/file-limits.ts';
import { fileSize } from '#shared/domain/nl.ts';
import { call } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { putMachineFiles } from '#web/machines/machine-files.ts';

/** As a file input gives it: the server judges by the content and says so itself. */
type Picked = { readonly name: string; readonly size: number; readonly type: string };

const PHOTO_TYPES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/tiff',
]);
export const PHOTO_ACCEPT = [...PHOTO_TYPES].join(',');
export const MANUAL_ACCEPT = 'application/pdf,.pdf';

const isHeic = ({ name, type }: Picked): boolean => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** Why this is no photo that can be sent, in Dutch. A browser that knows no type has none to judge by. */
export function photoFault(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (isHeic(file))
    return 'Een foto in HEIC kan het portaal niet lezen. Bewaar hem als JPEG en probeer het opnieuw.';
  if (file.type !== '' && !PHOTO_TYPES.has(file.type))
    return 'Dit bestand is geen foto. Kies een JPEG, PNG, WebP, AVIF, GIF of TIFF.';
  if (file.size > MAX_PHOTO_BYTES)
    return `De foto is te groot: ${fileSize(file.size)}. Een foto mag hoogstens 20 MB zijn.`;
  return undefined;
}

/** Why this is no manual that can be sent, in Dutch. */
export function manualFault(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (file.type !== 'application/pdf' && !(file.type === '' && /\.pdf$/i.test(file.name)))
    return 'Dit bestand is geen PDF. Kies een handleiding in PDF.';
  if (file.size > MAX_MANUAL_BYTES)
    return `De handleiding is te groot: ${fileSize(file.size)}. Een PDF mag hoogstens 25 MB zijn.`;
  return undefined;
}

type SendFile = (file: File, onProgress: (done: number) => void) => Promise<void>;

/** The new photo is shown at once, without asking for it again (MEDIT-08). */
export function useSendPhoto(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, file: await dataUrlOf(file) };
    const { url } = await uploadWithProgress('POST /api/img/upload', body, { onProgress });
    putMachineFiles(client, serial, { photo: { url } });
  };
}

export function useSendManual(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, size: file.size, file: await dataUrlOf(file) };
    const { url, size } = await uploadWithProgress('POST /api/manual/upload', body, { onProgress });
    putMachineFiles(client, serial, { manual: { url, size, name: file.name } });
  };
}

export function useDeletePhoto(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/img/delete', { body: { serial } }),
    onSuccess: () => putMachineFiles(client, serial, { photo: null }),
  });
}

export function useDeleteManual(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/manual/delete', { body: { serial } }),
    onSuccess: () => putMachineFiles(client, serial, { manual: null }),
  });
}
