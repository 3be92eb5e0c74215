import { invalidInputError } from './problem.ts';

/** Maximum length of the head of a data URL: `data:`, the type, its parameters and `;base64,`. */
const MAX_HEAD = 300;

/**
 * Returns the bytes of a base64 data URL, as a browser's FileReader makes it. Ignores the declared type, because callers detect
 * a file's type from its content.
 * @throws ProblemError 400 when it is no data URL, is empty, is truncated, or has an invalid character
 */
export function bytesOfDataUrl(url: string): Buffer {
  const comma = url.slice(0, MAX_HEAD).indexOf(',');
  if (comma < 0 || !/^data:.*;base64$/i.test(url.slice(0, comma))) {
    throw invalidInputError('Het bestand is onleesbaar: het is geen data-URL.');
  }
  const text = url.slice(comma + 1);
  if (text === '') throw invalidInputError('Het bestand is leeg.');
  const digits = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  // Searches for the first invalid character: a pattern for the whole text would backtrack over millions of characters.
  const wrong = text.search(/[^A-Za-z0-9+/]/);
  if (text.length % 4 !== 0 || (wrong >= 0 && wrong < digits)) {
    throw invalidInputError('Het bestand is niet heel overgekomen. Probeer het nog eens.');
  }
  return Buffer.from(text, 'base64');
}
