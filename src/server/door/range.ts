import { S3Error } from './s3-error.ts';

/** Byte positions, both included. */
export type ByteRange = { readonly first: number; readonly last: number };

const SINGLE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * A `Range` header with one range (RFC 9110 section 14.2); undefined when there is none that we serve, which
 * means: all of it.
 * @throws S3Error InvalidRange when it lies outside the body
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = SINGLE_RANGE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    if (Number(to) === 0 || size === 0) throw new S3Error('InvalidRange');
    return { first: Math.max(0, size - Number(to)), last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) throw new S3Error('InvalidRange');
  return { first, last };
}
