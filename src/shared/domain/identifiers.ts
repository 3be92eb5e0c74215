/** Which serial numbers, names and addresses are taken (docs/design.md section 4; API-03). */

/** The value as it is stored, or why not: a Dutch sentence for the person who typed it. */
export type Checked<T = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

export const accepted = <T>(value: T): Checked<T> => ({ ok: true, value });
export const refused = (reason: string): Checked<never> => ({ ok: false, reason });

/** Routes beside /machine/{serialNumber} and /lmb-logging/{alias}; the router ignores case. */
const ROUTE_WORDS: ReadonlySet<string> = new Set(['nieuw', 'edit', 'handleiding']);
/** Live data is an object keyed by serial number: this key would set its prototype. */
const PROTOTYPE_KEY = '__proto__';

/** Length in characters: a u-flag regular expression and PostgreSQL's char_length count alike. */
const IDENTIFIER = /^[\p{Script=Latin}0-9 ._-]{1,64}$/u;

/** Signs that people write on a machine. NFKC has made one sign of those that look alike, such as full-width ones. */
const NAME = /^[\p{Script=Latin}0-9 ._()[\],:;'’"&+#/@!*=°×–-]{1,64}$/u;

/**
 * Serial number of a machine or loggerid of an LMB logger: 1 to 64 of Latin letters (accents included:
 * 'Één'; no Greek or Cyrillic look-alikes), digits 0-9, space, `.`, `_`, `-`; not only dots, no route word.
 * Outer blanks are dropped, and NFKC makes equal what looks equal (full width, composed accents).
 * @param label What it is called on the screen, to begin the sentence with: 'Serienummer', 'Loggerid'.
 */
export const checkIdentifier = (text: string, label: string): Checked =>
  checkSigns(text, label, IDENTIFIER, 'letters, cijfers, spaties, punten, _ en -');

/**
 * Name of a machine or an LMB logger, as people write it on the machine: "Kraan (2)", "Graver 2,5T". Serial numbers stay
 * narrow, since programs and labels of loggers carry them. docs/design.md section 4 says what stays out, and why.
 */
export function checkName(text: string, label: string): Checked {
  const checked = checkSigns(
    text,
    label,
    NAME,
    `letters, cijfers, spaties en de tekens . , : ; _ - – ( ) [ ] ' ’ " & + # / @ ! * = ° ×`,
  );
  return checked.ok && !/[\p{L}0-9]/u.test(checked.value)
    ? refused(`${label} moet een letter of een cijfer hebben.`)
    : checked;
}

function checkSigns(text: string, label: string, signs: RegExp, signWords: string): Checked {
  const value = text.normalize('NFKC').trim();
  if (value === '') return refused(`${label} ontbreekt.`);
  if ([...value].length > 64) return refused(`${label} mag hoogstens 64 tekens lang zijn.`);
  if (!signs.test(value)) {
    return refused(`${label} mag alleen ${signWords} bevatten.`);
  }
  if (/^\.+$/.test(value)) return refused(`${label} mag niet alleen uit punten bestaan.`);
  if (ROUTE_WORDS.has(value.toLowerCase()) || value === PROTOTYPE_KEY) {
    return refused(`${label} mag niet '${value}' zijn.`);
  }
  return accepted(value);
}

/** The kinds of CAN loggers: of Influx Technology and of CSS Electronics. */
export const LOGGER_KINDS = ['rexgen', 'canedge'] as const;
export type LoggerKind = (typeof LOGGER_KINDS)[number];

export const LOGGER_KIND_TEXTS: Readonly<Record<LoggerKind, string>> = {
  rexgen: 'ReXgen',
  canedge: 'CANedge',
};

/**
 * A ReXgen's own serial number: 7 digits, a string, since leading zeros count (docs/design.md section 1). A CANedge's device
 * id: 8 hexadecimal digits, stored in upper case.
 */
export function checkLoggerSerial(text: string, kind: LoggerKind = 'rexgen'): Checked {
  const value = text.trim();
  if (kind === 'canedge')
    return /^[0-9A-F]{8}$/i.test(value)
      ? accepted(value.toUpperCase())
      : refused('Device ID moet uit 8 hexadecimale cijfers bestaan (0-9 en A-F).');
  return /^[0-9]{7}$/.test(value)
    ? accepted(value)
    : refused('Influx serienummer moet uit 7 cijfers bestaan.');
}

/** Returns the kind of a logger whose serial number was checked: the two have different lengths. */
export const kindOfLogger = (loggerSerial: string): LoggerKind =>
  checkLoggerSerial(loggerSerial, 'canedge').ok ? 'canedge' : 'rexgen';

/**
 * A MAC address: twelve hex digits, however grouped by `:`, `-`, `.` or spaces, become AA:BB:CC:DD:EE:FF;
 * anything else is kept as free text of 1 to 40 characters, outer blanks dropped, without control characters.
 */
export function checkMacAddress(text: string): Checked {
  const value = text.trim();
  const hex = value.replace(/[:\-. ]/g, '').toUpperCase();
  if (/^[0-9A-F]{12}$/.test(hex)) return accepted(hex.match(/../g)!.join(':'));
  if (value === '') return refused('MAC-adres ontbreekt.');
  if ([...value].length > 40) return refused('MAC-adres mag hoogstens 40 tekens lang zijn.');
  return /\p{C}/u.test(value) ? refused('MAC-adres bevat een onleesbaar teken.') : accepted(value);
}
