import { LAMPS, type Lamp } from '#shared/domain/fault-codes.ts';
import type { Dm1 } from './dm1.ts';

/** The content of a DM1 in the form that is compared and stored. Leaves out the flashing of lamps. */
export type Dm1State = {
  /** A text that is equal for equal lamps, codes and counts. */
  readonly key: string;
  readonly lamp: Lamp | null;
  readonly codes: readonly ActiveFaultCode[];
};

/** SPN, FMI, 1 if the SPN has an older layout, and the occurrence count or -1 if it is not available. */
export type ActiveFaultCode = readonly [spn: number, fmi: number, isOldLayout: 0 | 1, occurrences: number];

export const OCCURRENCES_NOT_AVAILABLE = -1;

/** Returns the state of a DM1. It contains only the most severe lamp, because lamps are used only for severity. */
export function dm1State({ lamps, codes }: Dm1): Dm1State {
  const sorted = codes
    .map(({ spn, fmi, isOldLayout, occurrences = OCCURRENCES_NOT_AVAILABLE }): ActiveFaultCode => {
      return [spn, fmi, isOldLayout ? 1 : 0, occurrences];
    })
    .sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  // Without a code, lamps do not indicate a fault.
  const on = codes.length === 0 ? undefined : LAMPS.find((lamp) => lamps.some((one) => one.lamp === lamp));
  return { key: dm1StateKey(on ?? null, sorted), lamp: on ?? null, codes: sorted };
}

export const dm1StateKey = (lamp: Lamp | null, codes: readonly ActiveFaultCode[]): string =>
  `${lamp ?? ''}|${codes.map((code) => code.join('.')).join()}`;
