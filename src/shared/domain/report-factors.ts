/**
 * The factors with which an organization's reports compute CO2 and diesel (docs/decisions/0037-co2-factors-and-mailed-reports.md).
 * A report shows CO2, or diesel, only if a factor for it is set.
 */

/** A factor that applies from a day on ('YYYY-MM-DD' in Amsterdam), until a newer factor takes its place. */
type Dated = {
  readonly firstDay: string;
  /** The source, as named below a report. */
  readonly source: string;
};

export type Co2Factor = Dated & { readonly kgPerKwh: number };

/** For machines with a continuous power from `fromKw` up to, but without, `belowKw`; null: no upper limit. */
export type DieselFactor = Dated & {
  readonly litresPerHour: number;
  readonly fromKw: number;
  readonly belowKw: number | null;
  /** The diesel machine that the electric one replaces. */
  readonly comparedTo: string;
};

export type Factors = { readonly co2: readonly Co2Factor[]; readonly diesel: readonly DieselFactor[] };

export const NO_FACTORS: Factors = { co2: [], diesel: [] };

/** Returns the CO2 factor of a day; undefined: none is set. */
export const co2FactorOn = ({ co2 }: Factors, day: string): Co2Factor | undefined => newest(co2, day);

/** Returns the diesel factor of a day for a machine with this continuous power; undefined: none is set, or the power is not known. */
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

export type PowerClass = Pick<DieselFactor, 'fromKw' | 'belowKw'>;

/** Returns whether two power classes overlap. */
export const powerClassesOverlap = (one: PowerClass, other: PowerClass): boolean =>
  one.fromKw < (other.belowKw ?? Infinity) && other.fromKw < (one.belowKw ?? Infinity);
