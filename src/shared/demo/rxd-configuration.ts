/**
 * Makes the configuration at the beginning of an .rxd file, the log of a ReXgen logger, for the demo's simulated loggers and
 * for tests. Written from the vendor's published reader (InfluxTechnology/ReXlibrary, RXD/BinRXD).
 */

/** Numbers of the GNSS values in the format. */
export const RXD_GNSS_KINDS = {
  LATITUDE: 0,
  LONGITUDE: 1,
  ALTITUDE: 2,
  DATETIME: 3,
  SPEED_OVER_GROUND: 4,
  COURSE_OVER_GROUND: 6,
  NUMBER_SATELLITES: 8,
  QUALITY: 9,
  HORIZONTAL_ACCURACY: 10,
  GNSS_TIMESTAMP: 29,
} as const;
export type RxdGnssKind = keyof typeof RXD_GNSS_KINDS;

export type RxdSettings = {
  /** The prefix of the file's name: ASCII, at most 32 characters. */
  readonly name: string;
  /** Microseconds per tick. Default: 10. */
  readonly tickUs?: number;
  /** Numbers of the CAN buses (0 for can0). The logger records all frames of each. */
  readonly buses: readonly number[];
  /** Default: no GNSS. */
  readonly gnss?: readonly RxdGnssKind[];
  /** The store that the logger uploads to. */
  readonly s3?: {
    readonly endPoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  /** More blocks, made by `rxdBlock`, with uids from 1,000 on. */
  readonly blocks?: readonly (readonly number[])[];
};

const TYPE = {
  config: 1,
  canInterface: 2,
  canMessage: 3,
  canError: 15,
  gnssInterface: 26,
  gnssMessage: 27,
  s3: 34,
};

/** First uid of each type of block. */
const UID = { s3: 1, gnssInterface: 2, canInterface: 100, canMessage: 200, canError: 300, gnssMessage: 400 };

export const rxdUidOfBus = (bus: number): number => UID.canMessage + bus;
export const rxdUidOfErrors = (bus: number): number => UID.canError + bus;
export const rxdUidOfGnss = (kind: RxdGnssKind): number => UID.gnssMessage + RXD_GNSS_KINDS[kind];

export const littleEndianBytes16 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff];
export const littleEndianBytes32 = (value: number): number[] => [
  ...littleEndianBytes16(value),
  ...littleEndianBytes16(value >>> 16),
];
const zeros = (count: number): number[] => new Array<number>(count).fill(0);
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
/** Returns a text with a length prefix of one byte. */
export const rxdText = (text: string): number[] => [text.length, ...ascii(text)];

/** Returns a block of a configuration, with its checksum. */
export function rxdBlock(type: number, version: number, uid: number, body: readonly number[]): number[] {
  const length = 8 + body.length + 1;
  const bytes = [
    ...littleEndianBytes16(type),
    ...littleEndianBytes16(version),
    ...littleEndianBytes16(length),
    ...littleEndianBytes16(uid),
    ...body,
  ];
  return [...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 0xff];
}

/** Returns the bytes of all blocks. */
export function rxdConfiguration(settings: RxdSettings): number[] {
  const { name, tickUs = 10, buses, gnss = [], s3, blocks = [] } = settings;
  // GUID, number of interfaces, name, size of a timestamp in bytes, duration of a tick, and fields that are 0 in our loggers.
  const config = [
    ...zeros(16),
    ...littleEndianBytes16(14),
    ...rxdText(name),
    4,
    ...littleEndianBytes32(tickUs),
    ...zeros(16),
  ];
  return [
    ...rxdBlock(TYPE.config, 8, 0, config),
    ...(s3 ? rxdBlock(TYPE.s3, 3, UID.s3, s3Body(s3)) : []),
    ...buses.flatMap(busBlocks),
    ...(gnss.length > 0
      ? rxdBlock(TYPE.gnssInterface, 1, UID.gnssInterface, [0, ...littleEndianBytes16(1000)])
      : []),
    ...gnss.flatMap((kind) => {
      const body = [...littleEndianBytes16(UID.gnssInterface), RXD_GNSS_KINDS[kind]];
      return rxdBlock(TYPE.gnssMessage, 1, rxdUidOfGnss(kind), body);
    }),
    ...blocks.flat(),
  ];
}

/** Returns the blocks of a bus: its interface, a message for all identifiers, and its error reports. */
function busBlocks(bus: number): number[] {
  const face = UID.canInterface + bus;
  const identifiers = [...littleEndianBytes32(0), ...littleEndianBytes32(0xffff_ffff)];
  return [
    // The type is CAN FD. Bit rates and bit timing follow.
    ...rxdBlock(TYPE.canInterface, 2, face, [
      1,
      bus,
      ...littleEndianBytes32(250_000),
      ...littleEndianBytes32(2_000_000),
      ...zeros(9),
    ]),
    // The message is an input of 8 bytes. The fields after its interface concern messages that the logger sends.
    ...rxdBlock(TYPE.canMessage, 4, rxdUidOfBus(bus), [
      ...identifiers,
      0,
      8,
      0,
      ...littleEndianBytes16(face),
      ...zeros(41),
    ]),
    ...rxdBlock(TYPE.canError, 1, rxdUidOfErrors(bus), littleEndianBytes16(face)),
  ];
}

function s3Body({
  endPoint,
  bucket,
  region,
  accessKey,
  secretKey,
}: NonNullable<RxdSettings['s3']>): number[] {
  // An S3-compatible store over plain HTTP (port 80), without a certificate. As in server/logger-config/config-template.ts, the logger
  // checks every 3,600 s for a new configuration and every 86,400 s for new firmware, and sends its status every 300 s.
  return [
    ...[1, ...rxdText(endPoint), ...rxdText(bucket), ...rxdText(region), 0, ...littleEndianBytes16(80)],
    ...[...rxdText(accessKey), ...rxdText(secretKey)],
    ...[
      ...littleEndianBytes32(3600),
      ...littleEndianBytes32(86_400),
      ...littleEndianBytes32(300),
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      1,
    ],
  ];
}
