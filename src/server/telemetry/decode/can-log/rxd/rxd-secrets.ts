import { readUint16, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { BLOCK_TYPE, LAST_BLOCK_TYPE } from './block-types.ts';
import { blockBodyOffset, ConfigurationBlocks, checksumOf } from './configuration-blocks.ts';
import { firstSectorAfter, SECTOR_BYTES } from './structure.ts';

/** A field: a number of bytes without a secret, or a text with a length prefix of 1 or 2 bytes. */
type Field = number | { readonly lengthBytes: 1 | 2; readonly isSecret: boolean };

const TEXT: Field = { lengthBytes: 1, isSecret: false };
const LONG_TEXT: Field = { lengthBytes: 2, isSecret: false };
const SECRET: Field = { lengthBytes: 1, isSecret: true };
const LONG_SECRET: Field = { lengthBytes: 2, isSecret: true };

/**
 * Fields of each type of block that holds secrets, as in its newest version; older versions lack the last fields (BinConfigS3.cs,
 * BinConfigMobile.cs, BinConfigWiFi.cs, BinConfigFTP.cs). User names are secrets too. Certificates are public.
 */
const LAYOUTS: ReadonlyMap<number, readonly Field[]> = new Map([
  // Type, end point, bucket, region, connection, access key, secret key, times and switches, root certificate, switches.
  [BLOCK_TYPE.s3, [1, TEXT, TEXT, TEXT, 3, SECRET, SECRET, 15, LONG_TEXT, 3]],
  // Switch, APN, user, password, PIN, source of the time, timeout.
  [BLOCK_TYPE.mobile, [1, TEXT, SECRET, SECRET, SECRET, 5]],
  // Name, switch, SSID, security, pre-shared key, addresses, source of the time, timeout, kind of storage.
  [BLOCK_TYPE.wifi, [TEXT, 1, TEXT, 1, SECRET, 22]],
  // Kind of address, address, server, mode, type and port, user, password, times and switches, name, switch.
  [BLOCK_TYPE.ftp, [1, TEXT, TEXT, 4, SECRET, SECRET, 15, TEXT, 1]],
]);

const CONFIG_MODES_BYTES = 9;
/** Fields of the Config block before its wake-up sources (BinConfig.cs): identity, name, ticks, modes and timeouts. */
const CONFIG_BEGINS: readonly Field[] = [18, TEXT, 5, CONFIG_MODES_BYTES];
/** Fields of the Config block after its wake-up sources: kind of encryption, encryption key, switches, time server. */
const CONFIG_ENDS: readonly Field[] = [1, LONG_SECRET, 2, TEXT];

/**
 * Overwrites the secrets of a block with zeros and recomputes its checksum. Also blanks parts that may contain an unknown secret:
 * the body of a block whose type is not in the vendor's list, fields that a newer version appended to a block with secrets, and the
 * body of a block with secrets in which a field is longer than the block.
 */
function blankBlock(block: Uint8Array): void {
  const type = readUint16(block, 0);
  const body = blockBodyOffset(block);
  const end = block.length - 1;
  const layout = type === BLOCK_TYPE.config ? configLayout(block, body, end) : LAYOUTS.get(type);
  if (type === 0 || type > LAST_BLOCK_TYPE) block.fill(0, body, end);
  else if (layout === undefined) return;
  else if (!blankFields(block, body, end, layout)) block.fill(0, body, end);
  block[end] = checksumOf(block);
}

/**
 * Blanks the secret fields of a block. Fields at the end of the layout may be missing.
 * @returns false when a field extends beyond the block
 */
function blankFields(block: Uint8Array, body: number, end: number, layout: readonly Field[]): boolean {
  let at = body;
  for (const field of layout) {
    if (at === end) return true;
    const isNumber = typeof field === 'number';
    const start = isNumber ? at : at + field.lengthBytes;
    if (start > end) return false;
    const length = isNumber ? field : field.lengthBytes === 1 ? (block[at] as number) : readUint16(block, at);
    at = start + length;
    // In an older version of the block the last switches are missing.
    if (isNumber) at = Math.min(at, end);
    if (at > end) return false;
    if (!isNumber && field.isSecret) block.fill(0, start, at);
  }
  block.fill(0, at, end);
  return true;
}

/** Returns the fields of a Config block: each wake-up source has a kind and, since version 6, a parameter of 4 bytes. */
function configLayout(block: Uint8Array, body: number, end: number): readonly Field[] {
  const sources = body + 18 + 1 + (block[body + 18] ?? 0) + 5 + CONFIG_MODES_BYTES;
  const count = sources < end ? (block[sources] as number) : 0;
  return [...CONFIG_BEGINS, 1 + count * 5, ...CONFIG_ENDS];
}

const LENGTH_BYTES = 4;

/**
 * Blanks the secrets in the configuration of an unpacked .rxd file, part by part: the keys of CONFIG_S3, users, passwords and PIN
 * of CONFIG_MOBILE, CONFIG_WIFI and CONFIG_FTP, and the encryption key of Config. The length and the sectors of the file stay the
 * same. Memory use does not grow with the file. In a damaged configuration the secrets could be anywhere. So everything from the
 * damaged block to the first sector is blanked, and also every later sector that does not consist of records, because the damage
 * may be in the length of the configuration. A file that is no .rxd is blanked completely.
 */
export class RxdSecretsBlanker {
  readonly #length = new Uint8Array(LENGTH_BYTES);
  #position = 0;
  #configurationEnd = LENGTH_BYTES;
  #firstSector = Number.POSITIVE_INFINITY;
  #blocks: ConfigurationBlocks | undefined;
  #isDamaged = false;
  #ready: Uint8Array[] = [];
  #handedOn = 0;
  /** The current sector of a file with a damaged configuration. */
  readonly #sector = new Uint8Array(SECTOR_BYTES);

  /** Reads the next bytes of the file. Returns the bytes that are ready: a view of the input itself if nothing changes. */
  push(piece: Uint8Array): Uint8Array {
    let at = 0;
    while (at < piece.length) {
      const end = Math.min(piece.length, at + this.#partEnd - this.#position);
      this.#take(piece, at, end);
      this.#position += end - at;
      if (this.#isDamaged && this.#position <= this.#firstSector) this.#blankRest();
      at = end;
    }
    return this.#flush();
  }

  /** Returns the last bytes. Blanks an incomplete block, and an incomplete sector of a file with a damaged configuration. */
  end(): Uint8Array {
    this.#blankRest();
    return this.#flush();
  }

  /** Offset at which the current part of the file ends. The parts: the length, the configuration, the zeros after it, the sectors. */
  get #partEnd(): number {
    if (this.#position < LENGTH_BYTES) return LENGTH_BYTES;
    if (this.#position < this.#configurationEnd) return this.#configurationEnd;
    if (this.#position < this.#firstSector) return this.#firstSector;
    return this.#isDamaged
      ? this.#position - (this.#position % SECTOR_BYTES) + SECTOR_BYTES
      : Number.POSITIVE_INFINITY;
  }

  #take(piece: Uint8Array, start: number, end: number): void {
    if (this.#position < LENGTH_BYTES) this.#takeLength(piece, start, end);
    else if (this.#position < this.#configurationEnd) this.#takeBlocks(piece, start, end);
    else if (this.#position < this.#firstSector) {
      // These bytes are zeros, unless the configuration is longer than its stated length.
      for (let at = start; at < end; at += 1) if (piece[at] !== 0) this.#isDamaged = true;
      this.#handOn(new Uint8Array(end - start));
    } else if (this.#isDamaged) this.#takeSector(piece, start, end);
    else this.#handOn(piece.subarray(start, end));
  }

  #takeLength(piece: Uint8Array, start: number, end: number): void {
    this.#length.set(piece.subarray(start, end), this.#position);
    this.#handOn(piece.subarray(start, end));
    if (this.#position + end - start < LENGTH_BYTES) return;
    const length = readUint32(this.#length, 0);
    this.#configurationEnd = LENGTH_BYTES + length;
    this.#firstSector = firstSectorAfter(this.#configurationEnd);
    this.#blocks = new ConfigurationBlocks((block) => {
      const blanked = block.slice();
      blankBlock(blanked);
      this.#handOn(blanked);
    });
  }

  #takeBlocks(piece: Uint8Array, start: number, end: number): void {
    const blocks = this.#blocks as ConfigurationBlocks;
    blocks.push(piece, start, end);
    const position = this.#position + end - start;
    const isEnd = position === this.#configurationEnd;
    // Bytes that are left over at the end are no block, so the configuration is damaged.
    if (blocks.isDamaged || (isEnd && this.#handedOn < position)) this.#isDamaged = true;
  }

  #takeSector(piece: Uint8Array, start: number, end: number): void {
    const filled = this.#position % SECTOR_BYTES;
    this.#sector.set(piece.subarray(start, end), filled);
    if (filled + end - start < SECTOR_BYTES) return;
    const sector = new Uint8Array(SECTOR_BYTES);
    sector.set(this.#sector.subarray(0, recordsEnd(this.#sector)));
    this.#handOn(sector);
  }

  #handOn(bytes: Uint8Array): void {
    this.#ready.push(bytes);
    this.#handedOn += bytes.length;
  }

  #blankRest(): void {
    if (this.#handedOn < this.#position) this.#handOn(new Uint8Array(this.#position - this.#handedOn));
  }

  #flush(): Uint8Array {
    const ready = this.#ready;
    this.#ready = [];
    return ready.length === 1 ? (ready[0] as Uint8Array) : joined(ready);
  }
}

/** Returns the offset at which the records of a sector end; 0 when it does not consist of records. */
function recordsEnd(sector: Uint8Array): number {
  const end = 2 + readUint16(sector, 0);
  let at = 2;
  while (at + 4 <= end && end <= SECTOR_BYTES && (sector[at + 2] as number) >= 4)
    at += 4 + (sector[at + 2] as number) + (sector[at + 3] as number);
  return at === end ? end : 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
