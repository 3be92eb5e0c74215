import { decodeDm1 } from './dm1.ts';
import { type Dm1State, dm1State } from './dm1-state.ts';

/** One DM1 of an ECU. */
export type Dm1Sighting = {
  /** Milliseconds, rounded down. */
  readonly time: number;
  readonly bus: number;
  readonly source: number;
  /** One object for equal messages that follow each other. */
  readonly state: Dm1State;
};

type LastMessage = { readonly bytes: Uint8Array; readonly state: Dm1State };

/** Gathers the DM1 of a log. An ECU repeats its DM1 every second: what did not change is decoded once. */
export class Dm1Log {
  readonly #last = new Map<number, LastMessage>();
  #sightings: Dm1Sighting[] = [];

  /** @param data of which the first `length` bytes count; valid only during the call */
  add(timeMs: number, bus: number, source: number, data: Uint8Array, length: number): void {
    const sender = bus * 0x100 + source;
    const known = this.#last.get(sender);
    const state =
      known && isSame(known.bytes, data, length) ? known.state : this.#decode(sender, data, length);
    if (state !== undefined) this.#sightings.push({ time: Math.floor(timeMs), bus, source, state });
  }

  #decode(sender: number, data: Uint8Array, length: number): Dm1State | undefined {
    const dm1 = decodeDm1(data, length);
    if (dm1 === undefined) return undefined;
    const state = dm1State(dm1);
    this.#last.set(sender, { bytes: data.slice(0, length), state });
    return state;
  }

  /** Sightings since the last `take`. */
  get count(): number {
    return this.#sightings.length;
  }

  /** Returns the sightings since the last call, in the log's order. */
  take(): Dm1Sighting[] {
    const taken = this.#sightings;
    this.#sightings = [];
    return taken;
  }
}

function isSame(bytes: Uint8Array, data: Uint8Array, length: number): boolean {
  if (bytes.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (bytes[at] !== data[at]) return false;
  return true;
}
