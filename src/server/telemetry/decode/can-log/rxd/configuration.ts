import { isSignalName } from '#server/telemetry/decode/reading-rules.ts';
import { BLOCK } from './block-types.ts';
import { bodyOf } from './configuration-blocks.ts';
import { u16, u32 } from './little-endian.ts';
import { valueName } from './value-blocks.ts';

/** What the records of a uid are. `unknown`: of no block that has records, they are passed. */
export const KIND = {
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
export type Kind = (typeof KIND)[keyof typeof KIND];

const UIDS = 0x1_0000;
const CONFIG_NAME = 18;
const MESSAGE_INTERFACE = 11;
const SD_MESSAGE_LENGTH = 9;
const SD_MESSAGE_DATA = 19;
const GNSS = { latitude: 0, longitude: 1, dateTime: 3, timestamp: 29 };
/** A tick of more than a second is none of a logger. */
const LONGEST_TICK_US = 1_000_000;

/** The blocks of a configuration as the records need them, by uid. The first block counts of several with one uid. */
export class RxdConfiguration {
  readonly #types = new Uint8Array(UIDS);
  /** The uid that a block refers to: its interface, or what it records. */
  readonly #references = new Uint16Array(UIDS);
  /** An interface's physical number; the kind of a GNSSMessage. */
  readonly #numbers = new Uint8Array(UIDS);
  readonly #names = new Map<number, string>();

  /** By uid; filled in by `resolve`. */
  readonly kinds = new Uint8Array(UIDS);
  /** The number of the CAN bus by uid, of frames and error reports; filled in by `resolve`. */
  readonly buses = new Uint8Array(UIDS);
  /** Microseconds per tick; undefined: the configuration has no usable one. */
  tickUs: number | undefined;

  nameOf(uid: number): string | undefined {
    return this.#names.get(uid);
  }

  /** @param block whole, with its checksum, which is right */
  add(block: Uint8Array): void {
    const type = u16(block, 0);
    const body = bodyOf(block);
    if (type === BLOCK.config) {
      const at = body + CONFIG_NAME + 1 + (block[body + CONFIG_NAME] ?? 0) + 1;
      const tickUs = at + 4 < block.length ? u32(block, at) : 0;
      if (tickUs > 0 && tickUs <= LONGEST_TICK_US) this.tickUs ??= tickUs;
      return;
    }
    const uid = u16(block, 6);
    if (this.#types[uid] !== 0 || type > 0xff) return;
    this.#types[uid] = type;
    this.#references[uid] = u16Within(block, referenceIn(block, type, body));
    this.#numbers[uid] = block[body + (type === BLOCK.gnssMessage ? 2 : 1)] ?? 0;
    const name = valueName(block, body);
    if (name !== undefined && isSignalName(name)) this.#names.set(uid, name);
  }

  /** Fills in `kinds` and `buses`: a block may refer to one that comes after it. */
  resolve(): void {
    for (let uid = 0; uid < UIDS; uid += 1) {
      const kind = this.#kindOf(uid);
      const bus = kind === KIND.can || kind === KIND.error ? this.#busOf(uid) : 0;
      // A frame whose bus is unknown could be decoded by the DBC of another bus.
      this.kinds[uid] = bus === undefined ? KIND.unknown : kind;
      this.buses[uid] = bus ?? 0;
    }
  }

  #kindOf(uid: number): Kind {
    switch (this.#types[uid]) {
      case BLOCK.canMessage:
      case BLOCK.sdMessage:
        return KIND.can;
      case BLOCK.canError:
        return KIND.error;
      case BLOCK.linMessage:
        return KIND.lin;
      case BLOCK.trigger:
        return KIND.trigger;
      default:
        return this.#names.has(uid) ? this.#valueKind(uid) : KIND.unknown;
    }
  }

  #valueKind(uid: number): Kind {
    if (this.#types[uid] === BLOCK.digitalInput) return KIND.byte;
    if (this.#types[uid] !== BLOCK.gnssMessage) return KIND.float;
    const kind = this.#numbers[uid];
    if (kind === GNSS.latitude || kind === GNSS.longitude) return KIND.double;
    if (kind === GNSS.dateTime) return KIND.dateTime;
    return kind === GNSS.timestamp ? KIND.whole : KIND.float;
  }

  /** Follows the references to a CANInterface: an SDMessage records a CANMessage, which has an interface. */
  #busOf(start: number): number | undefined {
    let uid = start;
    for (let steps = 0; steps < 3; steps += 1) {
      const type = this.#types[uid];
      if (type === BLOCK.canInterface) return this.#numbers[uid];
      if (type !== BLOCK.sdMessage && type !== BLOCK.canMessage && type !== BLOCK.canError) return undefined;
      uid = this.#references[uid] as number;
    }
    return this.#types[uid] === BLOCK.canInterface ? this.#numbers[uid] : undefined;
  }
}

/** Where a block has the uid that it refers to. */
function referenceIn(block: Uint8Array, type: number, body: number): number {
  if (type === BLOCK.canMessage) return body + MESSAGE_INTERFACE;
  if (type === BLOCK.sdMessage) return body + SD_MESSAGE_DATA + (block[body + SD_MESSAGE_LENGTH] ?? 0);
  return body;
}

/** 0, which is nothing's uid but a Config's, for a number that is not whole before the checksum. */
const u16Within = (block: Uint8Array, at: number): number => (at + 2 < block.length ? u16(block, at) : 0);
