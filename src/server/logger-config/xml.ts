import { SaxesParser } from 'saxes';

/** An element with either children or text; a ReXgen configuration has no other elements. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
};

export const leafElement = (name: string, text: string): XmlElement => ({
  name,
  attributes: {},
  children: [],
  text,
});

export const listElement = (name: string, children: readonly XmlElement[]): XmlElement => ({
  name,
  attributes: {},
  children,
  text: '',
});

export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent?.children.find((child) => child.name === name);

/** Yields the element itself and all its descendants. */
export function* allElements(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* allElements(child);
}

/**
 * Returns the element as an XML 1.0 document in UTF-8, indented by two spaces.
 * @throws RangeError for a character that XML 1.0 cannot contain
 */
export const writeXml = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${writeElement(root, '')}`;

function writeElement({ name, attributes, children, text }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `${indent}<${name}${written.join('')}`;
  if (children.length > 0) {
    const inner = children.map((child) => writeElement(child, `${indent}  `)).join('');
    return `${start}>\n${inner}${indent}</${name}>\n`;
  }
  return text === '' ? `${start}/>\n` : `${start}>${escapeXml(text)}</${name}>\n`;
}

/**
 * Escapes a text. Escapes `>` too, because `]]>` may not occur in text, and a carriage return, because it would be read as a line
 * feed.
 */
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

/** The text is invalid XML, or XML with features that a configuration does not use. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

/**
 * Returns the root element of an XML text. Comments are skipped, nothing is fetched, and a DOCTYPE is rejected.
 * @throws XmlError naming the line
 */
export function readXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: false });
  const refuse = (reason: string): never => {
    throw new XmlError(`line ${parser.line}: ${reason}`);
  };
  const document: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const top = (): Open => open.at(-1) as Open;
  const addText = (text: string): void => {
    top().text += text;
  };
  parser.on('error', ({ message }) => refuse(message));
  parser.on('doctype', () => refuse('a DOCTYPE'));
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => open.push({ name, attributes, children: [], text: '' }));
  parser.on('closetag', () => {
    const element = open.pop() as Open;
    if (element.children.length > 0) {
      if (element.text.trim() !== '') refuse(`text beside the children of ${element.name}`);
      element.text = ''; // drops the indentation
    }
    top().children.push(element);
  });
  parser.write(xml).close();
  return document.children[0] ?? refuse('no element');
}
