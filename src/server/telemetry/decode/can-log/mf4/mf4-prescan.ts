import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { type RequestedBytes, StreamPartReader } from './byte-parts.ts';
import { BLOCK_HEADER_BYTES, Mf4Block, readBlockHeader } from './mf4-block.ts';
import { type Mf4Layout, readLayout } from './mf4-layout.ts';

const IDENTIFICATION_BYTES = 64;
const FINALIZED = 'MDF     ';
const UNFINALIZED = 'UnFinMF ';

/**
 * Returns whether the writer finished an MF4, according to the first 64 bytes of the file.
 * @throws LogError 'header' when the file is no MDF 4
 */
function isFinalized(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const name = text.slice(0, FINALIZED.length);
  if (name !== FINALIZED && name !== UNFINALIZED) throw noMf4();
  if (!text.startsWith('4.', FINALIZED.length)) throw new LogError('header', { kind: 'older-mdf' });
  return name === FINALIZED;
}

const noMf4 = (): LogError => new LogError('header', { kind: 'no-mf4' });

/** Kinds of blocks that describe the data. All other blocks are data, attachments and events. */
const KEPT = ['HD', 'FH', 'DG', 'CG', 'CN', 'CC', 'TX', 'MD', 'DL', 'LD', 'HL'];
const MAX_KEPT_BYTES = 16 * 1024 ** 2;
/** Memory that is counted for a block: a constant in bytes, and a factor for the entries of a list of data blocks. */
const BLOCK_COST = 128;
const LIST_COST = 4;
/** Maximum length of a text that is kept. Comments may be long; names and the comment about the writing program are short. */
const MAX_TEXT_BYTES = 8 * 1024;
const HASH = 35;

/**
 * Reads an MF4 a first time, from its beginning and in parts of any size, and keeps the blocks that describe its data, wherever
 * they are in the file. `Mf4Reader` reads the file a second time, using the layout that was found.
 */
export class Mf4Prescan {
  readonly #blocks = new Map<number, Mf4Block>();
  readonly #parts = new StreamPartReader({
    kind: 'whole',
    bytes: IDENTIFICATION_BYTES,
    after: (bytes) => {
      this.#isFinalized = isFinalized(bytes);
      return this.#header();
    },
  });
  #kept = 0;
  #isFinalized: boolean | undefined;
  #layout: Mf4Layout | undefined;

  /** Reads the next bytes. @throws LogError 'header' when the file is no MF4, 'too large' when its description is too large */
  push(piece: Uint8Array): void {
    this.#parts.push(piece);
  }

  /**
   * Ends the file.
   * @param _isCut unused: the part of a truncated file that is present is read
   * @throws LogError 'no frames' when it has no CAN frames, 'truncated' when the description of its data is missing, 'header' when
   * the file is no MF4, 'corrupt' when its data blocks are not in order
   */
  end(_isCut: boolean): void {
    if (this.#isFinalized === undefined) throw noMf4();
    this.#layout = readLayout(this.#blocks, this.#isFinalized);
    this.#blocks.clear();
  }

  /** The groups of frames and the places of their data; available after `end`. */
  get layout(): Mf4Layout {
    if (this.#layout === undefined) throw new Error('The survey of this MF4 has not ended.');
    return this.#layout;
  }

  get recorder(): string | undefined {
    return this.#layout?.recorder;
  }

  #header(begins = new Uint8Array()): RequestedBytes {
    return { kind: 'whole', bytes: BLOCK_HEADER_BYTES, begins, after: (bytes) => this.#readHeader(bytes) };
  }

  #readHeader(bytes: Uint8Array): RequestedBytes {
    const header = readBlockHeader(bytes, 0);
    if (header === undefined) {
      // Searches for the next block: there are padding bytes between blocks.
      const next = bytes.indexOf(HASH, 1);
      return this.#header(next === -1 ? undefined : bytes.slice(next));
    }
    const { id, length } = header;
    const isText = id === 'TX' || id === 'MD';
    if (KEPT.includes(id) && !(isText && length > MAX_TEXT_BYTES)) {
      const offset = this.#parts.offset - BLOCK_HEADER_BYTES;
      this.#count(length * (id === 'DL' || id === 'LD' ? LIST_COST : 1) + BLOCK_COST);
      const after = (block: Uint8Array): RequestedBytes => {
        this.#blocks.set(offset, new Mf4Block(header, block.slice()));
        return this.#header();
      };
      return { kind: 'whole', bytes: length, begins: bytes.slice(), after };
    }
    const isOpen = id === 'DT' && length === BLOCK_HEADER_BYTES && this.#isFinalized === false;
    if (isOpen) return { kind: 'whole', bytes: BLOCK_HEADER_BYTES, after: (next) => this.#afterOpen(next) };
    return { kind: 'stream', bytes: length - BLOCK_HEADER_BYTES, after: () => this.#header() };
  }

  /**
   * Handles a data block of length 24: the last data block of an unfinalized file has this length and extends to the end of the
   * file; other such blocks are empty.
   */
  #afterOpen(bytes: Uint8Array): RequestedBytes {
    if (readBlockHeader(bytes, 0) !== undefined) return this.#readHeader(bytes);
    return { kind: 'stream', bytes: Number.POSITIVE_INFINITY, after: () => this.#header() };
  }

  #count(bytes: number): void {
    this.#kept += bytes;
    if (this.#kept <= MAX_KEPT_BYTES) return;
    throw new LogError('too large', { kind: 'mf4-channels-too-large' });
  }
}
