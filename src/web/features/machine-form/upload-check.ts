/** What a picked file must be, before it is sent: the server judges by its content and says so itself. */
import { MAX_MANUAL_BYTES, MAX_PHOTO_BYTES } from '#shared/domain/file-limits.ts';
import { decimals } from '#shared/domain/nl.ts';

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
/** '12,5 MB'. */
export const megabytes = (bytes: number): string => `${decimals(bytes / 1024 / 1024, 1)} MB`;

/** Why this is no photo that can be sent, in Dutch. A browser that knows no type has none to judge by. */
export function photoFault(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (isHeic(file))
    return 'Een foto in HEIC kan het portaal niet lezen. Bewaar hem als JPEG en probeer het opnieuw.';
  if (file.type !== '' && !PHOTO_TYPES.has(file.type))
    return 'Dit bestand is geen foto. Kies een JPEG, PNG, WebP, AVIF, GIF of TIFF.';
  if (file.size > MAX_PHOTO_BYTES)
    return `De foto is te groot: ${megabytes(file.size)}. Een foto mag hoogstens 20 MB zijn.`;
  return undefined;
}

/** Why this is no manual that can be sent, in Dutch. */
export function manualFault(file: Picked): string | undefined {
  if (file.size === 0) return 'Dit bestand is leeg.';
  if (file.type !== 'application/pdf' && !(file.type === '' && /\.pdf$/i.test(file.name)))
    return 'Dit bestand is geen PDF. Kies een handleiding in PDF.';
  if (file.size > MAX_MANUAL_BYTES)
    return `De handleiding is te groot: ${megabytes(file.size)}. Een PDF mag hoogstens 25 MB zijn.`;
  return undefined;
}
