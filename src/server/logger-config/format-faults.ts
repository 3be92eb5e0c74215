import { BLOCKS, type BlockFormat, DEVICE, type Field, MOST_BLOCKS } from './format.ts';
import { LONGEST_TEXT } from './logger-text.ts';
import type { XmlElement } from './xml-element.ts';

const NAMESPACE = 'http://www.influxtechnology.com/xml/ReXgen';

/** What is not as format.ts has it: elements, their order, their values. References come later (reference-faults.ts). */
export function formatFaults(root: XmlElement): string[] {
  const faults: string[] = [];
  if (root.name !== 'REXGENCONFIG' || root.attributes.xmlns !== NAMESPACE)
    faults.push(`the root is ${root.name} of ${root.attributes.xmlns ?? 'no namespace'}`);
  const [version, ...rest] = root.children;
  if (version?.name !== 'VERSION-TYPE' || version.text !== '1.0.1') faults.push('VERSION-TYPE is not 1.0.1');
  const names = rest.map(({ name }) => name).join(' ');
  if (!/^CONFIG CONFIG_(MOBILE|WIFI) CONFIG_S3 BLOCKS$/.test(names)) faults.push(`the root has ${names}`);
  for (const element of rest) {
    const format = DEVICE[element.name];
    if (format !== undefined) faults.push(...blockFaults(element, format));
    else if (element.name === 'BLOCKS') faults.push(...listFaults(element));
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
    const kind = name.replace(/_LIST$/, '');
    const format = BLOCKS[kind];
    if (format === undefined) continue;
    if (blocks.length === 0) faults.push(`${name} is empty`);
    for (const block of blocks) {
      if (block.name !== kind) faults.push(`${name} has ${block.name}`);
      else faults.push(...blockFaults(block, format));
    }
  }
  return faults;
}

function blockFaults({ name, attributes, children, text }: XmlElement, format: BlockFormat): string[] {
  const what = `${name} ${attributes.UID ?? ''}`;
  const faults: string[] = [];
  if (Object.keys(attributes).join() !== 'UID' || !isWhole(attributes.UID ?? '', 1, MOST_BLOCKS))
    faults.push(`${what}: its UID is not 1 to ${MOST_BLOCKS}`);
  const fields = Object.keys(format);
  const present = children.map((child) => child.name);
  if (present.join() !== fields.join() || text.trim() !== '') faults.push(`${what} has ${present.join(' ')}`);
  for (const child of children) {
    const field = format[child.name];
    if (field !== undefined && (child.children.length > 0 || !fits(child.text, field)))
      faults.push(`${what}: ${child.name} cannot be '${child.text}'`);
  }
  return faults;
}

function fits(text: string, field: Field): boolean {
  if (field.kind === 'whole') return isWhole(text, field.min, field.max);
  if (field.kind === 'choice') return field.of.includes(text);
  if (field.kind === 'text')
    return field.min <= text.length && /^[\x20-\x7e]*$/.test(text) && text.length <= LONGEST_TEXT;
  if (field.kind === 'reference') return field.to.length === 0 ? text === '0' : isWhole(text, 1, MOST_BLOCKS);
  return (
    PATTERNS[field.kind].test(text) && (field.kind !== 'float' || Number.isFinite(Math.fround(Number(text))))
  );
}

const PATTERNS = {
  flag: /^(true|false)$/,
  float: /^-?\d+(\.\d+)?$/,
  guid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  hex: /^([0-9A-F]{2})*$/,
  certificate: /^[\x20-\x7e\n]{0,60000}$/,
} as const;

const isWhole = (text: string, min: number, max: number): boolean =>
  /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= min && Number(text) <= max;
