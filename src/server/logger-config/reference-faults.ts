import { BLOCKS } from './format.ts';
import { allElements, type XmlElement } from './xml-element.ts';

/**
 * What the vendor's schema does not look at: a UID that two blocks have, and a reference to no block or to one of
 * another kind (both were seen to pass that schema: reference/logger.md section 1.5).
 */
export function referenceFaults(root: XmlElement): string[] {
  const faults: string[] = [];
  const kinds = new Map<string, string>();
  const elements = [...allElements(root)];
  for (const { name, attributes } of elements) {
    const { UID } = attributes;
    if (UID === undefined) continue;
    const other = kinds.get(UID);
    if (other !== undefined) faults.push(`UID ${UID} is that of ${other} and of ${name}`);
    kinds.set(UID, name);
  }
  for (const { name, attributes, children } of elements)
    for (const child of children) {
      const field = BLOCKS[name]?.[child.name];
      if (field?.kind !== 'reference' || field.to.length === 0) continue;
      const kind = kinds.get(child.text);
      if (kind === undefined || !field.to.includes(kind))
        faults.push(`${name} ${attributes.UID}: ${child.name} ${child.text} is ${kind ?? 'no block'}`);
    }
  return faults;
}
