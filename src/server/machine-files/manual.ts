import { fileTypeFromBuffer } from 'file-type';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { MAX_MANUAL_BYTES } from '#shared/contract/machine-files.ts';

/** Readers look for the header and the end of a PDF in this many bytes (Adobe's implementation notes to ISO 32000). */
const HEADER_WITHIN = 1_024;
const END_WITHIN = 1_024;

/**
 * Checks that a manual is a whole PDF of at most 25 MB. It is stored unchanged.
 * @throws ProblemError 413 if larger; 400 if its content is no PDF, or truncated
 */
export async function checkManual(bytes: Buffer): Promise<void> {
  if (bytes.length > MAX_MANUAL_BYTES) {
    throw new ProblemError('too_large', 'De handleiding is te groot: een PDF mag hoogstens 25 MB zijn.');
  }
  const start = bytes.subarray(0, HEADER_WITHIN).indexOf('%PDF-');
  if (start < 0 || !(await isPdf(bytes, start))) {
    throw invalidInputError('Dit bestand is geen PDF. Kies een handleiding in PDF.');
  }
  if (!bytes.subarray(-END_WITHIN).includes('%%EOF')) {
    throw invalidInputError('Deze PDF is niet volledig. Probeer het met het oorspronkelijke bestand.');
  }
}

/**
 * Returns whether the bytes from `start` are a PDF. The bytes before the header must be of no known type: a picture that contains a PDF is
 * a picture.
 */
async function isPdf(bytes: Buffer, start: number): Promise<boolean> {
  const found = await fileTypeFromBuffer(bytes.subarray(start));
  if (found?.mime !== 'application/pdf') return false;
  return start === 0 || (await fileTypeFromBuffer(bytes)) === undefined;
}
