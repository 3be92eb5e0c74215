import { SaxesParser } from 'saxes';
import type { XmlElement } from './xml-element.ts';

/** No good XML, or XML that no configuration is made of. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

/**
 * The root element of an XML text. Comments are passed over; nothing is fetched, and a DOCTYPE is refused.
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
      element.text = ''; // the indentation
    }
    top().children.push(element);
  });
  parser.write(xml).close();
  return document.children[0] ?? refuse('no element');
}
