import {
  ANY_SOURCE_ADDRESS,
  isDestinationSpecific,
  sourceAddressOf,
} from '#server/telemetry/decode/j1939/identifier.ts';
import { MAX_SOURCE_ADDRESS } from '#shared/domain/j1939.ts';
import type { ConfigRequest, LoggerNetwork } from './config-request.ts';
import {
  DEVICE_BLOCK_FORMATS,
  LIST_BLOCK_FORMATS,
  MAX_CLASSIC_FRAME_BYTES,
  ROOT_ELEMENT,
} from './config-template.ts';
import { type BlockValues, buildBlock, MAX_LOGGER_TEXT_BYTES } from './fields.ts';
import type { PlannedBus, PlannedMessage, PlannedSignal } from './signal-plan.ts';
import { leafElement, listElement, type XmlElement } from './xml.ts';

const FORMAT = { ...DEVICE_BLOCK_FORMATS, ...LIST_BLOCK_FORMATS };
type Format = typeof FORMAT;

/** Adds a block with the next number, counted from 1, and returns the number. */
type Add = <Kind extends keyof Format>(kind: Kind, values: BlockValues<Format[Kind]>) => number;

/** Builds config.xml: the blocks that this logger needs, in the order of config-template.ts. */
export function buildConfig(request: ConfigRequest, buses: readonly PlannedBus[]): XmlElement {
  const blocks: XmlElement[] = [];
  const add: Add = (kind, values) => {
    blocks.push(buildBlock(kind, FORMAT[kind], blocks.length + 1, values));
    return blocks.length;
  };
  addDevice(add, request);
  addBlocks(add, buses);

  const byKind = Map.groupBy(blocks, ({ name }) => name);
  const lists = Object.keys(LIST_BLOCK_FORMATS).map((kind) =>
    listElement(`${kind}_LIST`, byKind.get(kind) ?? []),
  );
  return {
    name: ROOT_ELEMENT.name,
    attributes: ROOT_ELEMENT.attributes,
    children: [
      leafElement('VERSION-TYPE', ROOT_ELEMENT.version),
      ...Object.keys(DEVICE_BLOCK_FORMATS).flatMap((kind) => byKind.get(kind) ?? []),
      // A list may be absent but not empty: a definition with kept messages only has no CANSIGNAL_LIST.
      listElement(
        'BLOCKS',
        lists.filter(({ children }) => children.length > 0),
      ),
    ],
    text: '',
  };
}

/**
 * Time server for Wi-Fi, where no network operator sends the time. The logger needs the right time, because a signature is valid
 * for minutes only.
 */
const TIME_SERVER = 'pool.ntp.org';

function addDevice(add: Add, { guid, serial, network, upload }: ConfigRequest): void {
  const { endpoint, bucket, accessKey, secret, rootCa } = upload;
  add('CONFIG', {
    GUID: guid,
    Name: configName(serial),
    NTPServer: network.kind === 'wifi' ? TIME_SERVER : '',
  });
  addNetwork(add, network);
  add('CONFIG_S3', {
    EndPoint: endpoint.host,
    Bucket: bucket,
    AccessKey: accessKey,
    SecretKey: secret,
    ConnectionType: endpoint.https ? 'SSL' : 'PLAIN',
    ConnectionPort: endpoint.port,
    RootCertificate: rootCa,
  });
}

/**
 * Returns the configuration's name: letters, digits and hyphens. Every log file's name begins with it
 * (`M0042_0001234_20251121_031500.rxd`), and the serial number and the time must be recognizable there.
 */
function configName(serial: string): string {
  const name = serial.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return name === '' ? 'logger' : name.slice(0, MAX_CONFIG_NAME_CHARACTERS);
}
/** The longest name in an example of the vendor has 24 characters; the limit is not documented. */
const MAX_CONFIG_NAME_CHARACTERS = 32;

function addNetwork(add: Add, network: LoggerNetwork): void {
  if (network.kind === 'wifi') {
    const { ssid, password } = network;
    add('CONFIG_WIFI', { SSID: ssid, SecurityType: password === '' ? 'Open' : 'WPA2', PSK: password });
  } else {
    const { apn, user, password, pin } = network;
    add('CONFIG_MOBILE', { APN: apn, User: user, Pass: password, PIN: pin, UsePIN: pin !== '' });
  }
}

/** Values of the logger's GNSS receiver, and the key of each in a snapshot. */
const POSITION = [
  { type: 'LATITUDE', name: 'LATITUDE' },
  { type: 'LONGITUDE', name: 'LONGITUDE' },
  { type: 'DATETIME', name: 'GMT_UNIX' },
] as const;

/** Number of items that every snapshot has in addition to the mapped signals. */
export const POSITION_ITEM_COUNT = POSITION.length;

/** An item of a snapshot: its key, and the block that it comes from. */
type SnapshotItem = { readonly name: string; readonly uid: number };

/**
 * Adds storage, buses with their messages and signals, position and snapshot, and records everything that is received. A signal that
 * is mapped to LATITUDE or LONGITUDE replaces that value of the logger's GNSS receiver in the snapshot.
 */
function addBlocks(add: Add, buses: readonly PlannedBus[]): void {
  const storage = add('SDINTERFACE', {});
  add('USBINTERFACE', {});
  const busUids = buses.map((bus) => addBus(add, bus));
  const receiver = add('GNSSINTERFACE', {});
  const positions = POSITION.map(({ type, name }) => ({
    name,
    uid: add('GNSSMESSAGE', { InterfaceUID: receiver, Type: type }),
  }));

  const recorded: number[] = [];
  const items: SnapshotItem[] = [];
  for (const [index, { messages, hasJ1939 }] of buses.entries()) {
    const bus = busUids[index] as number;
    for (const planned of messages) {
      const message = addMessage(add, bus, planned);
      // A record of a message from any source includes the frames of each named source, so these get no record of their own.
      const isRecorded =
        planned.source === undefined ||
        !messages.some((other) => other.message === planned.message && other.source === undefined);
      if (isRecorded) recorded.push(message);
      for (const signal of planned.signals)
        items.push({ name: signal.name, uid: addSignal(add, message, signal) });
    }
    if (hasJ1939) recorded.push(...addJ1939Groups(add, bus));
  }
  const mapped = new Set(items.map(({ name }) => name));
  addSnapshot(add, [...positions.filter(({ name }) => !mapped.has(name)), ...items]);
  for (const uid of [...recorded, ...positions.map(({ uid }) => uid)])
    add('SDMESSAGE', { InterfaceUID: storage, InputMessageUID: uid });
}

const addBus = (add: Add, { bus, bitrate, fdBitrate }: PlannedBus): number =>
  add('CANINTERFACE', {
    Type: fdBitrate === undefined ? 'CAN' : 'CAN_FD',
    PhysicalNumber: bus,
    CANBusSpeed: bitrate,
    CANFDBusSpeed: fdBitrate ?? 0,
  });

const addMessage = (add: Add, bus: number, { message, isFd, source }: PlannedMessage): number =>
  add('CANMESSAGE', {
    ...(message.isJ1939 ? j1939Identifiers(message.id, source) : singleIdentifier(message.id)),
    DLC: message.dlc,
    IsExtended: message.extended,
    InterfaceUID: bus,
    DefaultHex: '00'.repeat(message.dlc),
    CANFD_Option: isFd ? 'FD_FAST_CAN' : 'NORMAL_CAN',
    // Only people read the name: characters that the logger cannot hold become `_`.
    Name: message.name.replace(/[^\x20-\x7e]/gu, '_').slice(0, MAX_LOGGER_TEXT_BYTES),
  });

const singleIdentifier = (id: number) => ({
  MessageIdentStart: id,
  MessageIdentEnd: id,
  isJ1939: undefined,
  J1939Source: undefined,
  J1939Destination: undefined,
});

/**
 * Returns the range of identifiers of a J1939 message, with the priority in the DBC. The range accepts any destination address if the
 * message's parameter group has one. It accepts any source address if `named` is undefined and the DBC has source 254.
 */
function j1939Identifiers(id: number, named: number | undefined) {
  const source = named ?? sourceAddressOf(id);
  const isOfAny = source === ANY_SOURCE_ADDRESS;
  const hasDestination = isDestinationSpecific(id);
  const first = (id & ~(hasDestination ? 0xffff : 0xff)) >>> 0;
  return {
    MessageIdentStart: first + (isOfAny ? 0 : source),
    // The range of identifiers spans several destinations, so it includes every source for the destinations in between.
    MessageIdentEnd: first + (hasDestination ? 0xff00 : 0) + (isOfAny ? MAX_SOURCE_ADDRESS : source),
    isJ1939: true,
    J1939Source: source,
    J1939Destination: ANY_SOURCE_ADDRESS,
  };
}

/** J1939 messages that carry messages of several frames, at both priorities that ECUs use, and DM1, the active fault codes. */
const J1939_GROUPS = [
  { name: 'TP_CM', ids: [0x18ec_00fe, 0x1cec_00fe] },
  { name: 'TP_DT', ids: [0x18eb_00fe, 0x1ceb_00fe] },
  { name: 'DM1', ids: [0x18fe_cafe] },
] as const;

/** Adds the messages of J1939_GROUPS to a bus, in addition to the messages of the DBC. Returns the UIDs of their blocks. */
const addJ1939Groups = (add: Add, bus: number): number[] =>
  J1939_GROUPS.flatMap(({ name, ids }) =>
    ids.map((id) =>
      add('CANMESSAGE', {
        ...j1939Identifiers(id, undefined),
        DLC: MAX_CLASSIC_FRAME_BYTES,
        IsExtended: true,
        InterfaceUID: bus,
        DefaultHex: '00'.repeat(MAX_CLASSIC_FRAME_BYTES),
        CANFD_Option: 'NORMAL_CAN',
        Name: name,
      }),
    ),
  );

/** Number of blocks that J1939 adds to a bus: a message and its record, for each identifier in J1939_GROUPS. */
export const J1939_BLOCK_COUNT = 2 * J1939_GROUPS.reduce((sum, { ids }) => sum + ids.length, 0);

const addSignal = (add: Add, message: number, { name, signal, factor, offset }: PlannedSignal): number =>
  add('CANSIGNAL', {
    InputUID: message,
    MessageUID: message,
    StartBit: signal.startBit,
    BitCount: signal.bitCount,
    Endian: signal.bigEndian ? 'MOTOROLA' : 'INTEL',
    DefaultValue: 'NaN',
    ParA: factor,
    ParB: offset,
    SignalType: typeOf(signal),
    Name: name,
  });

function typeOf({ float, signed }: PlannedSignal['signal']): 'UNSIGNED' | 'SIGNED' | 'FLOAT32' | 'FLOAT64' {
  if (float !== 0) return float === 32 ? 'FLOAT32' : 'FLOAT64';
  return signed ? 'SIGNED' : 'UNSIGNED';
}

/** Seconds between two snapshots, which are the live data of a machine. */
const SNAPSHOT_SECONDS = 5;

function addSnapshot(add: Add, items: readonly SnapshotItem[]): void {
  const daq = add('DAQ', {});
  for (const { name, uid } of items) add('DAQITEM', { DAQID: daq, Name: name, InputUID: uid });
  add('DAQFILE', { Name: 'Snapshot', UploadRate: SNAPSHOT_SECONDS, InputUID: daq });
}
