import { type FaultCode, LAMPS, type Lamp } from '#shared/domain/fault-codes.ts';

/** The parameter group of DM1, active diagnostic trouble codes (J1939-73, 5.7.1). */
export const DM1_GROUP = 0xfeca;

/** A lamp that is on. `flash` is present if the ECU reports that the lamp flashes. */
export type LampOn = { readonly lamp: Lamp; readonly flash?: 'slow' | 'fast' };

/** `occurrences`: 0 to 126; undefined when not available. */
export type ActiveCode = FaultCode & { readonly occurrences: number | undefined };

export type Dm1 = { readonly lamps: readonly LampOn[]; readonly codes: readonly ActiveCode[] };

/** Position of the bits of each lamp in the first byte; the second byte has the bits for flashing at the same position. */
const LAMP_SHIFTS: Readonly<Record<Lamp, number>> = { malfunction: 6, stop: 4, warning: 2, protect: 0 };
const CODE_BYTES = 4;
const FIRST_CODE = 2;
const NO_COUNT = 127;
const ALL_ONES = 0xff;

/**
 * Decodes a DM1 that came in one frame or several.
 * @returns the lamps that are on, and each code once; undefined when the message is too short for a code
 */
export function decodeDm1(data: Uint8Array, length: number): Dm1 | undefined {
  if (length < FIRST_CODE + CODE_BYTES) return undefined;
  const codes = new Map<number, ActiveCode>();
  for (let at = FIRST_CODE; at + CODE_BYTES <= length; at += CODE_BYTES) {
    const code = codeAt(data, at);
    if (code === undefined) continue;
    const key = (code.spn * 32 + code.fmi) * 2 + Number(code.isOldLayout);
    const known = codes.get(key);
    if (known === undefined || (known.occurrences ?? -1) < (code.occurrences ?? -1)) codes.set(key, code);
  }
  return { lamps: lampsOf(data[0] as number, data[1] as number), codes: [...codes.values()] };
}

/** Reads the code at an offset. @returns undefined for SPN 0, which is no parameter, and for all ones */
function codeAt(data: Uint8Array, at: number): ActiveCode | undefined {
  const byte = (n: number): number => data[at + n] as number;
  const [low, middle, high, count] = [byte(0), byte(1), byte(2), byte(3)];
  if (low === ALL_ONES && middle === ALL_ONES && high === ALL_ONES) return undefined;
  const spn = low + middle * 0x100 + (high >>> 5) * 0x1_0000;
  const fmi = high & 0x1f;
  if (spn === 0) return undefined;
  const occurrences = count & 0x7f;
  // Conversion method 1 means that the SPN has one of three older layouts.
  return {
    spn,
    fmi,
    isOldLayout: count >= 0x80,
    occurrences: occurrences === NO_COUNT ? undefined : occurrences,
  };
}

const ON = 1;
const FLASHES = ['slow', 'fast'] as const;

/** Returns the lamps that are on. A lamp with state 10 (reserved) or 11 (not available) is not on. */
function lampsOf(status: number, flash: number): LampOn[] {
  return LAMPS.flatMap((lamp): LampOn[] => {
    const shift = LAMP_SHIFTS[lamp];
    if (((status >>> shift) & 3) !== ON) return [];
    const flashes = FLASHES[(flash >>> shift) & 3];
    return [flashes === undefined ? { lamp } : { lamp, flash: flashes }];
  });
}
