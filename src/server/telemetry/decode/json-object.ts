import { parseJson } from '#shared/domain/outside-json.ts';

/**
 * Parses the JSON object in a small file of a logger; ignores a byte order mark. Returns undefined for any other
 * content.
 */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> | undefined {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const value =
    parsed(text) ?? (text.length <= MAX_REPAIRED_CHARACTERS ? parsed(withoutNan(text)) : undefined);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Maximum length of a JSON text, in characters, in which NaN is replaced; a text with 1,000 signals has half this length. */
const MAX_REPAIRED_CHARACTERS = 65_536;
const NO_NUMBER = /^[+-]?(?:nan|inf(?:inity)?)$/i;
const QUOTE = '"';
const WORD = /[A-Za-z+-]/;

/** Replaces the notations of C, Python and JavaScript for a value that is no number (nan, NaN, -Infinity) by null. */
function withoutNan(text: string): string {
  let made = '';
  let at = 0;
  while (at < text.length) {
    const start = at;
    const isText = text[at] === QUOTE;
    if (isText) {
      at += 1;
      while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
      at += 1;
    } else {
      while (at < text.length && WORD.test(text[at] as string)) at += 1;
      if (at === start) at += 1;
    }
    const part = text.slice(start, at);
    made += NO_NUMBER.test(part) ? 'null' : part;
  }
  return made;
}
