import { LONGEST_EXTENDED_ID, LONGEST_STANDARD_ID } from '#server/telemetry/decode/can-log/can-frame.ts';
import type { LogPlace } from '#server/telemetry/decode/second-readings.ts';
import { KIND, type Kind, RxdConfiguration } from './configuration.ts';
import { u16, u32 } from './little-endian.ts';
import { notRxd } from './refusals.ts';
import { SectorOrder } from './sector-order.ts';
import { RxdStructure, SECTOR_BYTES } from './structure.ts';
import { TickCounter } from './tick-counter.ts';

/** Flags of a CAN frame (RecCanTrace.cs); 8 is bit rate switch, 16 sent: neither matters here. */
export const FLAG = { extended: 1, remote: 2, fd: 4 } as const;

/** A sector's length. */
const LENGTH_BYTES = 2;
/** A record's uid, length of info and length of data. */
const HEADER_BYTES = 4;
const TICK_BYTES = 4;
/** Bytes of a Trigger record that tells of a pre-buffer; a shorter one tells of an event. */
const PRE_BUFFER_BYTES = 32;
const INITIAL_TICK = 28;
/** Bytes of info and of data that a record must have, by kind. */
const INFO_BYTES = [4, 9, 4, 4, 4, 4, 4, 4, 4, 4] as const;
const DATA_BYTES = [0, 0, 0, 0, 0, 4, 8, 4, 1, 4] as const;

/**
 * Takes a record that is whole.
 * @param ticks counted on where the counter starts again
 * @param info where in `bytes` its info begins: a tick of 4 bytes, then what its kind has
 * @param data where in `bytes` its data begin
 */
export type TakeRecord = (
  kind: Kind,
  uid: number,
  ticks: number,
  bytes: Uint8Array,
  info: number,
  data: number,
  dataBytes: number,
) => void;

/** Reads the records of an .rxd file in the order of their time, whatever the pieces are. Memory does not grow with the file. */
export class RxdRecords {
  readonly #take: TakeRecord;
  readonly #structure: RxdStructure;
  readonly #order: SectorOrder;
  #ticks = new TickCounter(0);
  /** Where the Trigger record of the sector that is being read has its info. */
  #ring: number | undefined;
  readonly configuration = new RxdConfiguration();
  /** The place of the record that is being handed over: one object, changed in place. An .rxd has no lines. */
  readonly recordPlace = { byteOffset: 0, line: 0 };

  /** Sectors with a length or a record that cannot be; the records before such a one count. */
  damagedSectors = 0;
  /** Records of uids that the configuration does not know. */
  unknownRecords = 0;
  /** Of a file that begins with a pre-buffer: the tick at the time in the file's name. */
  initialTick: number | undefined;

  constructor(take: TakeRecord) {
    this.#take = take;
    this.#order = new SectorOrder(this.#readSector);
    this.#structure = new RxdStructure({
      block: (block) => this.configuration.add(block),
      configured: () => {
        if (this.configuration.tickUs === undefined) throw notRxd();
        this.configuration.resolve();
        this.#ticks = new TickCounter(this.configuration.kinds.length);
      },
      sector: (bytes, at, byteOffset) => this.#order.sector(bytes, at, byteOffset),
    });
  }

  /** Milliseconds per tick; 0 before the configuration was read. */
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

  /** Where reading can begin again so that no record that follows is missed. */
  get place(): LogPlace {
    return { byteOffset: this.#order.pending ?? this.#structure.nextSector, line: 0 };
  }

  /** @throws LogError when this is no .rxd file */
  push(piece: Uint8Array): void {
    this.#structure.push(piece);
  }

  /** @throws LogError when the file has no whole configuration */
  end(isCut: boolean): void {
    this.#structure.end(isCut);
    this.#order.end();
  }

  readonly #readSector = (bytes: Uint8Array, start: number, byteOffset: number, isOfRing: boolean): void => {
    const length = u16(bytes, start);
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
    if (this.#ring === undefined) return;
    this.#order.beginRing(bytes, this.#ring, byteOffset + SECTOR_BYTES);
    this.#ring = undefined;
  };

  /** Returns false for a record that cannot be one of its kind. */
  #readRecord(bytes: Uint8Array, at: number, infoBytes: number, dataBytes: number): boolean {
    const uid = u16(bytes, at);
    const { kinds } = this.configuration;
    const kind = uid < kinds.length ? (kinds[uid] as Kind) : KIND.unknown;
    const info = at + HEADER_BYTES;
    if (kind === KIND.unknown) {
      this.unknownRecords += 1;
      return true;
    }
    if (infoBytes < (INFO_BYTES[kind] as number) || dataBytes < (DATA_BYTES[kind] as number)) return false;
    if (kind === KIND.trigger) {
      if (infoBytes >= PRE_BUFFER_BYTES) this.#beginRing(bytes, info);
      return true;
    }
    if (kind === KIND.can && !isFrame(bytes, info, dataBytes)) return false;
    const ticks = this.#ticks.count(uid, u32(bytes, info));
    this.#take(kind, uid, ticks, bytes, info, info + infoBytes, dataBytes);
    return true;
  }

  /** The ring begins after the sector that tells of it. */
  #beginRing(bytes: Uint8Array, info: number): void {
    this.#ring = info;
    const initialTick = u32(bytes, info + INITIAL_TICK);
    if (this.firstTick === undefined && initialTick !== 0) this.initialTick ??= initialTick;
  }
}

/** Whether a frame with this info can have so many bytes. */
function isFrame(bytes: Uint8Array, info: number, dataBytes: number): boolean {
  const flags = bytes[info + 8] as number;
  const longestId = flags & FLAG.extended ? LONGEST_EXTENDED_ID : LONGEST_STANDARD_ID;
  return dataBytes <= (flags & FLAG.fd ? 64 : 8) && u32(bytes, info + 4) <= longestId;
}
