import { formatFaults } from './format-faults.ts';
import { frameFaults, twice } from './frame-faults.ts';
import { referenceFaults } from './reference-faults.ts';
import { childOf, type XmlElement } from './xml-element.ts';
import { readXml, XmlError } from './xml-read.ts';

/**
 * Our own checks of a config.xml: that it has the format we know, and beyond the vendor's schema that numbers are
 * unique, references resolve, identifiers and bits fit in a frame, and the snapshot is one that our door reads.
 * @returns what is wrong, in English, for engineers; nothing for a good file
 */
export function configFaults(xml: string): string[] {
  let root: XmlElement;
  try {
    root = readXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return [error.message];
  }
  const format = formatFaults(root);
  // With fields missing the rest could only guess.
  if (format.length > 0) return [...format, ...referenceFaults(root)];
  const blocks = childOf(root, 'BLOCKS');
  return [...referenceFaults(root), ...frameFaults(blocks), ...snapshotFaults(blocks)];
}

/** As our door routes it: by `snapshot` in the name; one value per key; with a time (decode/snapshot.ts). */
function snapshotFaults(blocks: XmlElement | undefined): string[] {
  const items = childOf(blocks, 'DAQITEM_LIST')?.children ?? [];
  const files = childOf(blocks, 'DAQFILE_LIST')?.children ?? [];
  const faults = twice(items, 'Name');
  if (!items.some((item) => childOf(item, 'Name')?.text === 'GMT_UNIX'))
    faults.push('the snapshot has no GMT_UNIX');
  const isSnapshot = (file: XmlElement) =>
    /snapshot/i.test(childOf(file, 'Name')?.text ?? '') && childOf(file, 'FileType')?.text === 'JSON';
  if (files.length !== 1 || !files.every(isSnapshot))
    faults.push('there is not one DAQFILE of a JSON snapshot');
  return faults;
}
