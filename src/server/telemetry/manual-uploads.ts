import { serialFromFileName } from './decode/log-file-name.ts';

/** Prefix of the object keys of log files that a person uploaded; a key of a logger starts with the logger's folder. */
export const MANUAL_UPLOAD_PREFIX = 'handmatig/';

/**
 * Returns the object key of an uploaded file.
 * @param recorder the logger that recorded it, if only the content identifies the logger
 */
export const manualUploadKey = (name: string, recorder?: string): string =>
  MANUAL_UPLOAD_PREFIX + (recorder === undefined ? '' : `${recorder}/`) + name;

/**
 * Returns the serial number of the logger that recorded a file which a person uploaded; undefined if it is unknown, or if a logger
 * uploaded the file.
 * @param key the object's key
 */
export function serialOfUploadKey(key: string): string | undefined {
  if (!key.startsWith(MANUAL_UPLOAD_PREFIX)) return undefined;
  const [recorder, name] = key.slice(MANUAL_UPLOAD_PREFIX.length).split('/');
  return name === undefined ? serialFromFileName(key) : recorder;
}
