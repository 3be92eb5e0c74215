import { readUint16, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import { RECORD_KIND, RxdConfiguration, type RxdRecordKind } from './configuration.ts';
import { isPossibleRecord } from './record-layout.ts';
import { notRxdError } from './refusals.ts';
import { SectorSorter } from './sector-sorter.ts';
import { RxdStructure, SECTOR_BYTES } from './structure.ts';
import { TickCounter } from './tick-counter.ts';

/** Size of the length at the beginning of a sector. */
const LENGTH_BYTES = 2;
/** Size of a record's header: the uid, the length of the info and the length of the data. */
const HEADER_BYTES = 4;
const TICK_BYTES = 4;
/**
 * Number of info bytes of a Trigger record that describes a pre-buffer. A shorter Trigger record reports an event, which is not
 * decoded.
 */
const PRE_BUFFER_BYTES = 32;
const INITIAL_TICK = 28;

/**
 * Receives a valid record.
 * @param ticks unwrapped: they continue to count when the logger's counter wraps around
 * @param info offset of the record's info in `bytes`: a tick of 4 bytes, then fields that depend on the kind
 * @param data offset of the record's data in `bytes`
 */
export type RecordHandler = (
  kind: RxdRecordKind,
  uid: number,
  ticks: number,
  bytes: Uint8Array,
  info: number,
  data: number,
  dataBytes: number,
) => void;

/** Reads the records of an .rxd file in chronological order, from parts of any size. Memory use does not grow with the file. */
export class RxdRecords {
  readonly #take: RecordHandler;
  readonly #structure: RxdStructure;
  readonly #order: SectorSorter;
  #ticks = new TickCounter(0);
  /** Offset of the info of the Trigger record in the current sector; undefined if the sector has none, so that no pre-buffer follows. */
  #ring: number | undefined;
  readonly configuration = new RxdConfiguration();
  /** The place of the current record: one object, updated in place. An .rxd file has no lines. */
  readonly recordPlace = { byteOffset: 0, line: 0 };

  /** Number of sectors with an impossible length or record. The records before an impossible record are read. */
  damagedSectors = 0;
  /** Number of records whose uid is not in the configuration. */
  unknownRecords = 0;
  /** The tick at the start time in the file's name; only set in a file that begins with a pre-buffer. */
  initialTick: number | undefined;

  constructor(take: RecordHandler) {
    this.#take = take;
    this.#order = new SectorSorter(this.#readSector);
    this.#structure = new RxdStructure({
      block: (block) => this.configuration.add(block),
      configured: () => {
        if (this.configuration.tickUs === undefined) throw notRxdError();
        this.configuration.resolve();
        this.#ticks = new TickCounter(this.configuration.kinds.length);
      },
      sector: (bytes, at, byteOffset) => this.#order.sector(bytes, at, byteOffset),
    });
  }

  /** Milliseconds per tick; 0 until the configuration is read. */
  get tickMs(): number {
    return (this.configuration.tickUs ?? 0) / 1000;
  }

  /** The lowest first tick of all uids; undefined before the first record. */
  get firstTick(): number | undefined {
    return this.#ticks.first;
  }

  get skippedPreBuffers(): number {
    return this.#order.skippedPreBuffers;
  }

  /** The place at which reading can resume without missing a later record. */
  get place(): LogOffset {
    return { byteOffset: this.#order.pending ?? this.#structure.nextSector, line: 0 };
  }

  /** Reads the next bytes. @throws LogError when this is no .rxd file */
  push(piece: Uint8Array): void {
    this.#structure.push(piece);
  }

  /** Ends the file. @throws LogError when the file ends within its configuration, unless `isCut` */
  end(isCut: boolean): void {
    this.#structure.end(isCut);
    this.#order.end();
  }

  readonly #readSector = (bytes: Uint8Array, start: number, byteOffset: number, isOfRing: boolean): void => {
    const length = readUint16(bytes, start);
    const isSector = length <= SECTOR_BYTES - LENGTH_BYTES;
    let isDamaged = !isSector;
    let at = start + LENGTH_BYTES;
    const end = isSector ? at + length : at;
    while (at < end) {
      const infoBytes = bytes[at + 2] as number;
      const dataBytes = bytes[at + 3] as number;
      const next = at + HEADER_BYTES + infoBytes + dataBytes;
      if (at + HEADER_BYTES > end || infoBytes < TICK_BYTES || next > end) {
        isDamaged = true;
        break;
      }
      this.recordPlace.byteOffset = isOfRing ? byteOffset : byteOffset + at - start;
      if (!this.#readRecord(bytes, at, infoBytes, dataBytes)) isDamaged = true;
      at = next;
    }
    if (isDamaged) this.damagedSectors += 1;
    const ring = this.#ring;
    this.#ring = undefined;
    if (ring !== undefined && !isOfRing) this.#order.beginRing(bytes, ring, byteOffset + SECTOR_BYTES);
  };

  /** Reads a record; returns false if the record is impossible for its kind. */
  #readRecord(bytes: Uint8Array, at: number, infoBytes: number, dataBytes: number): boolean {
    const uid = readUint16(bytes, at);
    const { kinds } = this.configuration;
    const kind = uid < kinds.length ? (kinds[uid] as RxdRecordKind) : RECORD_KIND.unknown;
    const info = at + HEADER_BYTES;
    if (kind === RECORD_KIND.unknown) {
      this.unknownRecords += 1;
      return true;
    }
    if (!isPossibleRecord(kind, bytes, info, infoBytes, dataBytes)) return false;
    if (kind === RECORD_KIND.trigger) {
      if (infoBytes >= PRE_BUFFER_BYTES) this.#noteRing(bytes, info);
      return true;
    }
    const ticks = this.#ticks.count(uid, readUint32(bytes, info));
    this.#take(kind, uid, ticks, bytes, info, info + infoBytes, dataBytes);
    return true;
  }

  /** Remembers a Trigger record: the pre-buffer (a ring of sectors) begins after the sector that contains the record. */
  #noteRing(bytes: Uint8Array, info: number): void {
    this.#ring ??= info;
    const initialTick = readUint32(bytes, info + INITIAL_TICK);
    if (this.firstTick === undefined && initialTick !== 0) this.initialTick ??= initialTick;
  }
}
