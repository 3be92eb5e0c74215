/** With what an organization reckons in its reports (docs/decisions/0037-factors-and-reports-by-mail.md). Whoever has set nothing gets no figure. */

/** One that holds from a day on, 'YYYY-MM-DD' in Amsterdam, until a newer one takes its place. */
type Dated = {
  readonly firstDay: string;
  /** Where it is from, as it stands below a report. */
  readonly source: string;
};

export type Co2Factor = Dated & { readonly kgPerKwh: number };

/** Of machines by their continuous power: from `fromKw` up to, and without, `belowKw`; null: and all above. */
export type DieselFactor = Dated & {
  readonly litresPerHour: number;
  readonly fromKw: number;
  readonly belowKw: number | null;
  /** The machine that is not used. */
  readonly comparedTo: string;
};

export type Factors = { readonly co2: readonly Co2Factor[]; readonly diesel: readonly DieselFactor[] };

export const NO_FACTORS: Factors = { co2: [], diesel: [] };

/** Of that day; undefined: none is set. */
export const co2FactorOn = ({ co2 }: Factors, day: string): Co2Factor | undefined => newest(co2, day);

/** Of a machine of that continuous power on that day; undefined: none is set, or its power is not known. */
export const dieselFactorOn = (
  { diesel }: Factors,
  day: string,
  powerKw: number | null,
): DieselFactor | undefined =>
  powerKw === null
    ? undefined
    : newest(
        diesel.filter(({ fromKw, belowKw }) => fromKw <= powerKw && powerKw < (belowKw ?? Infinity)),
        day,
      );

function newest<Factor extends Dated>(all: readonly Factor[], day: string): Factor | undefined {
  const begun = all.filter(({ firstDay }) => firstDay <= day);
  return begun.reduce<Factor | undefined>(
    (best, one) => (best && best.firstDay >= one.firstDay ? best : one),
    undefined,
  );
}

export type Class = Pick<DieselFactor, 'fromKw' | 'belowKw'>;

/** Whether a power is in both. */
export const classesMeet = (one: Class, other: Class): boolean =>
  one.fromKw < (other.belowKw ?? Infinity) && other.fromKw < (one.belowKw ?? Infinity);
