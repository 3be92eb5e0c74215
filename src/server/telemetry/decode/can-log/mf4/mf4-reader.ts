import { FrameCounter } from '#server/telemetry/decode/can-log/counted-frames.ts';
import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { decompressBlock, requireAllowedUnpackedSize } from '#server/telemetry/decode/can-log/unpack.ts';
import { skippedPartFinding } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { type RequestedBytes, StreamPartReader } from './byte-parts.ts';
import { BLOCK_HEADER_BYTES, readBlockHeader } from './mf4-block.ts';
import type { Mf4DataSegment, Mf4Layout } from './mf4-layout.ts';
import type { Mf4Prescan } from './mf4-prescan.ts';
import { createMf4StreamReaders } from './mf4-streams.ts';

/** Size of the header of a DZ block: two letters for the kind of block, the compression method, and lengths. */
const PACKED_HEADER_BYTES = 24;
const TRANSPOSED = 1;
const ROWS_AT_ONCE = 512;

type PackedHeader = {
  readonly method: number;
  /** Number of bytes per row in transposed data. */
  readonly columns: number;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
};

/** Reads the header of a DZ block. @throws LogError 'too large' for more bytes than a writer packs */
function readPackedHeader(bytes: Uint8Array): PackedHeader {
  const header = {
    method: bytes[2] as number,
    columns: readUint32(bytes, 4),
    unpackedBytes: readUint64(bytes, 8),
    packedBytes: readUint64(bytes, 16),
  };
  requireAllowedUnpackedSize(header.unpackedBytes);
  requireAllowedUnpackedSize(header.packedBytes);
  return header;
}

/**
 * Decompresses the data of a DZ block, or of a truncated one up to the cut; returns undefined when the block is damaged or has
 * another compression method.
 */
function unpackBlock(
  { method, columns, unpackedBytes }: PackedHeader,
  packed: Uint8Array,
): Uint8Array | undefined {
  if (method > TRANSPOSED) return undefined;
  const data = decompressBlock(packed, unpackedBytes);
  if (data === undefined || method !== TRANSPOSED) return data;
  // Truncated transposed data do not contain the last columns of the rows.
  return data.length === unpackedBytes && columns > 0 ? transposedBack(data, columns) : undefined;
}

/**
 * Undoes the writer's transposition, which stored the first bytes of all rows, then the second bytes, and so on. A partial row at
 * the end stays at the end.
 */
function transposedBack(data: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(data.length / columns);
  const back = new Uint8Array(data.length);
  // Transposes as many rows at a time as fit into the processor's cache.
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
    const end = Math.min(first + ROWS_AT_ONCE, rows);
    for (let column = 0, to = first * columns; column < columns; column++, to = first * columns + column)
      for (let row = first, from = column * rows; row < end; row++, to += columns)
        back[to] = data[from + row] as number;
  }
  back.set(data.subarray(rows * columns), rows * columns);
  return back;
}

/** Kinds of data blocks: records, data of variable length, and record values. */
const DATA = ['DT', 'SD', 'DV'];
const PACKED = 'DZ';
/** Length of a data block that extends to the end of the file. */
const TO_THE_END = Number.POSITIVE_INFINITY;

/**
 * Reads the CAN frames of an MF4 (ASAM MDF 4) in the order of the file, after `Mf4Prescan` has read the file once. In files of a
 * CANedge the channel BusChannel holds the bus number; in files of the ReXgen exporter it holds the bus number of the logger plus 1.
 * The frames of a sorted file arrive group by group.
 */
export class Mf4Reader implements FrameReader {
  readonly #frames: FrameCounter;
  readonly #layout: Mf4Layout;
  readonly #streams: ReturnType<typeof createMf4StreamReaders>;
  readonly #parts: StreamPartReader;
  #next = 0;
  #damaged = 0;
  /** The compressed block whose bytes are being collected. */
  #packed: { readonly segment: Mf4DataSegment; readonly header: PackedHeader } | undefined;

  /** Creates the reader. @param survey the prescan that has read the whole of the same file */
  constructor(sink: FrameSink, survey: Mf4Prescan) {
    this.#frames = new FrameCounter(sink);
    this.#layout = survey.layout;
    this.#streams = createMf4StreamReaders(this.#layout, this.#frames);
    this.#parts = new StreamPartReader(this.#toSegment(0));
  }

  get place(): LogOffset {
    return this.#frames.place;
  }

  push(piece: Uint8Array): void {
    this.#parts.push(piece);
  }

  end(_isCut: boolean): void {
    if (this.#packed !== undefined) this.#readPacked(this.#packed, this.#parts.partial);
    for (const streams of this.#streams.values()) streams.end();
  }

  get damaged(): number {
    return [...this.#streams.values()].reduce((sum, streams) => sum + streams.damaged, this.#damaged);
  }

  get remarks(): readonly FormatFinding[] {
    return skippedPartFinding('damaged-parts', this.damaged);
  }

  #toSegment(offset: number): RequestedBytes {
    const { segments } = this.#layout;
    let segment = segments[this.#next];
    while (segment !== undefined && segment.offset < offset) {
      this.#damaged += 1;
      this.#next += 1;
      segment = segments[this.#next];
    }
    this.#next += 1;
    if (segment === undefined)
      return { kind: 'stream', bytes: TO_THE_END, after: () => this.#toSegment(offset) };
    const found = segment;
    const after = (): RequestedBytes => ({
      kind: 'whole',
      bytes: BLOCK_HEADER_BYTES,
      after: (bytes) => this.#readHeader(found, bytes),
    });
    return { kind: 'stream', bytes: segment.offset - offset, after };
  }

  #readHeader(segment: Mf4DataSegment, bytes: Uint8Array): RequestedBytes {
    const header = readBlockHeader(bytes, 0);
    const isData = header !== undefined && header.links === 0;
    const after = (): RequestedBytes => this.#toSegment(this.#parts.offset);
    if (isData && header.id === PACKED && header.length >= BLOCK_HEADER_BYTES + PACKED_HEADER_BYTES)
      return {
        kind: 'whole',
        bytes: PACKED_HEADER_BYTES,
        after: (packed) => this.#readPackedHeader(segment, packed),
      };
    if (!isData || !DATA.includes(header.id)) {
      this.#damaged += 1;
      return after();
    }
    // The last block of an unfinalized file has length 24 and extends to the end of the file.
    const isOpen = header.length === BLOCK_HEADER_BYTES && !this.#layout.isFinalized && this.#isLast;
    const streams = this.#streams.get(segment.group);
    return {
      kind: 'stream',
      bytes: isOpen ? TO_THE_END : header.length - BLOCK_HEADER_BYTES,
      each: (data) => streams?.push(segment, data),
      after,
    };
  }

  get #isLast(): boolean {
    return this.#next >= this.#layout.segments.length;
  }

  #readPackedHeader(segment: Mf4DataSegment, bytes: Uint8Array): RequestedBytes {
    const packed = { segment, header: readPackedHeader(bytes) };
    this.#packed = packed;
    const after = (data: Uint8Array): RequestedBytes => {
      this.#packed = undefined;
      this.#readPacked(packed, data);
      return this.#toSegment(this.#parts.offset);
    };
    return { kind: 'whole', bytes: packed.header.packedBytes, after };
  }

  #readPacked(
    { segment, header }: { segment: Mf4DataSegment; header: PackedHeader },
    packed: Uint8Array,
  ): void {
    const data = unpackBlock(header, packed);
    if (data === undefined) this.#damaged += 1;
    else this.#streams.get(segment.group)?.push(segment, data);
  }
}
