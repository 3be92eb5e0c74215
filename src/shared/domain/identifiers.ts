/** Checks of serial numbers, names and MAC addresses (API-03). */

/** The value to store, or a Dutch sentence that says what is wrong with the text. */
export type CheckResult<T = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

export const checkPassed = <T>(value: T): CheckResult<T> => ({ ok: true, value });
export const checkFailed = (reason: string): CheckResult<never> => ({ ok: false, reason });

/** Refused names, because routes beside /machine/{serialNumber} and /lmb-logging/{alias} use them; the router ignores case. */
const ROUTE_WORDS: ReadonlySet<string> = new Set(['nieuw', 'edit', 'handleiding']);
/** Live data is an object keyed by serial number, and this key would set its prototype. */
const PROTOTYPE_KEY = '__proto__';

/** With the u flag the length counts characters, as PostgreSQL's char_length does. */
const IDENTIFIER = /^[\p{Script=Latin}0-9 ._-]{1,64}$/u;

/** Characters that people write on a machine. NFKC normalization has already replaced look-alikes such as full-width letters. */
const NAME = /^[\p{Script=Latin}0-9 ._()[\],:;'’"&+#/@!*=°×–-]{1,64}$/u;

/**
 * Checks the serial number of a machine or the loggerid of an LMB logger: 1 to 64 Latin letters (also with accents; no Greek or Cyrillic
 * look-alikes), digits 0-9, space, `.`, `_` and `-`; not only dots, and no ROUTE_WORDS. Outer blanks are removed, and NFKC normalizes
 * full-width letters and accents.
 * @param label Dutch name of the field, with which the error begins: 'Serienummer', 'Loggerid'
 */
export const checkIdentifier = (text: string, label: string): CheckResult =>
  checkSigns(text, label, IDENTIFIER, 'letters, cijfers, spaties, punten, _ en -');

/**
 * Checks the name of a machine or LMB logger, as people write it on the machine: "Kraan (2)", "Graver 2,5T". A name may have more
 * kinds of characters than a serial number, because other programs and labels on loggers use serial numbers.
 */
export function checkAlias(text: string, label: string): CheckResult {
  const checked = checkSigns(
    text,
    label,
    NAME,
    `letters, cijfers, spaties en de tekens . , : ; _ - – ( ) [ ] ' ’ " & + # / @ ! * = ° ×`,
  );
  return checked.ok && !/[\p{L}0-9]/u.test(checked.value)
    ? checkFailed(`${label} moet een letter of een cijfer hebben.`)
    : checked;
}

function checkSigns(text: string, label: string, signs: RegExp, signWords: string): CheckResult {
  const value = text.normalize('NFKC').trim();
  if (value === '') return checkFailed(`${label} ontbreekt.`);
  if ([...value].length > 64) return checkFailed(`${label} mag hoogstens 64 tekens lang zijn.`);
  if (!signs.test(value)) {
    return checkFailed(`${label} mag alleen ${signWords} bevatten.`);
  }
  if (/^\.+$/.test(value)) return checkFailed(`${label} mag niet alleen uit punten bestaan.`);
  if (ROUTE_WORDS.has(value.toLowerCase()) || value === PROTOTYPE_KEY) {
    return checkFailed(`${label} mag niet '${value}' zijn.`);
  }
  return checkPassed(value);
}

/** The kinds of CAN loggers: ReXgen of Influx Technology, CANedge of CSS Electronics. */
export const LOGGER_KINDS = ['rexgen', 'canedge'] as const;
export type LoggerKind = (typeof LOGGER_KINDS)[number];

export const LOGGER_KIND_TEXTS: Readonly<Record<LoggerKind, string>> = {
  rexgen: 'ReXgen',
  canedge: 'CANedge',
};

/**
 * Checks the serial number of a ReXgen: 7 digits, with leading zeros; or the device id of a CANedge: 8
 * hexadecimal digits, stored in upper case.
 */
export function checkLoggerSerial(text: string, kind: LoggerKind = 'rexgen'): CheckResult {
  const value = text.trim();
  if (kind === 'canedge')
    return /^[0-9A-F]{8}$/i.test(value)
      ? checkPassed(value.toUpperCase())
      : checkFailed('Device ID moet uit 8 hexadecimale cijfers bestaan (0-9 en A-F).');
  return /^[0-9]{7}$/.test(value)
    ? checkPassed(value)
    : checkFailed('Influx serienummer moet uit 7 cijfers bestaan.');
}

/** Returns the kind of a logger by its valid serial number: the two kinds have different lengths. */
export const kindOfLogger = (loggerSerial: string): LoggerKind =>
  checkLoggerSerial(loggerSerial, 'canedge').ok ? 'canedge' : 'rexgen';

/**
 * Checks a MAC address: twelve hexadecimal digits, grouped by `:`, `-`, `.` or spaces, become AA:BB:CC:DD:EE:FF. Any other text of 1 to 40
 * characters without control characters is valid too, and stored without its outer blanks.
 */
export function checkMacAddress(text: string): CheckResult {
  const value = text.trim();
  const hex = value.replace(/[:\-. ]/g, '').toUpperCase();
  if (/^[0-9A-F]{12}$/.test(hex)) return checkPassed(hex.match(/../g)!.join(':'));
  if (value === '') return checkFailed('MAC-adres ontbreekt.');
  if ([...value].length > 40) return checkFailed('MAC-adres mag hoogstens 40 tekens lang zijn.');
  return /\p{C}/u.test(value) ? checkFailed('MAC-adres bevat een onleesbaar teken.') : checkPassed(value);
}
