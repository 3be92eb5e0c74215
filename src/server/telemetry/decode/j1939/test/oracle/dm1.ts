/** The DM1 part of the oracle (J1939-73, 5.7.1): active fault codes of one ECU, group 0xFECA, in one frame or several. */

export const DM1_GROUP = 0xfeca;

export type Lamp = 'off' | 'on' | 'error' | 'not available';
/** How a lamp flashes. 'not available': the ECU does not report whether the lamp flashes. */
export type Flash = 'slow' | 'fast' | 'reserved' | 'not available';

export type FaultCode = {
  /** Suspect parameter number, 19 bits. */
  readonly spn: number;
  /** Failure mode identifier, 5 bits. */
  readonly fmi: number;
  /** 0 to 126; absent when not available. */
  readonly occurrences?: number;
  /** Whether the SPN is in one of the byte orders from before 1996, so that `spn` is unreliable. */
  readonly isOldConversion: boolean;
};

export type Dm1 = {
  readonly lamps: {
    readonly malfunction: Lamp;
    readonly stop: Lamp;
    readonly warning: Lamp;
    readonly protect: Lamp;
  };
  readonly flashes: {
    readonly malfunction: Flash;
    readonly stop: Flash;
    readonly warning: Flash;
    readonly protect: Flash;
  };
  readonly codes: readonly FaultCode[];
};

const LAMPS = ['off', 'on', 'error', 'not available'] as const;
const FLASHES = ['slow', 'fast', 'reserved', 'not available'] as const;

/** Reads the bytes of a DM1; returns undefined when they are too few for the two bytes of lamps and one code. */
export function readDm1(data: readonly number[]): Dm1 | undefined {
  if (data.length < 6) return undefined;
  const [lamps = 0, flashes = 0, ...rest] = data;
  const codes: FaultCode[] = [];
  for (let at = 0; at + 4 <= rest.length; at += 4) {
    const bits = rest.slice(at, at + 4).map((byte) => BigInt(byte));
    const number = bits.reduce((sum, byte, n) => sum + byte * 256n ** BigInt(n), 0n);
    // Version 4: the SPN's 16 low bits little endian, its 3 high bits above the FMI, the conversion bit above the count.
    const spn = Number((number % 2n ** 16n) + ((number / 2n ** 21n) % 8n) * 2n ** 16n);
    const fmi = Number((number / 2n ** 16n) % 32n);
    const count = Number((number / 2n ** 24n) % 128n);
    const isOldConversion = number / 2n ** 31n === 1n;
    // No code: SPN 0, according to the standard, or all ones, which ECUs from before 1996 send and which are used as
    // padding.
    if (spn === 0 || number % 2n ** 24n === 2n ** 24n - 1n) continue;
    codes.push({ spn, fmi, isOldConversion, ...(count < 127 && { occurrences: count }) });
  }
  return { lamps: four(lamps, LAMPS), flashes: four(flashes, FLASHES), codes };
}

/** Returns the states of two bits each, from the highest: malfunction indicator, red stop, amber warning, protect. */
function four<const State>(byte: number, states: readonly State[]) {
  const at = (place: number): State => states[Math.floor(byte / 4 ** place) % 4] as State;
  return { malfunction: at(3), stop: at(2), warning: at(1), protect: at(0) };
}
