import { lastByteOf } from '#server/telemetry/decode/dbc/dbc-bits.ts';
import { groupOf } from '#server/telemetry/decode/j1939/identifier.ts';
import { FD_LENGTHS, LONGEST_CLASSIC } from './config-template.ts';
import { childOf, type XmlElement } from './xml.ts';

const LONGEST_STANDARD_ID = 0x7ff;
const LONGEST_EXTENDED_ID = 0x1fff_ffff;

/** Checks what a schema cannot express: identifiers, lengths and bits that cannot be in a frame of that message. */
export function checkFrames(blocks: XmlElement | undefined): string[] {
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

/** Returns every value of a field that more than one of the blocks has. */
export function duplicates(blocks: readonly XmlElement[], field: string): string[] {
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
  const most = text(message, 'IsExtended') === 'true' ? LONGEST_EXTENDED_ID : LONGEST_STANDARD_ID;
  const isFd = text(message, 'CANFD_Option') !== 'NORMAL_CAN';
  const errors: string[] = [];
  if (start > end || end > most) errors.push(`${what}: identifiers ${start} to ${end}`);
  const isJ1939 = text(message, 'isJ1939') === 'true';
  if (isJ1939 ? most !== LONGEST_EXTENDED_ID || groupOf(start) !== groupOf(end) : start !== end)
    errors.push(`${what}: identifiers ${start} to ${end} are no message`);
  if (isFd && text(bus, 'Type') !== 'CAN_FD') errors.push(`${what}: CAN FD on a bus without it`);
  if (dlc > LONGEST_CLASSIC && !(isFd && FD_LENGTHS.includes(dlc))) errors.push(`${what}: ${dlc} bytes`);
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
