import { fileTypeFromBuffer } from 'file-type';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTO_MB } from '#shared/domain/file-limits.ts';

/** Loads the image library sharp when the first photo is encoded, because it takes some 10 MB of memory. */
const readSharp = async () => (await import('sharp')).default;

const decoding = openSerialQueue();

/** Longest side of a stored photo, in pixels. */
const MAX_SIDE = 2_048;
/** An image with more pixels is not decoded, because decoding takes 4 bytes per pixel. */
const MAX_PIXELS = 100_000_000;
const DECODE_SECONDS = 30;

/** Accepted types, and the format that sharp must find in the same bytes. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/webp', 'webp'],
  ['image/avif', 'heif'],
  ['image/gif', 'gif'],
  ['image/tiff', 'tiff'],
]);

/**
 * Encodes a photo as WebP in sRGB, upright, at most 2048 px, the first frame, without EXIF, position or profile. One photo at a time in
 * this process, because each may need hundreds of megabytes.
 * @throws ProblemError 413 for too many bytes or pixels; 400 if the content is of no accepted type, or broken
 */
export async function encodePhoto(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > MAX_PHOTO_BYTES) {
    throw new ProblemError(
      'too_large',
      `De foto is te groot: een foto mag hoogstens ${MAX_PHOTO_MB} MB zijn.`,
    );
  }
  await checkType(bytes);
  return decoding.run(() => encode(bytes).catch(rejectBroken));
}

async function checkType(bytes: Buffer): Promise<void> {
  const type = (await fileTypeFromBuffer(bytes))?.mime;
  if (type === 'image/heic' || type === 'image/heif') {
    throw invalidInputError(
      'Een foto in HEIC kan het portaal niet lezen. Bewaar hem als JPEG en probeer het opnieuw.',
    );
  }
  const format = type === undefined ? undefined : FORMATS.get(type);
  if (format === undefined) {
    throw invalidInputError('Dit bestand is geen foto. Kies een JPEG, PNG, WebP, AVIF, GIF of TIFF.');
  }
  // Reads the header only.
  const sharp = await readSharp();
  const found = await sharp(bytes, { limitInputPixels: false }).metadata().catch(rejectBroken);
  if (found.format !== format) throw invalidInputError('Deze foto is beschadigd of niet volledig.');
  const { width, height } = found;
  if (width * height > MAX_PIXELS) {
    throw new ProblemError(
      'too_large',
      `Deze foto is te groot: ${width} bij ${height} pixels. Hoogstens 100 megapixel, bijvoorbeeld 10.000 bij 10.000.`,
    );
  }
}

const encode = async (bytes: Buffer): Promise<Buffer> =>
  (await readSharp())(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 82 })
    .timeout({ seconds: DECODE_SECONDS })
    .toBuffer();

/** Throws a ProblemError 400 in place of sharp's error about a broken image. */
function rejectBroken(): never {
  throw invalidInputError('Deze foto is beschadigd of niet volledig.');
}
