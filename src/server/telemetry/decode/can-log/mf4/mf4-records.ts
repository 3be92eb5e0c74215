import { readUint16, readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { Mf4FrameGroup } from './mf4-frame-group.ts';
import type { Mf4VariableData } from './mf4-variable-data.ts';

const LENGTH_BYTES = 4;
/** Maximum length of data of variable length; a frame has 64 bytes at most, so a longer value is damaged. */
const MAX_VARIABLE_DATA_BYTES = 64 * 1024;

/** One kind of records in a stream: frames, data of variable length for other records, or records that are skipped. */
export type RecordKind = {
  readonly bytes: number;
  readonly frames: Mf4FrameGroup | undefined;
  /** Whether each record is a length followed by as many bytes. */
  readonly isVariable: boolean;
  readonly variable: Mf4VariableData | undefined;
  /** Readers of the CAN frames whose data are in records of this kind. */
  readonly readers: readonly Mf4FrameGroup[];
};

/** Splits the data of a group, which arrive in parts of any size, into records. Holds less than one record in memory. */
export class Mf4Records {
  readonly #idBytes: number;
  readonly #kinds: ReadonlyMap<number, RecordKind>;
  /** The kind of all records, in a stream without record ids. */
  readonly #only: RecordKind | undefined;
  /** The beginning of a record that is incomplete. */
  #partial: Uint8Array = new Uint8Array(256);
  #partialBytes = 0;
  /** Size of the incomplete record, as far as it is known from its beginning. */
  #wanted = 0;
  #skip = 0;
  /** Whether the stream contains a record of an unknown kind, after which nothing can be read. */
  isDamaged = false;

  constructor(idBytes: number, kinds: ReadonlyMap<number, RecordKind>) {
    this.#idBytes = idBytes;
    this.#kinds = kinds;
    this.#only = idBytes === 0 ? [...kinds.values()][0] : undefined;
    this.isDamaged = ![0, 1, 2, 4, 8].includes(idBytes) || (idBytes === 0 && kinds.size !== 1);
  }

  /** Reads the next bytes. @throws LogError 'too large' when the buffers of all records together exceed the limit */
  push(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length && !this.isDamaged) {
      const next = this.#next(piece, at);
      if (next === at) break;
      at = next;
    }
    for (const { frames } of this.#kinds.values()) frames?.keepLast();
    if (at < piece.length && !this.isDamaged) this.#keep(piece, at, piece.length);
  }

  #next(piece: Uint8Array, at: number): number {
    if (this.#skip > 0) return this.#skipBytes(piece, at);
    return this.#partialBytes > 0 ? this.#complete(piece, at) : this.#readRecord(piece, at);
  }

  #skipBytes(piece: Uint8Array, at: number): number {
    const bytes = Math.min(this.#skip, piece.length - at);
    this.#skip -= bytes;
    return at + bytes;
  }

  /** Adds bytes to the incomplete record and reads it when it is complete. Returns the offset after the bytes. */
  #complete(piece: Uint8Array, at: number): number {
    const end = Math.min(at + this.#wanted - this.#partialBytes, piece.length);
    this.#keep(piece, at, end);
    const isComplete = this.#partialBytes === this.#wanted;
    if (isComplete && this.#readRecord(this.#partial.subarray(0, this.#wanted), 0) > 0)
      this.#partialBytes = 0;
    return end;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const end = this.#partialBytes + to - from;
    if (end > this.#partial.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#partial);
      this.#partial = larger;
    }
    this.#partial.set(bytes.subarray(from, to), this.#partialBytes);
    this.#partialBytes = end;
  }

  /** Returns the offset after a record, or the record's own offset when it is incomplete. */
  #readRecord(bytes: Uint8Array, start: number): number {
    const at = start + this.#idBytes;
    if (at > bytes.length) return this.#wantTo(at, start);
    const kind = this.#only ?? this.#kinds.get(this.#readId(bytes, start));
    if (kind === undefined || (this.#idBytes === 0 && kind.bytes === 0)) {
      this.isDamaged = true;
      return start;
    }
    if (kind.isVariable) return this.#readVariable(kind, bytes, start, at);
    const end = at + kind.bytes;
    if (kind.frames === undefined) return this.#pass(bytes, end);
    if (end > bytes.length) return this.#wantTo(end, start);
    kind.frames.read(bytes, at);
    return end;
  }

  #readVariable(kind: RecordKind, bytes: Uint8Array, start: number, at: number): number {
    if (at + LENGTH_BYTES > bytes.length) return this.#wantTo(at + LENGTH_BYTES, start);
    const length = readUint32(bytes, at);
    const end = at + LENGTH_BYTES + length;
    if (kind.variable === undefined) return this.#pass(bytes, end);
    if (length > MAX_VARIABLE_DATA_BYTES) {
      this.isDamaged = true;
      return start;
    }
    if (end > bytes.length) return this.#wantTo(end, start);
    kind.variable.lend(bytes, at, end);
    for (const group of kind.readers) group.readWaiting();
    kind.variable.keep();
    return end;
  }

  /** Notes how many bytes of a record are needed before it can be read. Returns the record's offset. */
  #wantTo(end: number, start: number): number {
    this.#wanted = end - start;
    return start;
  }

  #readId(bytes: Uint8Array, at: number): number {
    switch (this.#idBytes) {
      case 1:
        return bytes[at] as number;
      case 2:
        return readUint16(bytes, at);
      case 4:
        return readUint32(bytes, at);
      default:
        return readUint64(bytes, at);
    }
  }

  /** Skips bytes up to `end`, if necessary in later parts too. */
  #pass(bytes: Uint8Array, end: number): number {
    this.#skip = Math.max(end - bytes.length, 0);
    return Math.min(end, bytes.length);
  }
}
