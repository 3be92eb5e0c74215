// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const SPECIAL = /[&<>"'\t\n\r]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Escapes a text for the content of an element or for an attribute.
 * @param instead the replacement for a character that XML 1.0 cannot contain
 */
export const escapeXmlText = (text: string, instead = ''): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, instead)
    .replace(SPECIAL, (char) => ENTITIES[char] as string);
