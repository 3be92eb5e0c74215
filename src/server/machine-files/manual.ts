import { fileTypeFromBuffer } from 'file-type';
import { invalid, ProblemError } from '#server/platform/problem.ts';
import { MAX_MANUAL_BYTES } from '#shared/contract/machine-files.ts';

/** Where readers look for the header and for the end of a PDF (Adobe's implementation notes to ISO 32000). */
const HEADER_WITHIN = 1_024;
const END_WITHIN = 1_024;

/**
 * A manual is a whole PDF of at most 25 MB; it is kept as it is.
 * @throws ProblemError 413 larger; 400 no PDF by its content, or one that was cut off
 */
export async function checkManual(bytes: Buffer): Promise<void> {
  if (bytes.length > MAX_MANUAL_BYTES) {
    throw new ProblemError('too_large', 'De handleiding is te groot: een PDF mag hoogstens 25 MB zijn.');
  }
  const start = bytes.subarray(0, HEADER_WITHIN).indexOf('%PDF-');
  if (start < 0 || !(await isPdf(bytes, start))) {
    throw invalid('Dit bestand is geen PDF. Kies een handleiding in PDF.');
  }
  if (!bytes.subarray(-END_WITHIN).includes('%%EOF')) {
    throw invalid('Deze PDF is niet volledig. Probeer het met het oorspronkelijke bestand.');
  }
}

/** What stands before the header must be nothing known either: a picture with a PDF in it is a picture. */
async function isPdf(bytes: Buffer, start: number): Promise<boolean> {
  const found = await fileTypeFromBuffer(bytes.subarray(start));
  if (found?.mime !== 'application/pdf') return false;
  return start === 0 || (await fileTypeFromBuffer(bytes)) === undefined;
}
