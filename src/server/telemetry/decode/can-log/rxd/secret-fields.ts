import { u16 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { BLOCK, LAST_BLOCK_TYPE } from './block-types.ts';
import { bodyOf, checksumOf } from './configuration-blocks.ts';

/** A number of bytes without a secret, or a text with a length prefix of 1 or 2 bytes. */
type Field = number | { readonly lengthBytes: 1 | 2; readonly isSecret: boolean };

const TEXT: Field = { lengthBytes: 1, isSecret: false };
const LONG_TEXT: Field = { lengthBytes: 2, isSecret: false };
const SECRET: Field = { lengthBytes: 1, isSecret: true };
const LONG_SECRET: Field = { lengthBytes: 2, isSecret: true };

/**
 * Fields of the blocks that hold secrets, in their newest version; an older version ends earlier (BinConfigS3.cs,
 * BinConfigMobile.cs, BinConfigWiFi.cs, BinConfigFTP.cs). User names are secrets too. Certificates are public.
 */
const LAYOUTS: ReadonlyMap<number, readonly Field[]> = new Map([
  // Type, end point, bucket, region, connection, access key, secret key, times and switches, root certificate, switches.
  [BLOCK.s3, [1, TEXT, TEXT, TEXT, 3, SECRET, SECRET, 15, LONG_TEXT, 3]],
  // Switch, APN, user, password, PIN, source of the time, timeout.
  [BLOCK.mobile, [1, TEXT, SECRET, SECRET, SECRET, 5]],
  // Name, switch, SSID, security, pre-shared key, addresses, source of the time, timeout, kind of storage.
  [BLOCK.wifi, [TEXT, 1, TEXT, 1, SECRET, 22]],
  // Kind of address, address, server, mode, type and port, user, password, times and switches, name, switch.
  [BLOCK.ftp, [1, TEXT, TEXT, 4, SECRET, SECRET, 15, TEXT, 1]],
]);

const CONFIG_MODES_BYTES = 9;
/** Fields of the Config block before its wake-up sources (BinConfig.cs): identity, name, ticks, modes and timeouts. */
const CONFIG_BEGINS: readonly Field[] = [18, TEXT, 5, CONFIG_MODES_BYTES];
/** Fields of the Config block after its wake-up sources: kind of encryption, encryption key, switches, time server. */
const CONFIG_ENDS: readonly Field[] = [1, LONG_SECRET, 2, TEXT];

/**
 * Overwrites the secrets of a block with zeros and recomputes its checksum. Also blanks what may hold an unknown
 * secret: the body of a block whose type is not in the vendor's list, fields that a newer version appended to a block
 * with secrets, and the body of a block with secrets in which a field is longer than the block.
 */
export function blankBlock(block: Uint8Array): void {
  const type = u16(block, 0);
  const body = bodyOf(block);
  const end = block.length - 1;
  const layout = type === BLOCK.config ? configLayout(block, body, end) : LAYOUTS.get(type);
  if (type === 0 || type > LAST_BLOCK_TYPE) block.fill(0, body, end);
  else if (layout === undefined) return;
  else if (!blankFields(block, body, end, layout)) block.fill(0, body, end);
  block[end] = checksumOf(block);
}

/** Returns false when a field is longer than the block. A block may end before any field. */
function blankFields(block: Uint8Array, body: number, end: number, layout: readonly Field[]): boolean {
  let at = body;
  for (const field of layout) {
    if (at === end) return true;
    const isNumber = typeof field === 'number';
    const start = isNumber ? at : at + field.lengthBytes;
    if (start > end) return false;
    const length = isNumber ? field : field.lengthBytes === 1 ? (block[at] as number) : u16(block, at);
    at = start + length;
    // An older version of the block lacks the last switches.
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
