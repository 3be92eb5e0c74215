import { checkFrames, twice } from './check-frames.ts';
import { BLOCKS, DEVICE, ROOT } from './config-template.ts';
import { type BlockFormat, blockFaults } from './fields.ts';
import { allElements, childOf, readXml, type XmlElement, XmlError } from './xml.ts';

/**
 * Our own checks of a config.xml: that it has the format we know, and beyond the vendor's schema that numbers are
 * unique, references resolve, identifiers and bits fit in a frame, and the snapshot is one that our upload endpoint reads.
 * @returns what is wrong, in English, for engineers; nothing for a good file
 */
export function checkConfig(xml: string): string[] {
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
  return [...referenceFaults(root), ...checkFrames(blocks), ...snapshotFaults(blocks)];
}

const FORMATS: ReadonlyMap<string, BlockFormat> = new Map(Object.entries({ ...DEVICE, ...BLOCKS }));

/** What is not as config-template.ts has it: elements, their order, their values. */
function formatFaults(root: XmlElement): string[] {
  const faults: string[] = [];
  if (root.name !== ROOT.name || root.attributes.xmlns !== ROOT.attributes.xmlns)
    faults.push(`the root is ${root.name} of ${root.attributes.xmlns ?? 'no namespace'}`);
  const [version, ...rest] = root.children;
  if (version?.name !== 'VERSION-TYPE' || version.text !== ROOT.version)
    faults.push(`VERSION-TYPE is not ${ROOT.version}`);
  const names = rest.map(({ name }) => name).join(' ');
  if (!ROOT.children.test(names)) faults.push(`the root has ${names}`);
  for (const element of rest) {
    if (element.name === 'BLOCKS') faults.push(...listFaults(element));
    else if (Object.hasOwn(DEVICE, element.name)) faults.push(...faultsOf(element));
  }
  return faults;
}

/** A definition may have kept messages only; every other list is always there. */
const MAY_BE_ABSENT = 'CANSIGNAL_LIST';

function listFaults({ children }: XmlElement): string[] {
  const known = Object.keys(BLOCKS).map((name) => `${name}_LIST`);
  const present = children.map(({ name }) => name);
  const faults: string[] = [];
  if (present.join() !== known.filter((name) => present.includes(name)).join())
    faults.push(`BLOCKS has ${present.join(' ')}`);
  for (const name of known)
    if (name !== MAY_BE_ABSENT && !present.includes(name)) faults.push(`BLOCKS has no ${name}`);
  for (const { name, children: blocks } of children) {
    if (!known.includes(name)) continue;
    if (blocks.length === 0) faults.push(`${name} is empty`);
    for (const block of blocks)
      faults.push(...(`${block.name}_LIST` === name ? faultsOf(block) : [`${name} has ${block.name}`]));
  }
  return faults;
}

const faultsOf = (block: XmlElement): string[] => blockFaults(block, FORMATS.get(block.name) ?? {});

/**
 * What the vendor's schema does not look at: a UID that two blocks have, and a reference to no block or to one of
 * another kind (both were seen to pass that schema).
 */
function referenceFaults(root: XmlElement): string[] {
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
      const field = FORMATS.get(name)?.[child.name];
      if (typeof field !== 'object' || field.to === undefined) continue;
      const kind = kinds.get(child.text);
      if (kind === undefined || !field.to.includes(kind))
        faults.push(`${name} ${attributes.UID}: ${child.name} ${child.text} is ${kind ?? 'no block'}`);
    }
  return faults;
}

/** As our upload endpoint routes it: by `snapshot` in the name; one value per key; with a time (decode/snapshot.ts). */
function snapshotFaults(blocks: XmlElement | undefined): string[] {
  const items = childOf(blocks, 'DAQITEM_LIST')?.children ?? [];
  const files = childOf(blocks, 'DAQFILE_LIST')?.children ?? [];
  const faults = twice(items, 'Name');
  if (!items.some((item) => childOf(item, 'Name')?.text === 'GMT_UNIX'))
    faults.push('the snapshot has no GMT_UNIX');
  if (files.length !== 1 || !/snapshot/i.test(childOf(files[0], 'Name')?.text ?? ''))
    faults.push('there is not one DAQFILE of a JSON snapshot');
  return faults;
}
