/** Parses numbers that people type in a form (52.9). */

export type NumberRules = {
  /** Meaning of a single dot before exactly three digits: '1.234' is 1234 ('thousands', the default) or 1.234 ('decimal'). */
  readonly dot?: 'thousands' | 'decimal';
  /** Whether the field accepts negative numbers. */
  readonly isSigned?: boolean;
};

/** At most one dot or comma, which is the decimal sign. */
const PLAIN = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const WITH_EXPONENT = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)e[+-]?\d{1,3}$/i;
const ONE_DOT_GROUP = /^[1-9]\d{0,2}\.\d{3}$/;
/** Thousands in groups of three by dots or blanks, with decimals behind a comma. */
const DUTCH = /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+)(?:,\d*)?$/;
/** English notation: commas separate the thousands ('1,234.5', '1,234,567'). A number with a single comma needs a dot too. */
const ENGLISH = /^[1-9]\d{0,2}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/;
const BLANKS = /[ \u00a0\u2009\u202f]/g;

/**
 * Returns the number that a person typed; undefined when the text is no number. All number fields of the portal's forms use this function,
 * and the server reads the texts of those fields with it too.
 *
 * - A comma or a dot is the decimal sign: '1234,5' and '1234.5' are 1234.5. A single comma is always the decimal sign: '1,234' is 1.234.
 * - Groups of exactly three digits are thousands: '1.234,5', '1.234.567', '1 234,5', '1,234.5' and '1,234,567'.
 * - Only '1.234' could be both. It is 1234, as the portal itself and Dutch spreadsheets write it, except where `dot` is
 *   'decimal': in fields without thousands, into which people copy numbers with a dot (factor and offset of a signal,
 *   coordinates, bit rates, CO2 and diesel factors).
 * - '0.234', '12.34', '1234.567' and '01.234' are no groups: their dot is the decimal sign.
 * - Blanks around the number are dropped. A sign is read where the field is signed, and an exponent ('1e-7') where `dot` is
 *   'decimal'. '1.2.3', '12,34,5' and '1.234 uur' are no numbers.
 *
 * Each field itself checks limits, and whether the number must be whole. It shows below the input how this function read the text.
 */
export function parseTypedNumber(
  text: string,
  { dot = 'thousands', isSigned = false }: NumberRules = {},
): number | undefined {
  const [, sign = '', digits = ''] = /^([-+−–]?)(.*)$/.exec(text.replace(BLANKS, ' ').trim()) ?? [];
  const spelled = isSigned || sign === '' ? spelledPlainly(digits, dot) : undefined;
  if (spelled === undefined) return undefined;
  const isNegative = sign !== '' && sign !== '+';
  const value = (isNegative ? -1 : 1) * Number(spelled) + 0; // + 0 turns -0 into 0
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the digits in a form that `Number` can read. */
function spelledPlainly(digits: string, dot: NumberRules['dot']): string | undefined {
  if (ONE_DOT_GROUP.test(digits)) return dot === 'thousands' ? digits.replace('.', '') : digits;
  if (PLAIN.test(digits)) return digits.replace(',', '.');
  if (DUTCH.test(digits)) return digits.replace(/[. ]/g, '').replace(',', '.');
  if (ENGLISH.test(digits)) return digits.replaceAll(',', '');
  return dot === 'decimal' && WITH_EXPONENT.test(digits) ? digits.replace(',', '.') : undefined;
}
