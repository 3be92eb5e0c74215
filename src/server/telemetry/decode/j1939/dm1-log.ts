import { decodeDm1 } from './dm1.ts';
import { type Dm1State, dm1State } from './dm1-state.ts';

/** A DM1 message of one ECU. */
export type Dm1Observation = {
  /** Time of the message in milliseconds since 1970, rounded down. */
  readonly time: number;
  readonly bus: number;
  readonly source: number;
  /** The content of the message. Consecutive equal messages share one object. */
  readonly state: Dm1State;
};

type LastMessage = { readonly bytes: Uint8Array; readonly state: Dm1State };

/** Collects the DM1 messages of a log. An ECU repeats its DM1 every second; an unchanged message is decoded once. */
export class Dm1Log {
  readonly #last = new Map<number, LastMessage>();
  #observations: Dm1Observation[] = [];

  /** Adds a message. @param data the first `length` bytes are valid, during the call only */
  add(timeMs: number, bus: number, source: number, data: Uint8Array, length: number): void {
    const sender = bus * 0x100 + source;
    const known = this.#last.get(sender);
    const state =
      known && isSame(known.bytes, data, length) ? known.state : this.#decode(sender, data, length);
    if (state !== undefined) this.#observations.push({ time: Math.floor(timeMs), bus, source, state });
  }

  #decode(sender: number, data: Uint8Array, length: number): Dm1State | undefined {
    const dm1 = decodeDm1(data, length);
    if (dm1 === undefined) return undefined;
    const state = dm1State(dm1);
    this.#last.set(sender, { bytes: data.slice(0, length), state });
    return state;
  }

  get count(): number {
    return this.#observations.length;
  }

  take(): Dm1Observation[] {
    const taken = this.#observations;
    this.#observations = [];
    return taken;
  }
}

function isSame(bytes: Uint8Array, data: Uint8Array, length: number): boolean {
  if (bytes.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (bytes[at] !== data[at]) return false;
  return true;
}
