import { lastByteOf } from '#server/telemetry/decode/dbc/dbc-bits.ts';
import { pgnOf } from '#server/telemetry/decode/j1939/identifier.ts';
import {
  CAN_FD_FRAME_LENGTHS,
  DEVICE_BLOCK_FORMATS,
  LIST_BLOCK_FORMATS,
  MAX_CLASSIC_FRAME_BYTES,
  ROOT_ELEMENT,
} from './config-template.ts';
import { type BlockFormat, blockErrors } from './fields.ts';
import { allElements, childOf, readXml, type XmlElement, XmlError } from './xml.ts';

/**
 * Checks a config.xml: the known format, and beyond the vendor's schema also that numbers are unique, references resolve,
 * identifiers and bits fit in a frame, and the upload endpoint can read the snapshot.
 * @returns errors in English, for engineers; none for a good file
 */
export function checkConfig(xml: string): string[] {
  let root: XmlElement;
  try {
    root = readXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return [error.message];
  }
  const format = formatErrors(root);
  // If the format is wrong, checkFrames() and snapshotErrors() may not find the fields that they need.
  if (format.length > 0) return [...format, ...referenceErrors(root)];
  const blocks = childOf(root, 'BLOCKS');
  return [...referenceErrors(root), ...checkFrames(blocks), ...snapshotErrors(blocks)];
}

const FORMATS: ReadonlyMap<string, BlockFormat> = new Map(
  Object.entries({ ...DEVICE_BLOCK_FORMATS, ...LIST_BLOCK_FORMATS }),
);

/** Returns deviations from config-template.ts: elements, their order, their values. */
function formatErrors(root: XmlElement): string[] {
  const errors: string[] = [];
  if (root.name !== ROOT_ELEMENT.name || root.attributes.xmlns !== ROOT_ELEMENT.attributes.xmlns)
    errors.push(`the root is ${root.name} of ${root.attributes.xmlns ?? 'no namespace'}`);
  const [version, ...rest] = root.children;
  if (version?.name !== 'VERSION-TYPE' || version.text !== ROOT_ELEMENT.version)
    errors.push(`VERSION-TYPE is not ${ROOT_ELEMENT.version}`);
  const names = rest.map(({ name }) => name).join(' ');
  if (!ROOT_ELEMENT.children.test(names)) errors.push(`the root has ${names}`);
  for (const element of rest) {
    if (element.name === 'BLOCKS') errors.push(...listErrors(element));
    else if (Object.hasOwn(DEVICE_BLOCK_FORMATS, element.name)) errors.push(...errorsOf(element));
  }
  return errors;
}

/** The one list that may be absent: a definition may have kept messages only. */
const MAY_BE_ABSENT = 'CANSIGNAL_LIST';

function listErrors({ children }: XmlElement): string[] {
  const known = Object.keys(LIST_BLOCK_FORMATS).map((name) => `${name}_LIST`);
  const present = children.map(({ name }) => name);
  const errors: string[] = [];
  if (present.join() !== known.filter((name) => present.includes(name)).join())
    errors.push(`BLOCKS has ${present.join(' ')}`);
  for (const name of known)
    if (name !== MAY_BE_ABSENT && !present.includes(name)) errors.push(`BLOCKS has no ${name}`);
  for (const { name, children: blocks } of children) {
    if (!known.includes(name)) continue;
    if (blocks.length === 0) errors.push(`${name} is empty`);
    for (const block of blocks)
      errors.push(...(`${block.name}_LIST` === name ? errorsOf(block) : [`${name} has ${block.name}`]));
  }
  return errors;
}

const errorsOf = (block: XmlElement): string[] => blockErrors(block, FORMATS.get(block.name) ?? {});

/**
 * Returns errors that the vendor's schema does not find: a UID that two blocks have, and a reference to a missing block or to a
 * block of the wrong kind (such files passed that schema).
 */
function referenceErrors(root: XmlElement): string[] {
  const errors: string[] = [];
  const kinds = new Map<string, string>();
  const elements = [...allElements(root)];
  for (const { name, attributes } of elements) {
    const { UID } = attributes;
    if (UID === undefined) continue;
    const other = kinds.get(UID);
    if (other !== undefined) errors.push(`UID ${UID} is that of ${other} and of ${name}`);
    kinds.set(UID, name);
  }
  for (const { name, attributes, children } of elements)
    for (const child of children) {
      const field = FORMATS.get(name)?.[child.name];
      if (typeof field !== 'object' || field.to === undefined) continue;
      const kind = kinds.get(child.text);
      if (kind === undefined || !field.to.includes(kind))
        errors.push(`${name} ${attributes.UID}: ${child.name} ${child.text} is ${kind ?? 'no block'}`);
    }
  return errors;
}

/**
 * Checks that the upload endpoint can read the snapshot: `snapshot` in the name, one value per key, and a time
 * (decode/snapshot.ts).
 */
function snapshotErrors(blocks: XmlElement | undefined): string[] {
  const items = childOf(blocks, 'DAQITEM_LIST')?.children ?? [];
  const files = childOf(blocks, 'DAQFILE_LIST')?.children ?? [];
  const errors = duplicates(items, 'Name');
  if (!items.some((item) => childOf(item, 'Name')?.text === 'GMT_UNIX'))
    errors.push('the snapshot has no GMT_UNIX');
  if (files.length !== 1 || !/snapshot/i.test(childOf(files[0], 'Name')?.text ?? ''))
    errors.push('there is not one DAQFILE of a JSON snapshot');
  return errors;
}

const MAX_STANDARD_ID = 0x7ff;
const MAX_EXTENDED_ID = 0x1fff_ffff;

/** Checks properties that a schema cannot express: identifiers, lengths and bits that cannot be in a frame of that message. */
function checkFrames(blocks: XmlElement | undefined): string[] {
  const of = (kind: string) => childOf(blocks, `${kind}_LIST`)?.children ?? [];
  const buses = byUid(of('CANINTERFACE'));
  const messages = byUid(of('CANMESSAGE'));
  return [
    ...duplicates(of('CANINTERFACE'), 'PhysicalNumber'),
    ...[...buses.values()].flatMap(busErrors),
    ...[...messages.values()].flatMap((one) => messageErrors(one, buses.get(text(one, 'InterfaceUID')))),
    ...of('CANSIGNAL').flatMap((one) => signalErrors(one, messages.get(text(one, 'MessageUID')))),
  ];
}

const text = (element: XmlElement | undefined, name: string): string => childOf(element, name)?.text ?? '';
const number = (element: XmlElement | undefined, name: string): number => Number(text(element, name));
const byUid = (blocks: readonly XmlElement[]) =>
  new Map(blocks.map((one) => [one.attributes.UID ?? '', one]));

/** Returns every value of a field that occurs in more than one of the blocks. */
function duplicates(blocks: readonly XmlElement[], field: string): string[] {
  const groups = Map.groupBy(blocks, (one) => text(one, field));
  return [...groups].flatMap(([value, { length }]) =>
    length > 1 ? [`${field} ${value} is there ${length} times`] : [],
  );
}

function busErrors(bus: XmlElement): string[] {
  const isFd = text(bus, 'Type') === 'CAN_FD';
  return isFd === number(bus, 'CANFDBusSpeed') > 0
    ? []
    : [`CANINTERFACE ${bus.attributes.UID}: CAN FD or not?`];
}

function messageErrors(message: XmlElement, bus: XmlElement | undefined): string[] {
  const what = `CANMESSAGE ${message.attributes.UID}`;
  const start = number(message, 'MessageIdentStart');
  const end = number(message, 'MessageIdentEnd');
  const dlc = number(message, 'DLC');
  const most = text(message, 'IsExtended') === 'true' ? MAX_EXTENDED_ID : MAX_STANDARD_ID;
  const isFd = text(message, 'CANFD_Option') !== 'NORMAL_CAN';
  const errors: string[] = [];
  if (start > end || end > most) errors.push(`${what}: identifiers ${start} to ${end}`);
  const isJ1939 = text(message, 'isJ1939') === 'true';
  if (isJ1939 ? most !== MAX_EXTENDED_ID || pgnOf(start) !== pgnOf(end) : start !== end)
    errors.push(`${what}: identifiers ${start} to ${end} are no message`);
  if (isFd && text(bus, 'Type') !== 'CAN_FD') errors.push(`${what}: CAN FD on a bus without it`);
  if (dlc > MAX_CLASSIC_FRAME_BYTES && !(isFd && CAN_FD_FRAME_LENGTHS.includes(dlc)))
    errors.push(`${what}: ${dlc} bytes`);
  if (text(message, 'DefaultHex').length !== 2 * dlc) errors.push(`${what}: DefaultHex is not ${dlc} bytes`);
  return errors;
}

function signalErrors(signal: XmlElement, message: XmlElement | undefined): string[] {
  const what = `CANSIGNAL ${signal.attributes.UID}`;
  const startBit = number(signal, 'StartBit');
  const bitCount = number(signal, 'BitCount');
  const bigEndian = text(signal, 'Endian') === 'MOTOROLA';
  const type = text(signal, 'SignalType');
  const errors: string[] = [];
  if (text(signal, 'InputUID') !== text(signal, 'MessageUID'))
    errors.push(`${what}: comes from two messages`);
  if (lastByteOf({ startBit, bitCount, bigEndian }) >= number(message, 'DLC'))
    errors.push(`${what}: bits ${startBit}|${bitCount} are outside the message`);
  if (type.startsWith('FLOAT') && type !== `FLOAT${bitCount}`)
    errors.push(`${what}: ${type} in ${bitCount} bits`);
  return errors;
}
