import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';
import { SIGNALS } from '#shared/domain/signal.ts';

/** Words for one thing in the signal names of DBC files, English, German and Dutch. */
const WORDS = {
  motor: ['motor', 'mot', 'mtr', 'emotor', 'engine', 'eng', 'drv', 'drive', 'traction', 'inverter', 'rotor'],
  rotation: ['rpm', 'speed', 'spd', 'rev', 'revs', 'drehzahl', 'toerental', 'toeren'],
  speed: ['speed', 'spd', 'velocity', 'velo', 'snelheid', 'geschwindigkeit', 'kmh', 'kph'],
  charging: ['charging', 'charger', 'charge', 'chg', 'chrg', 'chr', 'obc', 'laad', 'laden', 'lader', 'laadt'],
  battery: ['battery', 'batt', 'bat', 'pack', 'bms', 'hvb', 'hv', 'accu', 'dcbus', 'hvbatt'],
  current: ['current', 'curr', 'cur', 'amps', 'amp', 'ampere', 'i', 'stroom', 'strom'],
  voltage: ['voltage', 'volt', 'volts', 'vltg', 'u', 'spanning', 'spannung'],
  soc: ['soc', 'stateofcharge', 'laadtoestand'],
  latitude: ['latitude', 'lat', 'breedtegraad'],
  longitude: ['longitude', 'lon', 'long', 'lng', 'lengtegraad'],
  motion: ['accel', 'acceleration', 'control', 'ctrl', 'collision', 'steer', 'force'],
  machine: ['machine', 'mach', 'vehicle', 'veh'],
  status: ['status', 'state', 'stat', 'mode', 'stand', 'toestand'],
  flag: [
    'is',
    'active',
    'actv',
    'flag',
    'connected',
    'conn',
    'plug',
    'plugged',
    'on',
    'enabled',
    'status',
    'state',
  ],
  track: ['spoor', 'track', 'rail'],
  position: ['stand', 'position', 'pos', 'spoorstand'],
} as const;
type Word = keyof typeof WORDS;

type Rule = {
  /** The name must hold a word of each. */
  readonly all: readonly Word[];
  /** It is about something else when it holds one of these. */
  readonly none?: readonly Word[];
  /** Likelier with one of these. */
  readonly likes?: Word;
  /** How its unit is written, in lower case; a signal with the unit of another quantity is not it. */
  readonly units: readonly string[];
};

const VOLT = ['v', 'volt', 'mv'];
const AMPERE = ['a', 'amp', 'ampere', 'ma'];
const RPM = ['rpm', '1/min', 'min-1', 'u/min', 'omw/min'];
const KMH = ['km/h', 'kph', 'kmh', 'm/s', 'mph'];
const DEGREES = ['deg', '°', 'degrees', 'degree'];
const SOC: Rule = { all: ['soc'], units: ['%', 'percent'] };

const RULES: Readonly<Record<string, Rule>> = {
  LATITUDE: { all: ['latitude'], none: ['motion'], units: DEGREES },
  LONGITUDE: { all: ['longitude'], none: ['motion'], units: DEGREES },
  MotorSpeed: { all: ['motor', 'rotation'], units: RPM },
  ChargingCurrent: { all: ['charging', 'current'], none: ['soc'], units: AMPERE },
  ChargingVoltage: { all: ['charging', 'voltage'], none: ['soc'], units: VOLT },
  BatteryCurrent: { all: ['battery', 'current'], none: ['charging', 'motor'], units: AMPERE },
  BatteryVoltage: { all: ['battery', 'voltage'], none: ['charging', 'motor'], units: VOLT },
  Speed: { all: ['speed'], none: ['motor'], likes: 'machine', units: KMH },
  Machinestatus: { all: ['machine', 'status'], none: ['charging', 'battery'], units: [] },
  Spoor: { all: ['track'], none: ['position'], units: [] },
  Spoorstand: { all: ['track', 'position'], units: [] },
  IsCharging: { all: ['charging', 'flag'], none: ['current', 'voltage', 'soc'], units: [] },
  Soc1: SOC,
  Soc2: SOC,
  Soc3: SOC,
  Soc4: SOC,
};

/** Not the quantity itself but something about it; still offered, behind the others. */
const ASIDE = new Set(
  'min max minimum maximum limit lim target setpoint request req cmd allowed cell temp temperature fan wheel fault error err alarm avg time remaining nominal rated display peak set pump oil checksum counter crc warning diag precharge tpms change units line v12'.split(
    ' ',
  ),
);
const MOST_PER_SIGNAL = 5;

/** A signal that may be proposed, and where it is. */
export type Candidate = Pick<DbcSignal, 'name' | 'unit'> & { readonly bus: number; readonly message: string };
export type Proposed = {
  readonly to: string;
  readonly bus: number;
  readonly message: string;
  readonly signal: string;
};

/** For each of the targets, DBC signals with a similar name: best first, at most five. */
export function proposals(targets: readonly string[], candidates: readonly Candidate[]): Proposed[] {
  const named = candidates.map((candidate) => ({ candidate, words: wordsOf(candidate.name) }));
  return SIGNALS.map(({ name }) => name)
    .filter((to) => targets.includes(to))
    .flatMap((to) =>
      named
        .map(({ candidate, words }) => ({ candidate, score: likeness(to, candidate, words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST_PER_SIGNAL)
        .map(({ candidate: { bus, message, name } }) => ({ to, bus, message, signal: name })),
    );
}

type Words = {
  readonly tokens: readonly string[];
  readonly digits: string | undefined;
  /** What the name is about. */
  readonly held: ReadonlySet<Word>;
};

/** 'BMS_PackVoltage2' -> bms, pack, voltage; digits 2. */
function wordsOf(name: string): Words {
  const tokens = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  return { tokens, digits: /\d+/.exec(name)?.[0], held: heldBy(tokens) };
}

/** 0: another thing; else the higher the likelier. */
function likeness(to: string, { unit }: Candidate, words: Words): number {
  const rule = RULES[to];
  if (!rule?.all.every((word) => words.held.has(word)) || rule.none?.some((word) => words.held.has(word)))
    return 0;
  const battery = /^Soc(\d)$/.exec(to)?.[1];
  if (battery !== undefined && Number(words.digits ?? 1) !== Number(battery)) return 0;
  const written = unit.trim().toLowerCase();
  const fits = rule.units.includes(written);
  if (!fits && written !== '' && rule.units.length > 0) return 0;
  const aside = words.tokens.filter((token) => ASIDE.has(token)).length;
  return Math.max(
    1,
    50 +
      (fits ? 20 : 0) +
      (rule.likes && words.held.has(rule.likes) ? 10 : 0) -
      15 * aside -
      2 * (words.tokens.length - rule.all.length),
  );
}

const SYNONYMS = (Object.keys(WORDS) as Word[]).flatMap((word) =>
  WORDS[word].map((synonym) => ({ word, synonym })),
);

/** As a word of its own; a longer one also inside or at an end of the name: 'SOCdisp', 'motorspeedactual'. */
function heldBy(tokens: readonly string[]): Set<Word> {
  const whole = tokens.join('');
  const held = new Set<Word>();
  for (const { word, synonym } of SYNONYMS) {
    if (!whole.includes(synonym)) continue;
    const inside = synonym.length >= 5;
    const atEnd = synonym.length >= 3 && (whole.startsWith(synonym) || whole.endsWith(synonym));
    if (inside || atEnd || tokens.includes(synonym)) held.add(word);
  }
  return held;
}
