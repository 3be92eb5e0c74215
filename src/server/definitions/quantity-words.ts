/** The words that names and comments in DBC files are made of, English, German and Dutch, in lower case. */

const list = (words: string): readonly string[] => words.split(' ');

/** Words for one thing. */
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
export type Word = keyof typeof WORDS;

/** One word that says two things. */
const DOUBLE: Readonly<Record<string, readonly Word[]>> = {
  laadstroom: ['charging', 'current'],
  laadspanning: ['charging', 'voltage'],
  accustroom: ['battery', 'current'],
  accuspanning: ['battery', 'voltage'],
  machinestatus: ['machine', 'status'],
  spoorstand: ['track', 'position'],
};

const MEANT = new Map<string, Set<Word>>();
for (const word of Object.keys(WORDS) as Word[])
  for (const written of WORDS[word]) MEANT.set(written, new Set([...(MEANT.get(written) ?? []), word]));
for (const [written, words] of Object.entries(DOUBLE)) MEANT.set(written, new Set(words));

/** Another part of a machine: its speed, current and voltage are not the machine's, its motor's or its battery's. */
export const OTHER_PARTS: ReadonlySet<string> = new Set(
  list(
    '12v fan pump blower compressor hvac ptc heater wiper seat window mirror tpms steering steer door lamp lighting radiator',
  ),
);

/** A part inside one that is ours: a message about it may hold ours too. */
export const INNER_PARTS: ReadonlySet<string> = new Set(
  list('cell cells brick lv stator cont contactor coil latch lever lvr light oil'),
);

/** What is told is not the quantity, but something else that has to do with it. */
export const OTHER_THINGS: ReadonlySet<string> = new Set(
  list(
    'temp temperature time timer remaining counter cnt count checksum crc torque fault error err alarm warn warning diag valid qf stale ' +
      'precharge pchg discharge accel acceleration collision force hold change delta imbalance offset ratio positive negative test ' +
      'min max minimum maximum limit lim allowed available possible nominal rated peak ocv ' +
      'unk unknown related index type',
  ),
);

/** What the quantity should become, not what it is. */
export const WISHES: ReadonlySet<string> = new Set(
  list('target tgt setpoint set request req cmd command desired ref reference check'),
);

/** The quantity, or nearly: measured elsewhere, worked on, or not sure. */
export const NEARLY: ReadonlySet<string> = new Set(
  list(
    'wheel whl avg ave average display line phase ph raw input maybe slow digital gps units cable port debug dbg log',
  ),
);

/** What may stand beside the words of a quantity without a meaning of its own. */
const BESIDE = list('actual act disp ui displayed signed abs');

/** All of them: what a word written as one can be made of. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...MEANT.keys(),
  ...OTHER_PARTS,
  ...INNER_PARTS,
  ...OTHER_THINGS,
  ...WISHES,
  ...NEARLY,
  ...BESIDE,
]);

/** What these words are about. */
export const meaningOf = (words: readonly string[]): ReadonlySet<Word> =>
  new Set(words.flatMap((word) => [...(MEANT.get(word) ?? [])]));
