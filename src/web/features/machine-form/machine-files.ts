/** Checks of a machine's photo and manual, and the calls that change them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_MANUAL_BYTES, MAX_PHOTO_BYTES, MAX_PHOTO_MB } from '#shared/domain/file-limits.ts';
import { formatFileSize } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { updateCachedMachineFiles } from '#web/machines/machine-files.ts';

/** The properties of a file from a file input. The server checks the content itself. */
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

/** Returns why a file cannot be sent as a photo, as a Dutch text; undefined if it can. A file without a type is accepted. */
export function photoError(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (isHeic(file))
    return 'Een foto in HEIC kan het portaal niet lezen. Bewaar hem als JPEG en probeer het opnieuw.';
  if (file.type !== '' && !PHOTO_TYPES.has(file.type))
    return 'Dit bestand is geen foto. Kies een JPEG, PNG, WebP, AVIF, GIF of TIFF.';
  if (file.size > MAX_PHOTO_BYTES)
    return `De foto is te groot: ${formatFileSize(file.size)}. Een foto mag hoogstens ${MAX_PHOTO_MB} MB zijn.`;
  return undefined;
}

/** Returns why a file cannot be sent as a manual, as a Dutch text; undefined if it can. */
export function manualError(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (file.type !== 'application/pdf' && !(file.type === '' && /\.pdf$/i.test(file.name)))
    return 'Dit bestand is geen PDF. Kies een handleiding in PDF.';
  if (file.size > MAX_MANUAL_BYTES)
    return `De handleiding is te groot: ${formatFileSize(file.size)}. Een PDF mag hoogstens 25 MB zijn.`;
  return undefined;
}

type SendFile = (file: File, onProgress: (done: number) => void) => Promise<void>;

/** Sends a photo and shows it at once, without reloading (MEDIT-08). */
export function useSendPhoto(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, file: await dataUrlOf(file) };
    const { url } = await uploadWithProgress('POST /api/img/upload', body, { onProgress });
    updateCachedMachineFiles(client, serial, { photo: { url } });
  };
}

export function useSendManual(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, size: file.size, file: await dataUrlOf(file) };
    const { url, size } = await uploadWithProgress('POST /api/manual/upload', body, { onProgress });
    updateCachedMachineFiles(client, serial, { manual: { url, size, name: file.name } });
  };
}

export function useDeletePhoto(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST /api/img/delete', { body: { serial } }),
    onSuccess: () => updateCachedMachineFiles(client, serial, { photo: null }),
  });
}

export function useDeleteManual(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('POST /api/manual/delete', { body: { serial } }),
    onSuccess: () => updateCachedMachineFiles(client, serial, { manual: null }),
  });
}
