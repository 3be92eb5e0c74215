/** Characters that XML 1.0 cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for an element or an attribute, and drops characters that XML cannot contain. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(ILLEGAL, '')
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign] as string);
