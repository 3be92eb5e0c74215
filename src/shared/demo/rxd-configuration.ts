/**
 * Makes the configuration at the beginning of an .rxd file, the log of a ReXgen logger, for the demo's simulated loggers and
 * for tests. Written from the vendor's published reader (InfluxTechnology/ReXlibrary, RXD/BinRXD).
 */

/** Kinds of GNSS values, by the number that the format has for them. */
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
  /** ASCII, at most 32 characters: the file's name begins with it. */
  readonly name: string;
  /** Microseconds per tick. Default: 10. */
  readonly tickUs?: number;
  /** Numbers of the CAN buses: 0 for can0. Each records all its messages. */
  readonly buses: readonly number[];
  /** Default: no GNSS. */
  readonly gnss?: readonly RxdGnssKind[];
  /** Where the logger uploads to. */
  readonly s3?: {
    readonly endPoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  /** Further blocks, made by `rxdBlock`, with uids of their own from 1,000 on. */
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

/** Where the uids of the blocks begin; a bus has one per block. */
const UID = { s3: 1, gnssInterface: 2, canInterface: 100, canMessage: 200, canError: 300, gnssMessage: 400 };

export const rxdUidOfBus = (bus: number): number => UID.canMessage + bus;
export const rxdUidOfErrors = (bus: number): number => UID.canError + bus;
export const rxdUidOfGnss = (kind: RxdGnssKind): number => UID.gnssMessage + RXD_GNSS_KINDS[kind];

export const word16 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff];
export const word32 = (value: number): number[] => [...word16(value), ...word16(value >>> 16)];
const zeros = (count: number): number[] => new Array<number>(count).fill(0);
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
/** Returns a text with its length before it, as blocks have it. */
export const rxdText = (text: string): number[] => [text.length, ...ascii(text)];

/** Returns a block of a configuration, with its checksum. */
export function rxdBlock(type: number, version: number, uid: number, body: readonly number[]): number[] {
  const length = 8 + body.length + 1;
  const bytes = [...word16(type), ...word16(version), ...word16(length), ...word16(uid), ...body];
  return [...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 0xff];
}

/** Returns the bytes of the blocks. */
export function rxdConfiguration(settings: RxdSettings): number[] {
  const { name, tickUs = 10, buses, gnss = [], s3, blocks = [] } = settings;
  // A GUID, the number of interfaces, the name, ticks of 4 bytes, and what our loggers leave at 0.
  const config = [...zeros(16), ...word16(14), ...rxdText(name), 4, ...word32(tickUs), ...zeros(16)];
  return [
    ...rxdBlock(TYPE.config, 8, 0, config),
    ...(s3 ? rxdBlock(TYPE.s3, 3, UID.s3, s3Body(s3)) : []),
    ...buses.flatMap(busBlocks),
    ...(gnss.length > 0 ? rxdBlock(TYPE.gnssInterface, 1, UID.gnssInterface, [0, ...word16(1000)]) : []),
    ...gnss.flatMap((kind) => {
      const body = [...word16(UID.gnssInterface), RXD_GNSS_KINDS[kind]];
      return rxdBlock(TYPE.gnssMessage, 1, rxdUidOfGnss(kind), body);
    }),
    ...blocks.flat(),
  ];
}

/** Returns an interface, a message for every identifier on it, and its error reports. */
function busBlocks(bus: number): number[] {
  const face = UID.canInterface + bus;
  const identifiers = [...word32(0), ...word32(0xffff_ffff)];
  return [
    // CAN FD; then bit rates and what the speed follows from.
    ...rxdBlock(TYPE.canInterface, 2, face, [1, bus, ...word32(250_000), ...word32(2_000_000), ...zeros(9)]),
    // Comes in, has 8 bytes; then what is for messages that are sent.
    ...rxdBlock(TYPE.canMessage, 4, rxdUidOfBus(bus), [
      ...identifiers,
      0,
      8,
      0,
      ...word16(face),
      ...zeros(41),
    ]),
    ...rxdBlock(TYPE.canError, 1, rxdUidOfErrors(bus), word16(face)),
  ];
}

function s3Body({
  endPoint,
  bucket,
  region,
  accessKey,
  secretKey,
}: NonNullable<RxdSettings['s3']>): number[] {
  // S3-compatible; a plain connection at port 80; every hour; no certificate.
  return [
    ...[1, ...rxdText(endPoint), ...rxdText(bucket), ...rxdText(region), 0, ...word16(80)],
    ...[...rxdText(accessKey), ...rxdText(secretKey)],
    ...[...word32(3600), ...word32(86_400), ...word32(300), 0, 0, 1, 0, 0, 0, 1, 1],
  ];
}
