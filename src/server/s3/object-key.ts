import { kindOfLogger } from '#shared/domain/identifiers.ts';
import { S3Error } from './s3-error.ts';

/** Longest object key, in bytes of UTF-8 (Amazon S3 User Guide, "Naming Amazon S3 objects"). */
const MAX_KEY_BYTES = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters (C0, DEL, C1)
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Refuses keys that no logger uses and that could cause harm later. @throws S3Error KeyTooLongError, InvalidArgument */
export function checkKey(key: string): void {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
  if (CONTROL.test(key)) throw new S3Error('InvalidArgument', 'Object keys have no control characters.');
  for (const segment of key.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new S3Error('InvalidArgument', 'Object keys have no empty, "." or ".." segments.');
    }
  }
}

/**
 * Returns whether the first segment of the key is a folder of this logger: a ReXgen's `…_SN` and its serial number, or a CANedge's
 * device id. The folder's own name also counts, because rclone requests it before it lists the folder.
 */
export function isInOwnFolder(key: string, loggerSerial: string): boolean {
  const slash = key.indexOf('/');
  const folder = slash < 0 ? key : key.slice(0, slash);
  return kindOfLogger(loggerSerial) === 'canedge'
    ? folder === loggerSerial
    : /*rule:upload-exact-folder*/ folder.endsWith(
        `_SN${loggerSerial}`,
      ) /*=folder.includes(`_SN${loggerSerial}`)*/;
}

/** Refuses an object outside a folder. @throws S3Error AccessDenied */
export function requireFolderInKey(key: string): void {
  if (!key.includes('/')) throw new S3Error('AccessDenied', 'Objects are in a folder.');
}
