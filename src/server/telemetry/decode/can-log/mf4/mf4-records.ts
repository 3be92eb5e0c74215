import { u16, u32, u64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { Mf4FrameGroup } from './mf4-frame-group.ts';
import type { Mf4VariableData } from './mf4-variable-data.ts';

const LENGTH_BYTES = 4;
/** Frames have 64 bytes of data at most. */
const LONGEST_VARIABLE = 64 * 1024;

/** The records of one kind in a stream: frames, data of variable length for other records, or others that are passed. */
export type RecordKind = {
  readonly bytes: number;
  readonly frames: Mf4FrameGroup | undefined;
  /** Records are a length and so many bytes. */
  readonly isVariable: boolean;
  readonly variable: Mf4VariableData | undefined;
  /** Groups whose records may wait for these. */
  readonly readers: readonly Mf4FrameGroup[];
};

/** Cuts the data of a group into its records, whatever the pieces are. Holds less than one record. */
export class Mf4Records {
  readonly #idBytes: number;
  readonly #kinds: ReadonlyMap<number, RecordKind>;
  /** The kind of a stream without ids. */
  readonly #only: RecordKind | undefined;
  #rest: Uint8Array = new Uint8Array();
  #skip = 0;
  /** A record of an unknown kind: nothing behind it can be read, once for the stream. */
  isDamaged = false;

  constructor(idBytes: number, kinds: ReadonlyMap<number, RecordKind>) {
    this.#idBytes = idBytes;
    this.#kinds = kinds;
    this.#only = idBytes === 0 ? [...kinds.values()][0] : undefined;
    this.isDamaged = ![0, 1, 2, 4, 8].includes(idBytes) || (idBytes === 0 && kinds.size !== 1);
  }

  /** @throws LogError 'too large' */
  push(piece: Uint8Array): void {
    if (this.isDamaged) return;
    let bytes = piece;
    if (this.#rest.length > 0) bytes = Buffer.concat([this.#rest, piece]);
    let at = Math.min(this.#skip, bytes.length);
    this.#skip -= at;
    while (at < bytes.length) {
      const next = this.#readRecord(bytes, at);
      if (next === at) break;
      at = next;
    }
    this.#rest = at < bytes.length && !this.isDamaged ? bytes.slice(at) : bytes.subarray(0, 0);
  }

  /** Returns the place behind a record; its own place when it is not complete. */
  #readRecord(bytes: Uint8Array, start: number): number {
    const at = start + this.#idBytes;
    if (at > bytes.length) return start;
    const kind = this.#only ?? this.#kinds.get(this.#readId(bytes, start));
    if (kind === undefined || (this.#idBytes === 0 && kind.bytes === 0)) {
      this.isDamaged = true;
      return start;
    }
    if (kind.isVariable) return this.#readVariable(kind, bytes, start, at);
    const end = at + kind.bytes;
    if (kind.frames === undefined) return this.#pass(bytes, end);
    if (end > bytes.length) return start;
    kind.frames.read(bytes, at);
    return end;
  }

  #readVariable(kind: RecordKind, bytes: Uint8Array, start: number, at: number): number {
    if (at + LENGTH_BYTES > bytes.length) return start;
    const length = u32(bytes, at);
    const end = at + LENGTH_BYTES + length;
    if (kind.variable === undefined) return this.#pass(bytes, end);
    if (length > LONGEST_VARIABLE) {
      this.isDamaged = true;
      return start;
    }
    if (end > bytes.length) return start;
    kind.variable.push(bytes, at, end);
    for (const group of kind.readers) group.readWaiting();
    return end;
  }

  #readId(bytes: Uint8Array, at: number): number {
    switch (this.#idBytes) {
      case 1:
        return bytes[at] as number;
      case 2:
        return u16(bytes, at);
      case 4:
        return u32(bytes, at);
      default:
        return u64(bytes, at);
    }
  }

  /** Skips bytes up to `end`, those of later pieces too. */
  #pass(bytes: Uint8Array, end: number): number {
    this.#skip = Math.max(end - bytes.length, 0);
    return Math.min(end, bytes.length);
  }
}
