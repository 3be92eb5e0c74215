import { SEVERITY_TEXTS } from './alerts/kinds/kind.ts';
import { ALERT_KINDS, RULE_HOURS_LABELS } from './alerts/kinds.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import { J1939_SCOPE_TEXTS } from './j1939.ts';
import { LABEL_COLOURS } from './labels.ts';
import { LOG_KINDS } from './log-kinds.ts';
import { dateAndTime, dutchDate, formatExactNumber, formatNumber, WEEKDAYS } from './nl.ts';
import { getOwnProperty } from './own-value.ts';
import { ROUTE_VISIBILITY_LABELS, type WorkingHours } from './privacy.ts';
import { REPORTS } from './reports/kinds.ts';
import { knownSignal } from './signal.ts';
import { TERREIN_KINDS } from './terrein-kinds.ts';

/** Dutch names of the fields of a log row, in the order in which the screen shows them. A new field must be added here first. */
const FACTS = {
  serial: 'Machine serienummer',
  weekOwner: 'Werkweek van',
  contact: 'Contact',
  contactOf: 'Contact van',
  changedFields: 'Gewijzigd',
  organization: 'Organisatie',
  alias: 'Naam',
  logger: 'Logger',
  reference: 'Vergelijkbare Machine',
  movedTo: 'Verplaatst naar',
  movedFrom: 'Verplaatst van',
  j1939: 'J1939',
  soldAt: 'Per',
  erased: 'Gewist',
  takenBy: 'Logger hoort intussen bij',
  accessKey: 'Sleutel',
  withdrawn: 'Oude sleutel geweigerd',
  hasSimPin: 'Heeft een pincode',
  hasWifiPassword: 'Heeft een wifi-wachtwoord',
  guid: 'Configuratie',
  key: 'Levering',
  readings: 'Metingen',
  into: 'In',
  from: 'Van',
  to: 'Tot',
  size: 'Bytes',
  madeAt: 'Van',
  hash: 'SHA-256',
  changes: 'Wijzigingen',
  name: 'Naam',
  kind: 'Soort',
  isRequired: 'Verplicht',
  counter: 'Teller',
  invited: 'Uitgenodigd',
  handedOver: 'Link zelf doorgegeven',
  loggerId: 'Logger',
  host: 'Adres',
  newAddress: 'Nieuw adres',
  isOn: 'Aan',
  newSimPin: 'Nieuwe pincode',
  newWifiPassword: 'Nieuw wifi-wachtwoord',
  newClientSecret: 'Nieuw client-geheim',
  version: 'Versie',
  restored: 'Versie',
  role: 'Rol',
  limitProjects: 'Beperkt tot projecten',
  limitLabels: 'Beperkt tot labels',
  onlyToday: 'Alleen vandaag',
  roles: 'Aan wie',
  people: 'Aan deze mensen',
  severity: 'Hoe erg',
  hours: 'Wanneer',
  settings: 'Grenzen',
  tellsEnd: 'Vertel het ook als het voorbij is',
  byMail: 'Per mail',
  byPush: 'Op mijn apparaten',
  quiet: 'Stille uren',
  routesFrom: 'Wie ziet routes van het verleden',
  viewerHours: 'Een kijker ziet alleen posities onder werktijd',
  positionDays: 'Posities bewaren (dagen)',
  ended: 'Beëindigde sessies',
  values: 'Opnieuw versleutelde waarden',
  count: 'Keer',
  plans: 'Taken op machines',
  stranger: 'Onbekend account',
  others: 'Andere adressen',
  removeFrom: 'Definitief weg vanaf',
  isFinal: 'Direct definitief',
  remains: 'Wat er nog is',
  call: 'Aanroep',
  filter: 'Filter',
} as const;

/** A field of a log row: one of FACTS, or a field of a form. */
export type LogField = keyof typeof FACTS | keyof typeof FIELD_TEXTS;
/** Values of a log row by field name; a name without a Dutch text does not compile. */
export type LogValues = { readonly [Name in LogField]?: unknown };

const ORDER = Object.keys(FACTS);
/** Compares two names by the order of the screen; JSON from the database has another order. */
export const compareByFieldOrder = (one: string, other: string): number =>
  ORDER.indexOf(one) - ORDER.indexOf(other);

export const isLogField = (name: string): name is LogField =>
  Object.hasOwn(FACTS, name) || Object.hasOwn(FIELD_TEXTS, name);

/** Returns the Dutch name of a fact or a changed field. */
export const logFieldLabel = (name: string): string =>
  getOwnProperty<string>(FACTS, name) ?? getOwnProperty<string>(FIELD_TEXTS, name) ?? name;

type Words = Readonly<Record<string, string>>;
type Show = (value: unknown) => string;

function wordsOf<Entry>(of: Readonly<Record<string, Entry>>, word: (entry: Entry) => string): Words {
  return Object.fromEntries(Object.entries(of).map(([name, entry]) => [name, word(entry)]));
}

/** For fields whose values are codes: their Dutch texts, or a function that returns the Dutch text. */
const SHOWN: { readonly [Name in LogField]?: Words | Show } = {
  bitrate: (bitrate) => `${formatNumber(Number(bitrate) / 1_000)} kbit/s`,
  severity: SEVERITY_TEXTS,
  hours: RULE_HOURS_LABELS,
  kind: {
    mobile: 'mobiel',
    wifi: 'wifi',
    totp: 'authenticator-app',
    passkey: 'passkey',
    ...wordsOf(ALERT_KINDS, ({ word }) => word),
  },
  registration: {
    code: 'met de code',
    approval: 'met de code en goedkeuring',
    invitation: 'alleen op uitnodiging',
  },
  terreinKind: TERREIN_KINDS,
  factorKind: { co2: 'CO2 per kWh', diesel: 'diesel per uur' },
  rhythm: { week: 'elke week', month: 'elke maand' },
  report: wordsOf(REPORTS, ({ title }) => title),
  format: { csv: 'CSV', xlsx: 'Excel', json: 'JSON', gpx: 'GPX', parquet: 'Parquet' },
  labelColour: LABEL_COLOURS,
  routesFrom: ROUTE_VISIBILITY_LABELS,
  changedFields: (value) => listed(value, (name) => logFieldLabel(String(name)).toLowerCase()),
  viewerHours: (value) => (value === null ? 'nee' : workingHours(value as WorkingHours)),
  positionDays: (value) => (value === null ? 'zo lang als metingen' : valueText(value)),
  j1939: J1939_SCOPE_TEXTS,
  erased: (name) => (name === 'LATITUDE' ? 'Positie' : (knownSignal(String(name))?.word ?? String(name))),
  // The log shows each part of these two fields on a line of its own (logEntryLines).
  settings: valueText,
  workDays: valueText,
  ownHolidays: (value) => listed(value, holidayText),
  hulpstukken: (value) => listed(value, valueText),
  batteries: (value) => listed(value, valueText),
  filter: (value) =>
    Object.entries(value as object)
      .map(
        ([name, one]) =>
          `${FILTER_TEXTS[name] ?? name} ${getOwnProperty<string>(LOG_KINDS, one) ?? valueText(one)}`,
      )
      .join(', '),
};
const FILTER_TEXTS: Words = { person: 'account', machine: 'machine', kind: 'soort', from: 'van', to: 'tot' };

const listed = (value: unknown, words: Show): string =>
  Array.isArray(value) && value.length > 0 ? value.map(words).join(', ') : 'geen';

const workingHours = ({ days, from, to }: WorkingHours): string =>
  `${[...days]
    .sort()
    .map((day) => WEEKDAYS[day - 1]?.slice(0, 2))
    .join(', ')} ${from}-${to}`;

function holidayText(value: unknown): string {
  const { holidayName, firstDay, lastDay } = value as Readonly<Record<string, string>>;
  const [first, last] = [dutchDate(firstDay ?? ''), dutchDate(lastDay ?? '')];
  return `${holidayName} (${first === last ? first : `${first} t/m ${last}`})`;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns the Dutch text of a value of any field. */
function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'geen';
  if (typeof value === 'boolean') return value ? 'ja' : 'nee';
  if (typeof value === 'number') return formatExactNumber(value);
  if (typeof value === 'string' && ISO_TIME.test(value)) return dateAndTime(Date.parse(value));
  if (typeof value === 'string') return ISO_DAY.test(value) ? dutchDate(value) : value;
  if (Array.isArray(value)) return listed(value, valueText);
  return Object.values(value as object)
    .map(valueText)
    .join(' ');
}

/** Returns the Dutch text of a field's value; a code of an earlier or later version is returned as it is. */
export function logFieldValueText(name: string, value: unknown): string {
  const shown = getOwnProperty<Words | Show>(SHOWN, name);
  if (typeof shown === 'function') return value === undefined ? valueText(value) : shown(value);
  if (typeof value === 'string') return getOwnProperty(shown, value) ?? valueText(value);
  return valueText(value);
}

/** Returns whether a field's value has a Dutch text; tests check it for every row that the code writes. */
export function hasFieldText(name: string, value: unknown): boolean {
  if (!isLogField(name)) return false;
  const shown = getOwnProperty<Words | Show>(SHOWN, name);
  if (typeof shown === 'function' || value === null || value === '') return true;
  if (shown) return Object.hasOwn(shown, String(value));
  return Array.isArray(value) ? value.every((one) => typeof one !== 'object') : typeof value !== 'object';
}
