import { readUint16, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { isSignalName } from '#server/telemetry/decode/reading-rules.ts';
import { BLOCK_TYPE } from './block-types.ts';
import { blockBodyOffset } from './configuration-blocks.ts';
import { valueBlockName } from './value-blocks.ts';

/** Kinds of records. `unknown`: no block has the record's uid, or the block has no records; such records are skipped. */
export const RECORD_KIND = {
  unknown: 0,
  can: 1,
  error: 2,
  lin: 3,
  trigger: 4,
  float: 5,
  double: 6,
  whole: 7,
  byte: 8,
  dateTime: 9,
} as const;
export type RxdRecordKind = (typeof RECORD_KIND)[keyof typeof RECORD_KIND];

const CONFIG_NAME = 18;
const MESSAGE_INTERFACE = 11;
const SD_MESSAGE_LENGTH = 9;
const SD_MESSAGE_DATA = 19;
const GNSS = { latitude: 0, longitude: 1, dateTime: 3, timestamp: 29 };
/** Maximum length of a tick; no logger has ticks of more than a second. */
const MAX_TICK_US = 1_000_000;

type Block = {
  readonly type: number;
  /** The uid of the block's interface, or of the message that it records. */
  readonly reference: number;
  /** The physical number of an interface; the kind of a GNSSMessage. */
  readonly number: number;
  readonly name: string | undefined;
};

/**
 * Keeps the parts of a configuration that are needed to read records, by uid. If several blocks have the same uid, the first one
 * is used.
 */
export class RxdConfiguration {
  readonly #blocks = new Map<number, Block>();
  #lastUid = 0;

  /** Kind of the records of each uid; filled in by `resolve`. */
  kinds = new Uint8Array(0);
  /** The CAN bus of frames and error reports by uid; filled in by `resolve`. */
  buses = new Uint8Array(0);
  /** Microseconds per tick; undefined if the configuration does not contain it. */
  tickUs: number | undefined;

  nameOf(uid: number): string | undefined {
    return this.#blocks.get(uid)?.name;
  }

  /** Adds a block with a correct checksum. */
  add(block: Uint8Array): void {
    const type = readUint16(block, 0);
    const body = blockBodyOffset(block);
    if (type === BLOCK_TYPE.config) {
      const at = body + CONFIG_NAME + 1 + (block[body + CONFIG_NAME] ?? 0) + 1;
      const tickUs = at + 4 < block.length ? readUint32(block, at) : 0;
      if (tickUs > 0 && tickUs <= MAX_TICK_US) this.tickUs ??= tickUs;
      return;
    }
    const uid = readUint16(block, 6);
    if (this.#blocks.has(uid)) return;
    const name = valueBlockName(block, body);
    this.#blocks.set(uid, {
      type,
      reference: u16Within(block, referenceIn(block, type, body)),
      number: block[body + (type === BLOCK_TYPE.gnssMessage ? 2 : 1)] ?? 0,
      name: name !== undefined && isSignalName(name) ? name : undefined,
    });
    this.#lastUid = Math.max(this.#lastUid, uid);
  }

  /** Fills in `kinds` and `buses` after the last block, because a block may refer to a later one. */
  resolve(): void {
    this.kinds = new Uint8Array(this.#lastUid + 1);
    this.buses = new Uint8Array(this.#lastUid + 1);
    for (const [uid, block] of this.#blocks) {
      const kind = kindOf(block);
      const bus = kind === RECORD_KIND.can || kind === RECORD_KIND.error ? this.#busOf(block) : 0;
      // A frame with an unknown bus is skipped, because it might otherwise be decoded by the DBC of another bus.
      this.kinds[uid] = bus === undefined ? RECORD_KIND.unknown : kind;
      this.buses[uid] = bus ?? 0;
    }
  }

  /**
   * Follows the references from a block to a CANInterface (an SDMessage records a CANMessage, which has an interface) and returns the
   * bus of that interface.
   */
  #busOf(start: Block): number | undefined {
    let block: Block | undefined = start;
    for (let steps = 0; steps < 3 && block && block.type !== BLOCK_TYPE.canInterface; steps += 1) {
      const refers = [BLOCK_TYPE.sdMessage, BLOCK_TYPE.canMessage, BLOCK_TYPE.canError].some(
        (type) => type === block?.type,
      );
      block = refers ? this.#blocks.get(block.reference) : undefined;
    }
    return block?.type === BLOCK_TYPE.canInterface ? block.number : undefined;
  }
}

function kindOf({ type, number, name }: Block): RxdRecordKind {
  if (type === BLOCK_TYPE.canMessage || type === BLOCK_TYPE.sdMessage) return RECORD_KIND.can;
  if (type === BLOCK_TYPE.canError) return RECORD_KIND.error;
  if (type === BLOCK_TYPE.linMessage) return RECORD_KIND.lin;
  if (type === BLOCK_TYPE.trigger) return RECORD_KIND.trigger;
  if (name === undefined) return RECORD_KIND.unknown;
  if (type === BLOCK_TYPE.digitalInput) return RECORD_KIND.byte;
  if (type !== BLOCK_TYPE.gnssMessage) return RECORD_KIND.float;
  if (number === GNSS.latitude || number === GNSS.longitude) return RECORD_KIND.double;
  if (number === GNSS.dateTime) return RECORD_KIND.dateTime;
  return number === GNSS.timestamp ? RECORD_KIND.whole : RECORD_KIND.float;
}

/** Returns the offset of the uid that a block refers to. */
function referenceIn(block: Uint8Array, type: number, body: number): number {
  if (type === BLOCK_TYPE.canMessage) return body + MESSAGE_INTERFACE;
  if (type === BLOCK_TYPE.sdMessage) return body + SD_MESSAGE_DATA + (block[body + SD_MESSAGE_LENGTH] ?? 0);
  return body;
}

/** Reads a uint16 of a block; returns 0, the uid of the Config block, if the block is too short. */
const u16Within = (block: Uint8Array, at: number): number =>
  at + 2 < block.length ? readUint16(block, at) : 0;
