import { ownValue } from '#shared/domain/own-value.ts';
import { meantBy } from '#shared/domain/signal.ts';

type Quantity = 'angle' | 'rotation' | 'current' | 'voltage' | 'speed' | 'share' | 'flag' | 'code';

/** Words of a list that is too long to be written one by one. */
const list = (words: string): readonly string[] => words.split(' ');

/** How DBC files write our own unit of a quantity: in lower case, without spaces. */
const OWN: Readonly<Record<Quantity, readonly string[]>> = {
  angle: list('deg ° degree degrees graden grad'),
  rotation: list('rpm r/min rev/min 1/min /min min-1 min^-1 u/min t/min tr/min omw/min'),
  current: list('a amp amps ampere amperes adc'),
  voltage: list('v volt volts vdc'),
  speed: list('km/h kmh kph kmph'),
  share: list('% percent percentage procent prozent pct'),
  flag: list('flag bool boolean bit on/off aan/uit 0/1 yes/no ja/nee true/false'),
  code: list('code enum state'),
};

/** The same quantity in another unit: needs a factor. */
const SCALED: Readonly<Partial<Record<Quantity, readonly string[]>>> = {
  rotation: list('krpm rps rev/s'),
  current: list('ma ka'),
  voltage: list('mv kv'),
  speed: list('m/s mph knots cm/s mm/s'),
};

/** Units of quantities that the portal has no signal for. */
const ELSEWHERE = list(
  'nm kw w mw wh kwh ah mah ws j kj mj °c degc celsius c °f degf f k bar mbar kpa mpa pa psi n kn kg g l ml l/h l/min g/s lpm ' +
    'm km mi mm cm um m/s^2 m/s² m/s2 m/s^3 deg/s °/s rad rad/s rad/s^2 s sec h hr hours min ms us days ohm kohm mohm hz khz mhz db dbm',
);

/** Written where a unit is asked for and there is none. */
const NONE = new Set(['', '-', '--', '1', '?', 'none', 'n/a', 'na']);

/** By our name of a signal. */
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

/** Of a signal of ours, or a name that stands for one. */
function quantityOf(to: string): Quantity | undefined {
  const meant = meantBy(to);
  return /^Soc\d/.test(meant) ? 'share' : ownValue(QUANTITY_OF, meant);
}

const quantities = new Map<string, Quantity | undefined>([
  ...ELSEWHERE.map((unit) => [unit, undefined] as const),
  ...[OWN, SCALED].flatMap((units) =>
    (Object.keys(units) as Quantity[]).flatMap((quantity) =>
      (units[quantity] ?? []).map((unit) => [unit, quantity] as const),
    ),
  ),
]);

/**
 * What a DBC signal's unit says of feeding one of our signals.
 * own: our unit · scaled: the same quantity in another unit · none: it has no unit ·
 * another: of another quantity · unknown: nobody knows the unit
 */
export function unitFit(to: string, unit: string): 'own' | 'scaled' | 'none' | 'another' | 'unknown' {
  const written = unit.toLowerCase().replace(/\s+/g, '');
  if (NONE.has(written)) return 'none';
  if (!quantities.has(written)) return 'unknown';
  const quantity = quantityOf(to);
  if (quantity === undefined || quantities.get(written) !== quantity) return 'another';
  return OWN[quantity].includes(written) ? 'own' : 'scaled';
}
