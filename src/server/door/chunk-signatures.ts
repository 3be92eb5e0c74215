import { createHash, type Hash, hash } from 'node:crypto';
import { S3Error } from './s3-error.ts';
import { isSignature, type VerifiedRequest } from './sigv4.ts';

const EMPTY_SHA256 = hash('sha256', '');
/** S3's rule for signed chunks; it also keeps the price of a signature per byte low. */
const SMALLEST_CHUNK_BYTES = 8192;

/**
 * The chain of chunk signatures: each covers the one before, from the header's on.
 * Source: AWS, "Signature Calculations for the Authorization Header: Transferring Payload in Multiple Chunks".
 */
export class ChunkSignatures {
  readonly #request: VerifiedRequest;
  #previous: string;
  #claimed = '';
  #hash: Hash = createHash('sha256');
  #smallChunkSeen = false;
  #trailers = '';

  constructor(request: VerifiedRequest) {
    this.#request = request;
    this.#previous = request.signature;
  }

  /** @throws S3Error SignatureDoesNotMatch, InvalidChunkSizeError */
  start(size: number, signature: string | undefined): void {
    if (signature === undefined) throw new S3Error('SignatureDoesNotMatch', 'A chunk has no signature.');
    if (this.#smallChunkSeen && size > 0) throw new S3Error('InvalidChunkSizeError');
    this.#smallChunkSeen = size < SMALLEST_CHUNK_BYTES;
    this.#claimed = signature;
    this.#hash = createHash('sha256');
  }

  data(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** @throws S3Error SignatureDoesNotMatch */
  end(): void {
    this.#verify('AWS4-HMAC-SHA256-PAYLOAD', `${EMPTY_SHA256}\n${this.#hash.digest('hex')}`, this.#claimed);
  }

  /** A trailing header, in the order of the body; covered by the trailer's signature. */
  trailer(name: string, value: string): void {
    this.#trailers += `${name}:${value}\n`;
  }

  /** `x-amz-trailer-signature`, the last line. @throws S3Error SignatureDoesNotMatch */
  endTrailers(signature: string | undefined): void {
    if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) {
      throw new S3Error('SignatureDoesNotMatch', 'The trailer has no signature.');
    }
    this.#verify('AWS4-HMAC-SHA256-TRAILER', hash('sha256', this.#trailers), signature);
  }

  #verify(algorithm: string, content: string, signature: string): void {
    const { key, timestamp, scope } = this.#request;
    const text = `${algorithm}\n${timestamp}\n${scope}\n${this.#previous}\n${content}`;
    if (!isSignature(key, text, signature))
      throw new S3Error('SignatureDoesNotMatch', 'A chunk signature is wrong.');
    this.#previous = signature;
  }
}
