import {
  littleEndianBytes16,
  littleEndianBytes32,
  type RxdGnssKind,
  type RxdSettings,
  rxdConfiguration,
  rxdUidOfBus,
  rxdUidOfErrors,
  rxdUidOfGnss,
} from './rxd-configuration.ts';

/** A CAN frame. `tick`: time in ticks, which the file stores modulo 2^32; here it continues to count beyond 2^32. */
export type RxdFrame = {
  readonly tick: number;
  /** A bus of the configuration. */
  readonly bus: number;
  readonly id: number;
  /** The identifier has 29 bits. */
  readonly extended?: boolean;
  /** At most 8 bytes, or 64 for CAN FD. */
  readonly data: ArrayLike<number>;
  readonly isFd?: boolean;
  readonly isRemote?: boolean;
  /** The logger sent the frame itself. */
  readonly isSent?: boolean;
};

const SECTOR_BYTES = 512;
const FLAG = { extended: 1, remote: 2, fd: 4, sent: 16 };

/** Writes an .rxd file as a ReXgen logger does. Add records in chronological order, then call `toBytes`. */
export class RxdFile {
  readonly #configuration: readonly number[];
  readonly #sectors: Uint8Array[] = [];
  #filled = SECTOR_BYTES;

  constructor(settings: RxdSettings) {
    this.#configuration = rxdConfiguration(settings);
  }

  addFrame({ tick, bus, id, extended, data, isFd, isRemote, isSent }: RxdFrame): void {
    const flags =
      (extended ? FLAG.extended : 0) |
      (isRemote ? FLAG.remote : 0) |
      (isFd ? FLAG.fd : 0) |
      (isSent ? FLAG.sent : 0);
    this.addRecord(rxdUidOfBus(bus), tick, [...littleEndianBytes32(id), flags], data);
  }

  /** Adds an error report of a bus's CAN controller. */
  addError(tick: number, bus: number): void {
    this.addRecord(rxdUidOfErrors(bus), tick, [0, 1, 0, 1, 0], []);
  }

  /** Adds a GNSS value of a kind in the configuration: SPEED_OVER_GROUND in km/h, DATETIME in Unix seconds. */
  addGnss(tick: number, kind: RxdGnssKind, value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    const isDouble = kind === 'LATITUDE' || kind === 'LONGITUDE';
    if (isDouble) view.setFloat64(0, value, true);
    else if (kind === 'DATETIME' || kind === 'GNSS_TIMESTAMP') view.setUint32(0, value, true);
    else view.setFloat32(0, value, true);
    this.addRecord(rxdUidOfGnss(kind), tick, [], new Uint8Array(view.buffer, 0, isDouble ? 8 : 4));
  }

  /** Adds a record of any uid. @param info the bytes after the tick */
  addRecord(uid: number, tick: number, info: readonly number[], data: ArrayLike<number>): void {
    const head = [
      ...littleEndianBytes16(uid),
      4 + info.length,
      data.length,
      ...littleEndianBytes32(tick % 2 ** 32),
      ...info,
    ];
    if (this.#filled + head.length + data.length > SECTOR_BYTES) this.#beginSector();
    const sector = this.#sectors[this.#sectors.length - 1] as Uint8Array;
    sector.set(head, this.#filled);
    sector.set(data, this.#filled + head.length);
    this.#filled += head.length + data.length;
    sector.set(littleEndianBytes16(this.#filled - 2), 0);
  }

  /** Ends the present sector, so that the next record begins a new sector. */
  endSector(): void {
    this.#filled = SECTOR_BYTES;
  }

  #beginSector(): void {
    this.#sectors.push(new Uint8Array(SECTOR_BYTES));
    this.#filled = 2;
  }

  /** Returns the bytes of the file. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { length } = this.#configuration;
    const begin = Math.ceil((4 + length) / SECTOR_BYTES) * SECTOR_BYTES;
    const bytes = new Uint8Array(begin + this.#sectors.length * SECTOR_BYTES);
    bytes.set(littleEndianBytes32(length), 0);
    bytes.set(this.#configuration, 4);
    this.#sectors.forEach((sector, n) => {
      bytes.set(sector, begin + n * SECTOR_BYTES);
    });
    return bytes;
  }
}

/** Returns the name that a logger gives its file: `{name}_{serial}_{yyyyMMdd}_{HHmmss}.rxd`, in UTC. */
export function rxdFileName(name: string, loggerSerial: string, startMs: number): string {
  const [day = '', time = ''] = new Date(startMs).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `${name}_${loggerSerial}_${day}_${time}.rxd`;
}
