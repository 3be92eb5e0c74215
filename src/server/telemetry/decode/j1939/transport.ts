import { pgnOf, sourceAddressOf } from './identifier.ts';

/** Parameter groups TP.CM and TP.DT of SAE J1939-21, which carry messages of more than 8 bytes. */
export const TP_CM_PGN = 0xec00;
export const TP_DT_PGN = 0xeb00;
/** The destination that means all ECUs. */
const GLOBAL = 0xff;

/**
 * First byte of a TP.CM: a request to send to one receiver, the receiver's reply, an announcement to all (BAM), and the abort of
 * either kind of transfer.
 */
const REQUEST_TO_SEND = 16;
const CLEAR_TO_SEND = 17;
const ANNOUNCE = 32;
const ABORT = 255;

const BYTES_PER_PACKET = 7;
const SHORTEST = 9;
const LONGEST = 255 * BYTES_PER_PACKET;
/** Either side stops waiting 1,250 ms after the last frame of the other side (T2 and T3). */
const MAX_PAUSE_MS = 1_250;
/** Maximum number of incomplete messages. A bus has at most 253 sources, few of which send long messages at the same time. */
const MAX_OPEN = 256;

type Session = {
  readonly group: number;
  readonly source: number;
  readonly data: Uint8Array;
  /** One byte per packet: 1 if the packet was received. */
  readonly has: Uint8Array;
  readonly isBroadcast: boolean;
  missing: number;
  lastMs: number;
};

/** A message of more than 8 bytes. `id` is the identifier that the message would have as a single frame. */
export type LongMessage = { readonly id: number; readonly source: number; readonly data: Uint8Array };

/**
 * Reassembles the long messages of one bus: messages to all ECUs (BAM), whose packets must arrive in order, and
 * messages to one receiver (RTS and CTS), whose packets may be repeated. Drops a message that is interrupted by a
 * pause, an abort, a clock that jumps, or a new message between the same two ECUs. Holds at most 256 incomplete
 * messages of 1,785 bytes.
 */
export class J1939Transport {
  readonly #open = new Map<number, Session>();
  /** Number of messages that began and were dropped. */
  dropped = 0;

  /**
   * Reads a frame of TP.CM or TP.DT.
   * @param id the frame's identifier of 29 bits
   * @param data the first `length` bytes are valid
   * @returns the message that the frame completes
   */
  read(id: number, data: Uint8Array, length: number, timeMs: number): LongMessage | undefined {
    if (length < 8) return undefined;
    const destination = (id >>> 8) & 0xff;
    if (pgnOf(id) === TP_DT_PGN) return this.#readPacket(sourceAddressOf(id), destination, data, timeMs);
    this.#readControl(sourceAddressOf(id), destination, data, timeMs);
    return undefined;
  }

  #readControl(source: number, destination: number, data: Uint8Array, timeMs: number): void {
    const control = data[0] as number;
    if (control === ABORT) {
      // Either side may end the transfer.
      this.#drop(keyOf(source, destination));
      this.#drop(keyOf(destination, source));
      return;
    }
    if (control === CLEAR_TO_SEND) {
      // With 0 packets the receiver asks the sender to wait.
      this.#continue(keyOf(destination, source), timeMs);
      return;
    }
    const isBroadcast = control === ANNOUNCE && destination === GLOBAL;
    if (!isBroadcast && (control !== REQUEST_TO_SEND || destination === GLOBAL)) return;
    this.#drop(keyOf(source, destination));
    const size = (data[1] as number) | ((data[2] as number) << 8);
    const packets = data[3] as number;
    if (size < SHORTEST || size > LONGEST || packets !== Math.ceil(size / BYTES_PER_PACKET)) {
      this.dropped += 1;
      return;
    }
    if (this.#open.size >= MAX_OPEN) this.#drop(this.#open.keys().next().value as number);
    this.#open.set(keyOf(source, destination), {
      group: ((data[5] as number) | ((data[6] as number) << 8) | ((data[7] as number) << 16)) & 0x3_ffff,
      source,
      data: new Uint8Array(size),
      has: new Uint8Array(packets),
      isBroadcast,
      missing: packets,
      lastMs: timeMs,
    });
  }

  #readPacket(
    source: number,
    destination: number,
    data: Uint8Array,
    timeMs: number,
  ): LongMessage | undefined {
    const key = keyOf(source, destination);
    const session = this.#continue(key, timeMs);
    if (session === undefined) return undefined;
    const place = (data[0] as number) - 1;
    const { has, isBroadcast } = session;
    const inOrder = !isBroadcast || place === has.length - session.missing;
    if (place < 0 || place >= has.length || !inOrder) {
      this.#drop(key);
      return undefined;
    }
    const from = place * BYTES_PER_PACKET;
    const last = Math.min(BYTES_PER_PACKET, session.data.length - from);
    session.data.set(data.subarray(1, 1 + last), from);
    if (has[place] === 0) session.missing -= 1;
    has[place] = 1;
    if (session.missing > 0) return undefined;
    this.#open.delete(key);
    return { id: idOf(session.group, source), source, data: session.data };
  }

  /**
   * Returns the incomplete message and stores the time of this frame; drops the message after too long a pause or a jump of the
   * clock.
   */
  #continue(key: number, timeMs: number): Session | undefined {
    const session = this.#open.get(key);
    if (session === undefined) return undefined;
    if (Math.abs(timeMs - session.lastMs) > MAX_PAUSE_MS) {
      this.#drop(key);
      return undefined;
    }
    session.lastMs = timeMs;
    return session;
  }

  #drop(key: number): void {
    if (this.#open.delete(key)) this.dropped += 1;
  }
}

const keyOf = (source: number, destination: number): number => source * 256 + destination;

const idOf = (group: number, source: number): number => group * 256 + source;
