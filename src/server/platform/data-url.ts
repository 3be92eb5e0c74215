import { invalid } from './problem.ts';

/** Longest beginning that is looked at: `data:` type, its parameters, `;base64,`. */
const MAX_HEAD = 300;

/**
 * The bytes of a base64 data URL, as a browser's FileReader makes it. The type that it declares is not looked at:
 * what a file is, its content says.
 * @throws ProblemError 400 when it is none, is empty, has a character that is no base64, or was cut off
 */
export function bytesOfDataUrl(url: string): Buffer {
  const comma = url.slice(0, MAX_HEAD).indexOf(',');
  if (comma < 0 || !/^data:.*;base64$/i.test(url.slice(0, comma))) {
    throw invalid('Het bestand is onleesbaar: het is geen data-URL.');
  }
  const text = url.slice(comma + 1);
  if (text === '') throw invalid('Het bestand is leeg.');
  const digits = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  // One search for the first wrong character: a pattern for the whole would keep a way back for each of millions.
  const wrong = text.search(/[^A-Za-z0-9+/]/);
  if (text.length % 4 !== 0 || (wrong >= 0 && wrong < digits)) {
    throw invalid('Het bestand is niet heel overgekomen. Probeer het nog eens.');
  }
  return Buffer.from(text, 'base64');
}
