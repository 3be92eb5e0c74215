import type { XmlElement } from './xml-element.ts';

/**
 * The element as an XML 1.0 document in UTF-8, indented by two spaces.
 * @throws RangeError for a character that XML 1.0 cannot say in any spelling
 */
export const writeXml = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${writeElement(root, '')}`;

function writeElement({ name, attributes, children, text }: XmlElement, indent: string): string {
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `${indent}<${name}${said.join('')}`;
  if (children.length > 0) {
    const inner = children.map((child) => writeElement(child, `${indent}  `)).join('');
    return `${start}>\n${inner}${indent}</${name}>\n`;
  }
  return text === '' ? `${start}/>\n` : `${start}>${escapeXml(text)}</${name}>\n`;
}

/** `>` too, since `]]>` may not stand in text. A carriage return would be read as a line feed. */
function escapeXml(text: string): string {
  if (NOT_XML.test(text)) throw new RangeError('This text has a character that XML 1.0 does not know.');
  return text.replace(SPECIAL, (char) => ENTITIES[char] as string);
}

// Control characters, U+FFFE and U+FFFF, and half a surrogate pair.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML 1.0 forbids
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/u;
const SPECIAL = /[&<>"\r]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
