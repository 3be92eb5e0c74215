import { type DigestName, digestOf, type RunningDigest, startDigest } from './digest.ts';
import { openSpoolFile } from './spool.ts';
import type { SecretsBlanker, SpooledBody } from './upload-backend.ts';

/** The destination of a decoded body, which also computes its digests. */
export type BodySink = {
  readonly size: number;
  write(bytes: Buffer): void;
  /** Returns a promise while written bytes wait for the disk; the caller should read no more of the request until it resolves. */
  flush(): Promise<void> | undefined;
  /** Returns a digest of the whole body, after its last byte; a spool sink has only the digests that it was created with. */
  digest(name: DigestName): Buffer;
  /** Returns the body after the last byte; a spooled body can be read until `discard`. */
  body(): Promise<Buffer | SpooledBody>;
  /** Releases the sink; always called at the end. */
  discard(): Promise<void>;
};

const NOTHING = Buffer.alloc(0);

/** Keeps a document in memory; computes the digests at the end over the whole document, which is fastest. */
export class MemorySink implements BodySink {
  readonly #most: number;
  readonly #cleaner: SecretsBlanker | undefined;
  /** Buffer whose first `size` bytes are the document. */
  #room: Buffer = NOTHING;
  size = 0;

  /**
   * Creates the sink.
   * @param most the maximum number of bytes that are written
   * @param cleaner blanks secrets in the stored bytes
   */
  constructor(most: number, cleaner?: SecretsBlanker) {
    this.#most = most;
    this.#cleaner = cleaner;
  }

  /** Appends the bytes. Copies them unless they are the first and fill their buffer, because a small slice would keep a whole buffer. */
  write(bytes: Buffer): void {
    const size = this.size + bytes.length;
    if (this.size === 0 && bytes.length === bytes.buffer.byteLength) this.#room = bytes;
    else this.#append(bytes, size);
    this.size = size;
  }

  #append(bytes: Buffer, size: number): void {
    if (size > this.#room.length) this.#grow(Math.max(size, Math.min(this.#most, 2 * size)));
    bytes.copy(this.#room, this.size);
  }

  #grow(length: number): void {
    const room = Buffer.allocUnsafeSlow(length);
    this.#room.copy(room);
    this.#room = room;
  }

  flush(): undefined {}

  digest(name: DigestName): Buffer {
    return digestOf(name, this.#whole());
  }

  async body(): Promise<Buffer> {
    const whole = this.#whole();
    return this.#cleaner ? Buffer.concat([this.#cleaner.push(whole), this.#cleaner.end()]) : whole;
  }

  async discard(): Promise<void> {}

  #whole(): Buffer {
    return this.#room.subarray(0, this.size);
  }
}

/**
 * Streams a log file to a spool file, and computes digests of the received bytes meanwhile.
 * @param cleaner blanks secrets in the bytes that are written
 * @throws EndpointUnavailable when the disk refuses
 */
export async function spoolSink(
  directory: string,
  digests: ReadonlySet<DigestName>,
  cleaner?: SecretsBlanker,
): Promise<BodySink> {
  const file = await openSpoolFile(directory);
  const running = new Map<DigestName, RunningDigest>();
  const values = new Map<DigestName, Buffer>();
  for (const name of digests) running.set(name, startDigest(name));
  let size = 0;
  let waiting = false;
  return {
    get size() {
      return size;
    },
    write(bytes) {
      for (const digest of running.values()) digest.update(bytes);
      file.write(cleaner ? Buffer.from(cleaner.push(bytes)) : bytes);
      size += bytes.length;
      waiting = true;
    },
    flush() {
      if (!waiting) return undefined;
      waiting = false;
      return file.flush();
    },
    digest(name) {
      const value = values.get(name) ?? running.get(name)!.value();
      values.set(name, value);
      return value;
    },
    async body() {
      // The request may end before its last bytes are on the disk.
      if (cleaner) file.write(Buffer.from(cleaner.end()));
      await file.flush();
      return { read: () => file.read() };
    },
    discard: () => file.remove(),
  };
}
