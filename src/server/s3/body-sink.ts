import { type DigestName, digestOf, type RunningDigest, startDigest } from './digest.ts';
import { openSpoolFile } from './spool.ts';
import type { Cleaner, SpooledBody } from './upload-backend.ts';

/** What a decoded body is written to, and asked for its digests afterwards. */
export type BodySink = {
  readonly size: number;
  write(bytes: Buffer): void;
  /** Bytes wait for the disk: the sender should, too. */
  flush(): Promise<void> | undefined;
  /** After the last byte. Only digests that were announced when the sink was made. */
  digest(name: DigestName): Buffer;
  /** After the last byte; what was spooled can be read until `discard`. */
  body(): Promise<Buffer | SpooledBody>;
  /** Always, in the end. */
  discard(): Promise<void>;
};

const NOTHING = Buffer.alloc(0);

/** Keeps a document in memory; digests are computed at once over the whole, which is the fastest way. */
export class MemorySink implements BodySink {
  readonly #most: number;
  readonly #cleaner: Cleaner | undefined;
  /** The first `size` bytes of it are the document. */
  #room: Buffer = NOTHING;
  size = 0;

  /** @param most bytes that are written @param cleaner blanks secrets in what is kept */
  constructor(most: number, cleaner?: Cleaner) {
    this.#most = most;
    this.#cleaner = cleaner;
  }

  /** Copies, unless a piece is all that came with it: a few bytes of one would keep the whole of it. */
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
 * Streams a log file to a spool file; digests, of what came, run along.
 * @param cleaner decides what is written of what came
 * @throws EndpointUnavailable when the disk refuses
 */
export async function spoolSink(
  directory: string,
  digests: ReadonlySet<DigestName>,
  cleaner?: Cleaner,
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
      // The end of a request may come before its last piece is on the disk.
      if (cleaner) file.write(Buffer.from(cleaner.end()));
      await file.flush();
      return { read: () => file.read() };
    },
    discard: () => file.remove(),
  };
}
