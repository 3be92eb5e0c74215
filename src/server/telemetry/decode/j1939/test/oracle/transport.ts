import type { OracleFrame } from './definition.ts';

/** Returns the parts of a 29-bit identifier (J1939-21, 5.2). */
export function identifierPartsOf(id: number) {
  const source = id % 256;
  const specific = Math.floor(id / 256) % 256;
  const format = Math.floor(id / 65_536) % 256;
  const pages = Math.floor(id / 2 ** 24) % 4;
  const isPdu1 = format < 240;
  const group = pages * 65_536 + format * 256 + (isPdu1 ? 0 : specific);
  return { source, group, destination: isPdu1 ? specific : 255 };
}

/** A message of J1939, in one frame or reassembled from several. */
export type GroupMessage = {
  readonly time: number;
  readonly bus: number;
  readonly source: number;
  readonly group: number;
  readonly data: readonly number[];
};

type Session = {
  readonly group: number;
  readonly size: number;
  readonly packets: (readonly number[] | undefined)[];
  readonly isBroadcast: boolean;
  lastTime: number;
};

const CONNECTION = 0xec00;
const DATA = 0xeb00;
const RTS = 16;
const CTS = 17;
const BAM = 32;
const ABORT = 255;
const GLOBAL = 255;
/** Longest pause between two frames of a message in J1939-21: T2 and T3. */
const MAX_PAUSE_MS = 1250;

/** Reassembles multi-frame messages (J1939-21, 5.10). */
export class OracleTransport {
  readonly #sessions = new Map<string, Session>();
  /** Number of messages that began and were interrupted. */
  dropped = 0;

  /**
   * Returns undefined for a frame of no transport group; otherwise an object with the message that the frame completes,
   * if any.
   */
  take(frame: OracleFrame): { readonly message?: GroupMessage } | undefined {
    const { group, source, destination } = identifierPartsOf(frame.id);
    if (group !== CONNECTION && group !== DATA) return undefined;
    if (frame.data.length < 8) return {};
    const there = `${frame.bus} ${source} ${destination}`;
    const back = `${frame.bus} ${destination} ${source}`;
    if (group === DATA) return this.#data(there, frame, source);
    const [control] = frame.data;
    if (control === BAM && destination === GLOBAL) this.#begin(there, frame, true);
    if (control === RTS && destination !== GLOBAL) this.#begin(there, frame, false);
    // The receiver requests packets, or asks the sender to wait.
    if (control === CTS) this.#inTime(back, frame.time);
    if (control === ABORT) {
      this.#drop(there);
      this.#drop(back);
    }
    return {};
  }

  #begin(key: string, { time, data }: OracleFrame, isBroadcast: boolean): void {
    this.#drop(key);
    const [, low = 0, high = 0, count = 0, , a = 0, b = 0, c = 0] = data;
    const size = low + 256 * high;
    if (size < 9 || size > 1785 || count !== Math.ceil(size / 7)) {
      this.dropped += 1;
      return;
    }
    const packets = Array.from({ length: count }, () => undefined);
    // Some senders put the destination address into the parameter group number, so only the group is read from it.
    const { group } = identifierPartsOf(256 * (a + 256 * b + 65_536 * c));
    this.#sessions.set(key, { group, size, packets, isBroadcast, lastTime: time });
  }

  #data(key: string, { time, bus, data }: OracleFrame, source: number): { readonly message?: GroupMessage } {
    const session = this.#inTime(key, time);
    if (session === undefined) return {};
    const { packets, isBroadcast, group, size } = session;
    const [number = 0, ...bytes] = data;
    // A receiver cannot request packets of a broadcast again, so they must arrive once and in order.
    const isNext = number === packets.indexOf(undefined) + 1;
    if (number < 1 || number > packets.length || (isBroadcast && !isNext)) {
      this.#drop(key);
      return {};
    }
    packets[number - 1] = bytes;
    if (packets.includes(undefined)) return {};
    this.#sessions.delete(key);
    const all = packets.flatMap((packet) => packet ?? []);
    return { message: { time, bus, source, group, data: all.slice(0, size) } };
  }

  /** Returns an incomplete session and stores the time of its last frame; drops it after too long a pause or a jump of the clock. */
  #inTime(key: string, time: number): Session | undefined {
    const session = this.#sessions.get(key);
    if (session && Math.abs(time - session.lastTime) > MAX_PAUSE_MS) {
      this.#drop(key);
      return undefined;
    }
    if (session) session.lastTime = time;
    return session;
  }

  #drop(key: string): void {
    if (this.#sessions.delete(key)) this.dropped += 1;
  }
}
