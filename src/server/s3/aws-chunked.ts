import { createHash, type Hash, hash } from 'node:crypto';
import { S3Error } from './s3-error.ts';
import { signatureMatches, type VerifiedRequest } from './sigv4.ts';

/**
 * Receives the parts of the body in order. `signature` is the value of the chunk extension `chunk-signature`; undefined if it is absent.
 */
type ChunkListener = {
  chunkStart(size: number, signature: string | undefined): void;
  data(bytes: Buffer): void;
  /** Called after all data of a chunk, including the last chunk, whose size is 0. */
  chunkEnd(): void;
  trailer(name: string, value: string): void;
};

/** Maximum length of a chunk header or a trailer line; no client needs more. */
const MAX_LINE_BYTES = 1024;
const MAX_TRAILERS = 10;
const CHUNK_HEADER = /^([0-9a-fA-F]{1,8})(?:;(?:chunk-signature=([0-9a-f]{64})|.*))?$/;
const CR = 0x0d;
const LF = 0x0a;

type State = 'header' | 'data' | 'data end' | 'trailer' | 'done';

/**
 * Incremental decoder of the `aws-chunked` content encoding:
 * `{hex size}[;chunk-signature=…]CRLF{data}CRLF … 0[;…]CRLF[{trailer}CRLF …]CRLF`.
 * Trailer lines may end in a bare LF, and the final empty line may be absent, as in AWS's own example.
 * Source: AWS, "Transferring Payload in Multiple Chunks (Chunked Upload)", with and without trailing headers.
 */
export class AwsChunkedDecoder {
  readonly #listener: ChunkListener;
  #state: State = 'header';
  #remaining = 0;
  #line = '';
  #trailers = 0;

  constructor(listener: ChunkListener) {
    this.#listener = listener;
  }

  /** Decodes the next bytes. @throws S3Error InvalidRequest, MalformedTrailerError, and errors of the listener */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'data') at = this.#takeData(bytes, at);
      else if (this.#state === 'done')
        throw new S3Error('InvalidRequest', 'Bytes after the end of the last chunk.');
      else at = this.#takeLine(bytes, at);
    }
  }

  /** Ends the body. @throws S3Error IncompleteBody when the last chunk is missing */
  end(): void {
    if (this.#state === 'trailer' && this.#line !== '') this.#finishLine();
    if (this.#state !== 'trailer' && this.#state !== 'done') throw new S3Error('IncompleteBody');
  }

  #takeData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#remaining);
    this.#listener.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    this.#remaining -= end - at;
    if (this.#remaining === 0) {
      this.#state = 'data end';
      this.#listener.chunkEnd();
    }
    return end;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const lineFeed = bytes.indexOf(LF, at);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    if (this.#line.length + end - at > MAX_LINE_BYTES)
      throw new S3Error('InvalidRequest', 'Chunk header too long.');
    this.#line += bytes.toString('latin1', at, end);
    if (lineFeed < 0) return end;
    this.#finishLine();
    return lineFeed + 1;
  }

  #finishLine(): void {
    const line = this.#line.charCodeAt(this.#line.length - 1) === CR ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#state === 'header') this.#readHeader(line);
    else if (this.#state === 'trailer') this.#readTrailer(line);
    else if (line === '') this.#state = 'header';
    else throw new S3Error('InvalidRequest', 'A chunk is longer than its header says.');
  }

  #readHeader(line: string): void {
    const match = CHUNK_HEADER.exec(line);
    if (!match) throw new S3Error('InvalidRequest', 'A chunk header is malformed.');
    this.#remaining = Number.parseInt(match[1]!, 16);
    this.#listener.chunkStart(this.#remaining, match[2]);
    this.#state = this.#remaining === 0 ? 'trailer' : 'data';
    if (this.#remaining === 0) this.#listener.chunkEnd();
  }

  #readTrailer(line: string): void {
    if (line === '') {
      this.#state = 'done';
      return;
    }
    const colon = line.indexOf(':');
    if (colon < 1 || ++this.#trailers > MAX_TRAILERS) throw new S3Error('MalformedTrailerError');
    this.#listener.trailer(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

const EMPTY_SHA256 = hash('sha256', '');
/** S3's minimum size of a signed chunk, except the last. It also limits the cost of signatures per byte. */
const SMALLEST_CHUNK_BYTES = 8192;

/**
 * Verifies the chain of chunk signatures: each covers the previous signature, and the first covers the signature of the Authorization
 * header. Source: AWS, "Signature Calculations for the Authorization Header: Transferring Payload in Multiple Chunks".
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

  /** Starts a chunk. @throws S3Error SignatureDoesNotMatch, InvalidChunkSizeError */
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

  /** Verifies the signature of the chunk that ends. @throws S3Error SignatureDoesNotMatch */
  end(): void {
    this.#verify('AWS4-HMAC-SHA256-PAYLOAD', `${EMPTY_SHA256}\n${this.#hash.digest('hex')}`, this.#claimed);
  }

  /** Adds a trailing header. The trailer's signature covers these headers in the order in which they arrive. */
  trailer(name: string, value: string): void {
    this.#trailers += `${name}:${value}\n`;
  }

  /** Checks `x-amz-trailer-signature`, the last line. @throws S3Error SignatureDoesNotMatch */
  endTrailers(signature: string | undefined): void {
    if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) {
      throw new S3Error('SignatureDoesNotMatch', 'The trailer has no signature.');
    }
    this.#verify('AWS4-HMAC-SHA256-TRAILER', hash('sha256', this.#trailers), signature);
  }

  #verify(algorithm: string, content: string, signature: string): void {
    const { key, timestamp, scope } = this.#request;
    const text = `${algorithm}\n${timestamp}\n${scope}\n${this.#previous}\n${content}`;
    if (/*rule:upload-chunk-signature*/ !signatureMatches(key, text, signature) /*=false*/)
      throw new S3Error('SignatureDoesNotMatch', 'A chunk signature is wrong.');
    this.#previous = signature;
  }
}
