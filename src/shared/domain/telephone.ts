/** Telephone numbers as people type them: Dutch or international, with blanks, dashes, dots and brackets. */

/** Characters that may separate digits. */
const SEPARATORS = /[ .()-]/g;
const ALLOWED = /^\+?[\d .()-]+$/;
/** Maximum number of digits with the country code (E.164), and minimum number of digits in use. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 8;

const EXAMPLE = 'zoals 06-12345678 of +32 470 12 34 56';

/** Returns the number without separators, '+' before a country code: '0612345678', '+32470123456'. */
function bareNumber(text: string): string {
  const bare = text.trim().replace('(0)', '').replace(SEPARATORS, '');
  return bare.startsWith('00') ? `+${bare.slice(2)}` : bare;
}

/** Returns the Dutch error in a telephone number, to follow the field's name; undefined: the number is valid. */
export function telephoneError(text: string): string | undefined {
  const typed = text.trim();
  if (typed === '') return 'ontbreekt';
  if (!ALLOWED.test(typed)) return `heeft alleen cijfers, spaties en streepjes, ${EXAMPLE}`;
  const bare = bareNumber(typed);
  if (bare.startsWith('+31')) return dutchNumberError(`0${bare.slice(3)}`);
  if (bare.startsWith('+')) {
    const digits = bare.slice(1);
    if (digits.startsWith('0')) return `begint na + met het landnummer, ${EXAMPLE}`;
    if (digits.length < MIN_DIGITS) return `heeft te weinig cijfers, ${EXAMPLE}`;
    return digits.length > MAX_DIGITS ? `heeft te veel cijfers, ${EXAMPLE}` : undefined;
  }
  if (!bare.startsWith('0')) return `begint met 0, of met + en het landnummer, ${EXAMPLE}`;
  return dutchNumberError(bare);
}

/** Dutch numbers have ten digits; those of services (0800, 0900 to 0909) have 8 or 11, and those of devices (097) 12. */
const DUTCH = /^0(?:(?:800|90\d)(?:\d{4}|\d{7})|97\d{9}|[1-9]\d{8})$/;

function dutchNumberError(bare: string): string | undefined {
  if (DUTCH.test(bare)) return undefined;
  if (bare.startsWith('00')) return `begint met één 0, ${EXAMPLE}`;
  return `heeft in Nederland 10 cijfers, ${EXAMPLE}`;
}

/**
 * Returns the link that dials a number: 'tel:+31612345678'. Service numbers (0800, 090x) get no country code, because
 * they only work in the Netherlands.
 */
export function telephoneLink(text: string): string {
  const bare = bareNumber(text);
  const isDutch = bare.startsWith('0') && !/^0(?:800|90\d)/.test(bare);
  return `tel:${isDutch ? `+31${bare.slice(1)}` : bare}`;
}
