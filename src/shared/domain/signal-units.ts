/** Compares the unit of a DBC signal with that of the portal's signal, and finds the factor that converts it. */
import { formatExactNumber } from './nl.ts';
import { getOwnProperty } from './own-value.ts';
import { catalogueSignalOf, knownSignal } from './signal.ts';

type Quantity = 'angle' | 'rotation' | 'current' | 'voltage' | 'speed' | 'share' | 'flag' | 'code';

/** Returns the units in a text in which blanks separate them. */
const list = (words: string): readonly string[] => words.split(' ');

/** The unit in which the portal stores each quantity, as DBC files spell it; in lower case without spaces. */
const OWN: Readonly<Record<Quantity, readonly string[]>> = {
  angle: list('deg ° degree degrees graden grad'),
  rotation: list('rpm r/min rev/min 1/min /min min-1 min^-1 u/min t/min tr/min omw/min'),
  current: list('a amp amps ampere amperes adc'),
  voltage: list('v volt volts vdc'),
  speed: list('km/h kmh kph kmph km/u kmu'),
  share: list('% percent percentage procent prozent pct'),
  flag: list('flag bool boolean bit on/off aan/uit 0/1 yes/no ja/nee true/false'),
  code: list('code enum state'),
};

/** Other units of each quantity, with their size in the portal's unit. */
const SCALED: Readonly<Partial<Record<Quantity, Readonly<Record<string, number>>>>> = {
  angle: { rad: 180 / Math.PI, mdeg: 1e-3, udeg: 1e-6, µdeg: 1e-6, μdeg: 1e-6 },
  rotation: { krpm: 1000, rps: 60, 'rev/s': 60, 'rad/s': 30 / Math.PI },
  current: { µa: 1e-6, μa: 1e-6, ua: 1e-6, ma: 1e-3, ca: 0.01, da: 0.1, ka: 1000 },
  voltage: { µv: 1e-6, μv: 1e-6, uv: 1e-6, mv: 1e-3, cv: 0.01, dv: 0.1, kv: 1000 },
  // The international mile, foot and nautical mile.
  speed: {
    ...Object.fromEntries(list('mph mi/h mile/h miles/h').map((unit) => [unit, 1.609344])),
    ...Object.fromEntries(list('kn kt kts knot knots').map((unit) => [unit, 1.852])),
    'm/s': 3.6,
    mps: 3.6,
    'ft/s': 1.09728,
    'm/min': 0.06,
    'cm/s': 0.036,
    'mm/s': 0.0036,
  },
  share: {
    ...Object.fromEntries(list('fraction fractie ratio p.u. pu 0..1 0-1').map((unit) => [unit, 100])),
    ...Object.fromEntries(list('‰ permille promille').map((unit) => [unit, 0.1])),
  },
};

/** Units of quantities that the portal has no signal for. */
const ELSEWHERE = list(
  'nm kw w mw wh kwh mwh ah mah ws j kj mj °c degc celsius c °f degf f k bar mbar kpa mpa pa psi n kg g l ml l/h l/min g/s lpm ' +
    'm km mi mm cm um m/s^2 m/s² m/s2 m/s^3 deg/s °/s rad/s^2 s sec h hr hours min ms us days ohm kohm mohm hz khz mhz db dbm',
);

/** Texts in DBC files that mean 'no unit'. */
const NONE = new Set(['', '-', '--', '1', '?', 'none', 'n/a', 'na']);

/** Quantities by the portal's name of a signal. */
const QUANTITY_OF: Readonly<Record<string, Quantity>> = {
  LATITUDE: 'angle',
  LONGITUDE: 'angle',
  MotorSpeed: 'rotation',
  ChargingCurrent: 'current',
  ChargingVoltage: 'voltage',
  BatteryCurrent: 'current',
  BatteryVoltage: 'voltage',
  Speed: 'speed',
  Machinestatus: 'code',
  Spoor: 'code',
  Spoorstand: 'code',
  IsCharging: 'flag',
};

/** Returns the quantity of a signal of the portal, or of a name that stands for one; undefined for a custom signal. */
function quantityOf(to: string): Quantity | undefined {
  const meant = catalogueSignalOf(to);
  return /^Soc\d/.test(meant) ? 'share' : getOwnProperty(QUANTITY_OF, meant);
}

/** `perUnit`: the size of this unit in the portal's unit. */
type KnownUnit = { readonly quantity: Quantity | undefined; readonly perUnit: number };

const UNITS = new Map<string, KnownUnit>([
  ...ELSEWHERE.map((unit): [string, KnownUnit] => [unit, { quantity: undefined, perUnit: 1 }]),
  ...(Object.keys(OWN) as Quantity[]).flatMap((quantity) => [
    ...OWN[quantity].map((unit): [string, KnownUnit] => [unit, { quantity, perUnit: 1 }]),
    ...Object.entries(SCALED[quantity] ?? {}).map(([unit, perUnit]): [string, KnownUnit] => [
      unit,
      { quantity, perUnit },
    ]),
  ]),
]);

/** Matches a unit with a number before it: '0.1A', '0,05v/bit', '1e-7deg', '1/100v', 'x0.1a'. */
const STEPS = /^[x×*]?(?:1\/(\d+)|(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?))[x×*·]?([^\d.,].*?)(?:\/(?:bit|lsb))?$/;

/** Scale of a DBC signal: physical value = raw value x `factor` (+ offset); `min` and `max` are only a hint. */
export type SignalScale = {
  readonly unit: string;
  readonly factor?: number;
  readonly min?: number;
  readonly max?: number;
};

/**
 * own: the portal's unit · scaled: another unit of the same quantity · none: the DBC signal has no unit, or is stored as a custom signal ·
 * another: a unit of another quantity · unknown: a unit that the lists above do not have
 */
export type UnitMatch = {
  readonly kind: 'own' | 'scaled' | 'none' | 'another' | 'unknown';
  /** Converts to the portal's unit; absent: no conversion is needed. No conversion needs an offset. */
  readonly factor?: number;
};

/** Returns how the unit of a DBC signal fits the portal's signal that it would feed. */
export function matchUnit(to: string, signal: SignalScale): UnitMatch {
  const quantity = quantityOf(to);
  if (quantity === undefined) return { kind: 'none' };
  const written = signal.unit.toLowerCase().replace(/\s+/g, '');
  if (NONE.has(written))
    return quantity === 'share' && isFraction(signal) ? { kind: 'none', factor: 100 } : { kind: 'none' };
  const known = UNITS.get(written) ?? inSteps(written, signal.factor);
  if (known === undefined) return { kind: 'unknown' };
  if (known.quantity !== quantity) return { kind: 'another' };
  return known.perUnit === 1 ? { kind: 'own' } : { kind: 'scaled', factor: known.perUnit };
}

/**
 * Reads a unit with a number before it, as '0.1A'. If the DBC's factor equals this number, the physical value is in the unit itself; if the
 * factor is 1, the physical value must still be multiplied by the number. With another factor, the unit is ambiguous: returns undefined.
 */
function inSteps(written: string, dbcFactor = 1): KnownUnit | undefined {
  const [, part, number, unit = ''] = STEPS.exec(written) ?? [];
  const known = UNITS.get(unit);
  if (known === undefined) return undefined;
  const step = part === undefined ? Number(number?.replace(',', '.')) : 1 / Number(part);
  if (isNear(dbcFactor, step)) return known;
  // 1e-9 allows for rounding in products such as 0.1 x 0.001.
  return dbcFactor === 1 ? { ...known, perUnit: Number((step * known.perUnit).toPrecision(9)) } : undefined;
}

/** Returns whether a charge level ranges from 0 to 1, by its `min` and `max`. */
const isFraction = ({ min = 0, max = 0 }: SignalScale): boolean => min >= 0 && max > 0 && max <= 1;

const isNear = (value: number, expected: number): boolean =>
  Math.abs(value - expected) <= Math.abs(expected) * 1e-3;

/** Returns 'omgerekend van mph'; undefined when the value is already in the portal's unit. */
export function conversionText(to: string, signal: SignalScale): string | undefined {
  const { kind, factor } = matchUnit(to, signal);
  if (factor === undefined) return undefined;
  return kind === 'none' ? 'omgerekend van een deel van 1 (0 tot 1)' : `omgerekend van ${signal.unit.trim()}`;
}

/** Returns a Dutch warning that a DBC signal, multiplied by `factor`, may not be in the unit of the signal that it feeds. */
export function unitWarning(to: string, signal: SignalScale, factor: number): string | undefined {
  const fit = matchUnit(to, signal);
  const unit = signal.unit.trim();
  const ours = ourUnit(to);
  if (fit.kind === 'another') return `De eenheid past niet: het DBC-signaal is in ${unit}, ${ours}.`;
  if (fit.kind === 'unknown')
    return `Het portaal kent de eenheid ${unit} niet, en ${ours}. Controleer de factor.`;
  if (fit.factor !== undefined && !isNear(Math.abs(factor), fit.factor)) {
    const theirs = fit.kind === 'none' ? 'loopt van 0 tot 1' : `is in ${unit}`;
    return `Het DBC-signaal ${theirs}, en ${ours}: daar hoort factor ${formatExactNumber(fit.factor)} bij.`;
  }
  if (fit.kind === 'own' && quantityOf(to) === 'share' && isFraction(signal) && !isNear(factor, 100))
    return `Volgens het DBC-bestand is het signaal in ${unit}, maar loopt het van 0 tot ${formatExactNumber(signal.max ?? 1)}. Loopt het echt tot 1, vul dan factor 100 in.`;
  return undefined;
}

/** Returns 'Snelheid is in km/h' or 'Is aan het laden is 0 of 1'. */
function ourUnit(to: string): string {
  const known = knownSignal(catalogueSignalOf(to));
  const unit = known?.unit.split(',')[0] ?? '';
  const what = { flag: unit, code: 'een code' }[quantityOf(to) as string] ?? `in ${unit}`;
  return `${known?.word ?? to} is ${what}`;
}
