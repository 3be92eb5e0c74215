import { hash } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { S3Error } from './s3-error.ts';
import type { UploadPart } from './upload-backend.ts';

/** A part as CompleteMultipartUpload names it. */
type ListedPart = Pick<UploadPart, 'number' | 'etag'>;

const PART = 'CompleteMultipartUpload/Part';

/**
 * Parses the body of CompleteMultipartUpload (Amazon S3 API Reference). Ignores the checksums of parts, because their ETag is
 * the MD5 that the server computed.
 * @throws S3Error MalformedXML
 */
export function readPartList(xml: string): ListedPart[] {
  const malformed = (): never => {
    throw new S3Error('MalformedXML');
  };
  const parts: ListedPart[] = [];
  const path: string[] = [];
  let number = '';
  let etag = '';
  let text = '';
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', malformed);
  parser.on('doctype', malformed);
  parser.on('text', (chunk) => {
    text += chunk;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    text = '';
  });
  parser.on('closetag', () => {
    const element = path.join('/');
    path.pop();
    if (element === `${PART}/PartNumber`) number = text.trim();
    if (element === `${PART}/ETag`) etag = text.trim();
    if (element !== PART) return;
    if (!/^\d{1,5}$/.test(number) || etag === '') malformed();
    parts.push({ number: Number(number), etag: etag.replace(/^"(.*)"$/, '$1') });
    number = '';
    etag = '';
  });
  parser.write(xml).close();
  return parts.length > 0 ? parts : malformed();
}

/**
 * Returns the stored parts that the list names, in the order of the list.
 * @param most the maximum size of the whole object, in bytes
 * @param least the minimum size of each part except the last, in bytes
 * @throws S3Error InvalidPartOrder, InvalidPart, EntityTooSmall, EntityTooLarge
 */
export function selectListedParts<P extends UploadPart>(
  list: readonly ListedPart[],
  stored: readonly P[],
  { most, least }: { readonly most: number; readonly least: number },
): P[] {
  if (list.some(({ number }, n) => number <= (list[n - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder');
  }
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = list.map(({ number, etag }) => {
    const part = byNumber.get(number);
    if (part?.etag !== etag) throw new S3Error('InvalidPart');
    return part;
  });
  if (parts.slice(0, -1).some(({ size }) => size < least)) throw new S3Error('EntityTooSmall');
  if (totalSizeBytes(parts) > most) throw new S3Error('EntityTooLarge');
  return parts;
}

export const totalSizeBytes = (parts: readonly UploadPart[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0);

/** Returns S3's ETag of a multipart object: the MD5 of the parts' MD5s, and their number. */
export const etagOfParts = (parts: readonly ListedPart[]): string =>
  `${hash('md5', Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex'))))}-${parts.length}`;
