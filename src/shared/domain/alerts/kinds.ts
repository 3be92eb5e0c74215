/** The kinds of alert that a rule can be made for, with their settings (docs/alerts.md). */
import { LOW_BELOW_PERCENT } from '../battery.ts';
import { FULL_PERCENT } from '../figures.ts';

/** Days of history that a rule's preview evaluates. */
export const PREVIEW_DAYS = 30;

/** A number of a rule, as the rule's form asks for it. */
export type SettingField = {
  readonly word: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
};

/**
 * `threshold`: the value from which the condition holds. `clear`: the value from which the condition no longer holds. `hold` and
 * `clearHold`: the pending periods before an alert opens and closes, in minutes. `ahead`: minutes before the shift.
 */
export const SETTING_NAMES = ['threshold', 'clear', 'hold', 'clearHold', 'ahead'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];
export type RuleSettings = { readonly [Name in SettingName]?: number | undefined };

export type AlertKindDefinition = {
  readonly word: string;
  /**
   * Evaluation source: readings in order of time, a timer, presences on projects and terreinen, or the portal itself (administrators only).
   */
  readonly source: 'readings' | 'clock' | 'presences' | 'portal';
  readonly explanation: string;
  readonly whatToDo: string;
  readonly settings: { readonly [Name in SettingName]?: SettingField };
  /** An event-like kind: people are notified even if the alert has already resolved. */
  readonly isEvent: boolean;
  /** The kind decides when it is evaluated: the form offers no hours. */
  readonly hasOwnHours: boolean;
};

const minutes = (word: string, usual: number, least = 0): SettingField => ({
  word,
  unit: 'min',
  least,
  most: 24 * 60,
  usual,
});
const HOLD = (usual: number) => minutes('Zo lang achtereen', usual);
const CLEAR_HOLD = minutes('Voorbij na', 2);

export const ALERT_KINDS = {
  low: {
    word: 'Accu laag',
    source: 'readings',
    explanation: 'Een van de accu’s is onder de grens, terwijl er niet geladen wordt.',
    whatToDo: 'Zet de machine aan de lader, of regel een andere voor de rest van de dienst.',
    settings: {
      threshold: { word: 'Onder', unit: '%', least: 1, most: 99, usual: 20 },
      clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 100, usual: 25 },
      hold: HOLD(2),
      clearHold: CLEAR_HOLD,
    },
    isEvent: false,
    hasOwnHours: false,
  },
  'not-charging': {
    word: 'Aan de lader maar laadt niet',
    source: 'readings',
    explanation: 'De machine zegt dat de kabel erin zit, maar er loopt geen stroom en de accu is niet vol.',
    whatToDo: 'Kijk of de stekker goed zit en of de lader aan staat.',
    settings: {
      threshold: { word: 'Accu onder', unit: '%', least: 1, most: 100, usual: FULL_PERCENT },
      hold: HOLD(10),
      clearHold: CLEAR_HOLD,
    },
    isEvent: false,
    hasOwnHours: false,
  },
  silent: {
    word: 'Logger stil',
    source: 'clock',
    explanation: 'Het portaal heeft lang niets van de machine gehoord.',
    whatToDo: 'Kijk of de machine stroom heeft en bereik, en of de logger aan staat.',
    settings: { threshold: { word: 'Niets gehoord in', unit: 'uur', least: 1, most: 720, usual: 24 } },
    isEvent: false,
    hasOwnHours: false,
  },
  unseen: {
    word: 'Niet meer gezien',
    source: 'clock',
    explanation: 'De dienst is begonnen, en van de machine is sindsdien niets gehoord.',
    whatToDo: 'Vraag of de machine gebruikt wordt. Zo ja: kijk of de logger stroom en bereik heeft.',
    settings: { threshold: minutes('Zo lang na het begin', 60, 5) },
    isEvent: false,
    hasOwnHours: true,
  },
  'not-full': {
    word: 'Niet vol bij begin van de dienst',
    source: 'clock',
    explanation:
      'De accu zal bij het begin van de dienst onder de grens zijn, of is dan misschien nog niet vol.',
    whatToDo: 'Zet de machine aan de lader, of regel een andere voor het begin van de dienst.',
    settings: {
      threshold: { word: 'Accu onder', unit: '%', least: 1, most: FULL_PERCENT, usual: 90 },
      ahead: { word: 'Zo lang voor het begin', unit: 'min', least: 10, most: 12 * 60, usual: 120 },
    },
    isEvent: false,
    hasOwnHours: true,
  },
  'runs-short': {
    word: 'Haalt het einde van de dienst niet',
    source: 'clock',
    explanation:
      'Doet de machine wat zij op de laatste vier van deze weekdagen deed, met pauzes en laden, dan komt de accu voor het einde van de dienst onder de grens.',
    whatToDo: 'Laad de machine tussendoor, of regel een andere voor de rest van de dienst.',
    settings: {
      threshold: { word: 'Onder', unit: '%', least: 1, most: 99, usual: LOW_BELOW_PERCENT },
      clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 100, usual: 25 },
    },
    isEvent: false,
    hasOwnHours: true,
  },
  maintenance: {
    word: 'Onderhoud',
    source: 'clock',
    explanation: 'Een onderhoudsbeurt is bijna nodig: binnen 50 draaiuren of 14 dagen.',
    whatToDo: 'Plan de beurt in, en noteer op de pagina van de machine dat hij gedaan is.',
    settings: {},
    isEvent: false,
    hasOwnHours: true,
  },
  fault: {
    word: 'Storing actief',
    source: 'clock',
    explanation: 'Een besturing (ECU) van de machine meldt een storingscode.',
    whatToDo:
      'Kijk bij Storingen op de pagina van de machine welke code het is. Brandt de rode stoplamp? Zet de machine stil.',
    settings: { hold: HOLD(0), clearHold: minutes('Voorbij na', 10) },
    isEvent: false,
    hasOwnHours: false,
  },
  moved: {
    word: 'Bewoog buiten werktijd',
    source: 'readings',
    explanation: 'De machine is buiten werktijd verder gekomen dan de grens. Eén keer per nacht.',
    whatToDo: 'Kijk op de kaart waar zij is, en bel wie er toezicht heeft.',
    settings: { threshold: { word: 'Verder dan', unit: 'm', least: 50, most: 100_000, usual: 100 } },
    isEvent: true,
    hasOwnHours: true,
  },
  arrived: {
    word: 'Aangekomen',
    source: 'presences',
    explanation:
      'De machine is aangekomen op een project of een terrein. Wat met de hand wordt toegewezen telt niet.',
    whatToDo: 'Hoort zij daar te zijn? Kijk op de kaart waar zij is.',
    settings: {},
    isEvent: true,
    hasOwnHours: false,
  },
  left: {
    word: 'Vertrokken',
    source: 'presences',
    explanation:
      'De machine is vertrokken van een project of een terrein. Wat met de hand wordt toegewezen telt niet.',
    whatToDo: 'Hoort zij er nog te zijn? Kijk op de kaart waar zij is.',
    settings: {},
    isEvent: true,
    hasOwnHours: false,
  },
  'packs-apart': {
    word: 'Accu’s lopen uiteen',
    source: 'readings',
    explanation: 'De accu’s van de machine verschillen meer dan de grens.',
    whatToDo: 'Laat de accu’s en hun verbinding nakijken.',
    settings: {
      threshold: { word: 'Meer dan', unit: 'punten', least: 1, most: 100, usual: 10 },
      clear: { word: 'Voorbij onder', unit: 'punten', least: 0, most: 100, usual: 8 },
      hold: HOLD(15),
      clearHold: CLEAR_HOLD,
    },
    isEvent: false,
    hasOwnHours: false,
  },
  'pack-silent': {
    word: 'Signaal weg',
    source: 'readings',
    explanation: 'Van een van de accu’s komt niets meer, terwijl de machine verder gewoon meldt.',
    whatToDo: 'Laat de verbinding met die accu nakijken.',
    settings: { threshold: minutes('Zo lang niets', 15, 6), clearHold: CLEAR_HOLD },
    isEvent: false,
    hasOwnHours: false,
  },
  speeding: {
    word: 'Snelheid boven',
    source: 'readings',
    explanation: 'De machine rijdt harder dan de grens, twee metingen achtereen of langer.',
    whatToDo: 'Spreek de machinist aan.',
    settings: {
      // On the road a machine may drive 40 km/h.
      threshold: { word: 'Harder dan', unit: 'km/u', least: 1, most: 200, usual: 45 },
      clear: { word: 'Voorbij onder', unit: 'km/u', least: 0, most: 200, usual: 42 },
      hold: HOLD(0),
      clearHold: CLEAR_HOLD,
    },
    isEvent: true,
    hasOwnHours: false,
  },
  'unknown-logger': {
    word: 'Onbekende logger',
    source: 'portal',
    explanation: 'Een logger stuurt metingen met een sleutel die bij geen enkele machine hoort.',
    whatToDo:
      'Zoek uit welke logger het is, en laad er een nieuw configuratiebestand in. Een CANedge krijgt nieuwe instellingen.',
    settings: { threshold: { word: 'Vanaf', unit: 'keer', least: 1, most: 1_000, usual: 3 } },
    isEvent: false,
    hasOwnHours: true,
  },
  quarantine: {
    word: 'Quarantaine groeit',
    source: 'portal',
    explanation: 'In 24 uur kon van meer leveringen dan de grens geen geschiedenis worden gemaakt.',
    whatToDo: 'Kijk bij de logger van de machine wat de reden is.',
    settings: {
      threshold: { word: 'Meer dan', unit: 'leveringen', least: 0, most: 10_000, usual: 20 },
      clear: { word: 'Voorbij onder', unit: 'leveringen', least: 0, most: 10_000, usual: 10 },
    },
    isEvent: false,
    hasOwnHours: true,
  },
  'config-not-running': {
    word: 'Configuratie draait niet',
    source: 'portal',
    explanation: 'Een configuratiebestand is gedownload, maar de logger draait het niet.',
    whatToDo: 'Laad het bestand in de logger, of kijk of die zich meldt.',
    settings: {
      threshold: { word: 'Zo lang na het downloaden', unit: 'uur', least: 1, most: 720, usual: 48 },
    },
    isEvent: false,
    hasOwnHours: true,
  },
  'logs-empty': {
    word: 'Logbestanden leveren niets op',
    source: 'portal',
    explanation: 'Van de laatste logbestanden van een logger is geen enkele meting gemaakt.',
    whatToDo:
      'Kijk bij Logbestanden van de machine wat de reden is: vaak hoort de datadefinitie er niet bij.',
    settings: { threshold: { word: 'Vanaf', unit: 'bestanden', least: 1, most: 100, usual: 10 } },
    isEvent: false,
    hasOwnHours: true,
  },
  'mail-failing': {
    word: 'Mail komt niet weg',
    source: 'portal',
    explanation: 'Een mail wacht langer dan de grens omdat versturen mislukt, of is opgegeven.',
    whatToDo: 'Kijk in de logregels van het portaal waarom, en of SMTP_URL nog klopt.',
    settings: { threshold: minutes('Langer dan', 30, 5) },
    isEvent: false,
    hasOwnHours: true,
  },
  'backup-old': {
    word: 'Back-up te oud of mislukt',
    source: 'portal',
    explanation:
      'De laatste back-up die is teruggelezen is langer geleden dan de grens, of een back-up van BACKUP_AT mislukt.',
    whatToDo:
      'Maak een back-up (npm run backup), en kijk in de logregels van het portaal waarom dat niet vanzelf gebeurde.',
    settings: { threshold: { word: 'Ouder dan', unit: 'dagen', least: 1, most: 365, usual: 2 } },
    isEvent: false,
    hasOwnHours: true,
  },
  disk: {
    word: 'Schijf bijna vol',
    source: 'portal',
    explanation: 'Op de schijf waar de gegevens van het portaal staan is minder vrij dan de grens.',
    whatToDo: 'Maak ruimte, of neem een grotere schijf: op een volle wordt niets meer bewaard.',
    settings: {
      threshold: { word: 'Vrij onder', unit: '%', least: 1, most: 90, usual: 10 },
      clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 95, usual: 12 },
    },
    isEvent: false,
    hasOwnHours: true,
  },
  charging: {
    word: 'Laadupdate',
    source: 'readings',
    explanation: 'Het laden begon, stopte, of was klaar.',
    whatToDo: 'Op de pagina van de machine staat hoe vol de accu is.',
    settings: {},
    isEvent: true,
    hasOwnHours: true,
  },
} as const satisfies Record<string, AlertKindDefinition>;

export type AlertKind = keyof typeof ALERT_KINDS;
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

type KindOfSource<Source> = {
  [Kind in AlertKind]: (typeof ALERT_KINDS)[Kind]['source'] extends Source ? Kind : never;
}[AlertKind];
export type ReadingKind = KindOfSource<'readings'>;
/** Kinds with a condition that holds or does not hold at a reading. */
export type ConditionKind = Exclude<ReadingKind, 'charging'>;
export type ClockKind = KindOfSource<'clock'>;
export type PresenceKind = KindOfSource<'presences'>;
export type OperatorKind = KindOfSource<'portal'>;
export const isReadingKind = (kind: AlertKind): kind is ReadingKind =>
  ALERT_KINDS[kind].source === 'readings';
export const isClockKind = (kind: AlertKind): kind is ClockKind => ALERT_KINDS[kind].source === 'clock';
/** Returns whether a kind is about the portal itself. Only the organization `admin` has rules of these kinds. */
export const isOperatorKind = (kind: AlertKind): kind is OperatorKind =>
  ALERT_KINDS[kind].source === 'portal';
export const isPresenceKind = (kind: AlertKind): kind is PresenceKind =>
  ALERT_KINDS[kind].source === 'presences';

/** Kinds that the form offers. *charging* is switched on and off at a machine instead. */
type OfferedKind = Exclude<AlertKind, 'charging'>;
export const OFFERED_KINDS = ALERT_KIND_NAMES.filter((kind): kind is OfferedKind => kind !== 'charging');
/** Offered kinds that are about machines. */
export type MachineKind = Exclude<OfferedKind, OperatorKind>;
export const MACHINE_KINDS = OFFERED_KINDS.filter((kind): kind is MachineKind => !isOperatorKind(kind));

export const isAlertKind = (text: string): text is AlertKind => Object.hasOwn(ALERT_KINDS, text);

/** When a rule notifies. Only kinds of presences have 'outside': outside the working hours of the machine. */
export const RULE_HOURS = {
  always: 'Altijd',
  work: 'Alleen in werktijd',
  outside: 'Alleen buiten werktijd',
} as const;
export type RuleHours = keyof typeof RULE_HOURS;
export const RULE_HOURS_NAMES = Object.keys(RULE_HOURS) as [RuleHours, ...RuleHours[]];

/** Returns the hours that a rule of this kind may have. */
export function hoursOfKind(kind: AlertKind): readonly RuleHours[] {
  if (kindDefinition(kind).hasOwnHours) return ['always'];
  return isPresenceKind(kind) ? RULE_HOURS_NAMES : ['always', 'work'];
}

/** Severities with the texts of the rule's form. */
export const SEVERITY_TEXTS = {
  notice: 'Melding',
  urgent: 'Dringend',
  daily: 'In de dagelijkse mail',
} as const;
export type Severity = keyof typeof SEVERITY_TEXTS;
export const SEVERITIES = Object.keys(SEVERITY_TEXTS) as [Severity, ...Severity[]];

/** Returns the definition of a kind, typed without its literals. */
export const kindDefinition = (kind: AlertKind): AlertKindDefinition => ALERT_KINDS[kind];

/** Kinds that pass quiet hours, unless a rule sets another severity. */
const URGENT_KINDS: ReadonlySet<AlertKind> = new Set<AlertKind>(['moved', 'backup-old', 'disk']);
/** Kinds about what happens every day: one mail a day lists their alerts. */
const DAILY_KINDS: ReadonlySet<AlertKind> = new Set<AlertKind>([
  'not-full',
  'arrived',
  'left',
  'packs-apart',
]);
/** Returns the severity of a new rule. */
export function defaultSeverity(kind: AlertKind): Severity {
  if (URGENT_KINDS.has(kind)) return 'urgent';
  return DAILY_KINDS.has(kind) ? 'daily' : 'notice';
}

/** Kinds of the rules that a new portal has for its administrators. */
export const FIRST_OPERATOR_KINDS = ['disk', 'backup-old', 'mail-failing', 'unknown-logger'] as const;

/** Returns the settings of a new rule. */
export const defaultSettings = (kind: AlertKind): RuleSettings =>
  Object.fromEntries(
    Object.entries(kindDefinition(kind).settings).map(([name, field]) => [name, field.usual]),
  );

export type SettingError = { readonly setting: SettingName; readonly message: string };

/**
 * Returns the errors in a rule's settings: a missing one, one that the kind does not have, one out of range, or two that contradict each
 * other.
 */
export function settingErrors(kind: AlertKind, settings: RuleSettings): SettingError[] {
  const { settings: fields } = kindDefinition(kind);
  const errors: SettingError[] = [];
  for (const setting of SETTING_NAMES) {
    const field = fields[setting];
    const value = settings[setting];
    if (!field) {
      if (value !== undefined) errors.push({ setting, message: 'hoort niet bij deze soort' });
    } else if (value === undefined) errors.push({ setting, message: 'ontbreekt' });
    else if (value < field.least || value > field.most)
      errors.push({ setting, message: `moet tussen ${field.least} en ${field.most} ${field.unit} liggen` });
  }
  if (errors.length > 0) return errors;
  const { threshold = 0, clear } = settings;
  const isFloor = kind === 'low' || kind === 'runs-short' || kind === 'disk';
  if (clear !== undefined && isFloor && clear < threshold)
    errors.push({ setting: 'clear', message: 'mag niet onder de grens liggen' });
  if (clear !== undefined && !isFloor && clear > threshold)
    errors.push({ setting: 'clear', message: 'mag niet boven de grens liggen' });
  return errors;
}
