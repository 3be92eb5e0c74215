/** Words in names and comments of DBC files: English, German and Dutch, in lower case. */

const list = (words: string): readonly string[] => words.split(' ');

/** Words by meaning. */
const WORDS = {
  motor: list('motor mot mtr emotor engine eng drv drive traction inverter rotor'),
  rotation: list('rpm speed spd rev revs drehzahl toerental toeren'),
  speed: list('speed spd velocity velo snelheid geschwindigkeit kmh kph'),
  charging: list('charging charger charge chg chrg chr obc evse laad laden lader laadt'),
  battery: list('battery batt bat pack bms hvb hv accu dcbus hvbatt'),
  current: list('current curr cur amps amp ampere i stroom strom laadstroom accustroom'),
  voltage: list('voltage volt volts vltg u v spanning spannung laadspanning accuspanning'),
  soc: list('soc laadtoestand ladezustand'),
  latitude: list('latitude lat breedtegraad'),
  longitude: list('longitude lon long lng lengtegraad'),
  motion: list('accel acceleration control ctrl collision steer force angle'),
  machine: list('machine mach vehicle veh'),
  status: list('status state stat mode stand toestand'),
  flag: list('is active actv flag connected conn plug plugged on enabled status state detected'),
  track: list('spoor track rail'),
  position: list('stand position pos'),
} as const;
export type QuantityMeaning = keyof typeof WORDS;

/** Compound words, each with two meanings. */
const DOUBLE: Readonly<Record<string, readonly QuantityMeaning[]>> = {
  laadstroom: ['charging', 'current'],
  laadspanning: ['charging', 'voltage'],
  accustroom: ['battery', 'current'],
  accuspanning: ['battery', 'voltage'],
  machinestatus: ['machine', 'status'],
  spoorstand: ['track', 'position'],
};

const MEANT = new Map<string, Set<QuantityMeaning>>();
for (const word of Object.keys(WORDS) as QuantityMeaning[])
  for (const written of WORDS[word]) MEANT.set(written, new Set([...(MEANT.get(written) ?? []), word]));
for (const [written, words] of Object.entries(DOUBLE)) MEANT.set(written, new Set(words));

/** Other parts of a machine: their speed, current and voltage are not those of the machine, its motor or its battery. */
export const OTHER_COMPONENT_WORDS: ReadonlySet<string> = new Set(
  list(
    '12v fan pump blower compressor hvac ptc heater wiper seat window mirror tpms steering steer door lamp lighting radiator',
  ),
);

/** Parts inside the motor or the battery: a signal of such a part is never proposed, but other signals of its message may be. */
export const INNER_COMPONENT_WORDS: ReadonlySet<string> = new Set(
  list('cell cells brick lv stator cont contactor coil latch lever lvr light oil'),
);

/** Words for something about the quantity that is not its value, such as a limit or an error. */
export const NON_VALUE_WORDS: ReadonlySet<string> = new Set(
  list(
    'temp temperature time timer remaining counter cnt count checksum crc torque fault error err alarm warn warning diag valid qf stale ' +
      'precharge pchg discharge accel acceleration collision force hold change delta imbalance offset ratio positive negative test ' +
      'min max minimum maximum limit lim allowed available possible nominal rated peak ocv ' +
      'unk unknown related index type',
  ),
);

/** Words for a setpoint of the quantity, not its present value. */
export const SETPOINT_WORDS: ReadonlySet<string> = new Set(
  list('target tgt setpoint set request req cmd command desired ref reference check'),
);

/** Words for a value that is nearly the quantity: measured elsewhere, processed, or uncertain. */
export const NEARLY_SAME_QUANTITY_WORDS: ReadonlySet<string> = new Set(
  list(
    'wheel whl avg ave average display line phase ph raw input maybe slow digital gps units cable port debug dbg log',
  ),
);

/** Words that name no quantity, but may occur in the name of a signal of a quantity. */
const NEUTRAL = list('actual act disp ui displayed signed abs');

/** All known words, into which a word written as one can be split. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...MEANT.keys(),
  ...OTHER_COMPONENT_WORDS,
  ...INNER_COMPONENT_WORDS,
  ...NON_VALUE_WORDS,
  ...SETPOINT_WORDS,
  ...NEARLY_SAME_QUANTITY_WORDS,
  ...NEUTRAL,
]);

/** Returns the meanings of these words. */
export const quantityMeaningsOfWords = (words: readonly string[]): ReadonlySet<QuantityMeaning> =>
  new Set(words.flatMap((word) => [...(MEANT.get(word) ?? [])]));
