import type { IncomingMessage } from 'node:http';
import { AwsChunkedDecoder, ChunkSignatures } from './aws-chunked.ts';
import type { BodySink } from './body-sink.ts';
import type { DigestName } from './digest.ts';
import { readBody, type StallLimits } from './exchange.ts';
import { type Checksum, type Payload, readChecksum } from './payload.ts';
import { S3Error } from './s3-error.ts';
import type { VerifiedRequest } from './sigv4.ts';

type BodyLimits = StallLimits & {
  /** Size of the decoded body in bytes. */
  readonly bytes: number;
};

/** Returns the digests to compute over a body: those of headers and trailer, and the MD5 for the ETag. */
export function digestsNeeded(payload: Payload): ReadonlySet<DigestName> {
  const names = new Set<DigestName>(['md5']);
  for (const checksum of payload.checksums) names.add(checksum.name);
  if (payload.trailerChecksum) names.add(payload.trailerChecksum);
  return names;
}

/**
 * Reads the body of a request into a sink and verifies all claims: length, chunk signatures, trailer, checksums.
 * @returns the MD5 in hexadecimal, which is the ETag
 * @throws S3Error EntityTooLarge, IncompleteBody, BadDigest, XAmzContentSHA256Mismatch, SignatureDoesNotMatch …
 * @throws ClientDisconnected
 */
export async function receiveBody(
  request: IncomingMessage,
  verified: VerifiedRequest,
  payload: Payload,
  sink: BodySink,
  limits: BodyLimits,
): Promise<string> {
  const write = (bytes: Buffer): void => {
    const size = sink.size + bytes.length;
    if (size > limits.bytes) throw new S3Error('EntityTooLarge');
    // Checked while reading, because the sink keeps the bytes until the end.
    if (payload.size !== undefined && size > payload.size) throw new S3Error('IncompleteBody');
    sink.write(bytes);
  };
  const { framing } = payload;
  const chunks = framing.kind === 'plain' ? undefined : new ChunkReader(verified, payload, framing, write);
  await readBody(request, limits, (bytes) => {
    if (chunks) chunks.push(bytes);
    else write(bytes);
    return sink.flush();
  });
  chunks?.end();
  if (chunks?.checksum) verifyChecksum(chunks.checksum, sink);

  if (payload.size !== undefined && sink.size !== payload.size) throw new S3Error('IncompleteBody');
  let md5: Buffer | undefined;
  for (const checksum of payload.checksums) {
    const computed = verifyChecksum(checksum, sink);
    if (checksum.name === 'md5') md5 = computed;
  }
  return (md5 ?? sink.digest('md5')).toString('hex');
}

/** Reads an aws-chunked body: decoder, signature chain if the chunks are signed, and trailer. */
class ChunkReader {
  checksum: Checksum | undefined;
  readonly #decoder: AwsChunkedDecoder;
  readonly #signatures: ChunkSignatures | undefined;
  readonly #payload: Payload;
  readonly #signedTrailer: boolean;
  #trailerSignature: string | undefined;

  constructor(
    verified: VerifiedRequest,
    payload: Payload,
    framing: { readonly signed: boolean; readonly trailer: boolean },
    write: (bytes: Buffer) => void,
  ) {
    const signatures = framing.signed ? new ChunkSignatures(verified) : undefined;
    this.#signatures = signatures;
    this.#payload = payload;
    this.#signedTrailer = framing.signed && framing.trailer;
    this.#decoder = new AwsChunkedDecoder({
      chunkStart: (size, signature) => signatures?.start(size, signature),
      data(bytes) {
        signatures?.data(bytes);
        write(bytes);
      },
      chunkEnd: () => signatures?.end(),
      trailer: (name, value) => this.#takeTrailer(framing.trailer, name, value),
    });
  }

  push(bytes: Buffer): void {
    this.#decoder.push(bytes);
  }

  end(): void {
    this.#decoder.end();
    if (this.#signedTrailer) this.#signatures?.endTrailers(this.#trailerSignature);
    if (this.#payload.trailerChecksum !== undefined && !this.checksum) {
      throw new S3Error('MalformedTrailerError', 'The promised trailer did not come.');
    }
  }

  #takeTrailer(allowed: boolean, name: string, value: string): void {
    if (!allowed || this.#trailerSignature !== undefined) throw new S3Error('MalformedTrailerError');
    if (name === 'x-amz-trailer-signature') {
      this.#trailerSignature = value;
      return;
    }
    if (this.checksum || name !== `x-amz-checksum-${this.#payload.trailerChecksum}`) {
      throw new S3Error('MalformedTrailerError', 'A trailer came that was not promised.');
    }
    this.checksum = readChecksum(name, value);
    this.#signatures?.trailer(name, value);
  }
}

function verifyChecksum({ name, expected, mismatch }: Checksum, sink: BodySink): Buffer {
  const computed = sink.digest(name);
  if (!computed.equals(expected)) throw new S3Error(mismatch);
  return computed;
}
