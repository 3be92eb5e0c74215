import { recorderFromFileName } from './decode/log-file-name.ts';

/** Prefix of the object keys of log files that a person uploaded; a logger's own keys begin with its folder. */
export const MANUAL_PREFIX = 'handmatig/';

/**
 * Returns the object key of an uploaded file.
 * @param recorder the logger that recorded it, when only the content identifies it
 */
export const manualUploadKey = (name: string, recorder?: string): string =>
  MANUAL_PREFIX + (recorder === undefined ? '' : `${recorder}/`) + name;

/**
 * Returns the serial of the logger that recorded a file which a person uploaded; undefined when it is unknown, or when
 * a logger delivered the file.
 * @param key the object's key
 */
export function recorderOf(key: string): string | undefined {
  if (!key.startsWith(MANUAL_PREFIX)) return undefined;
  const [recorder, name] = key.slice(MANUAL_PREFIX.length).split('/');
  return name === undefined ? recorderFromFileName(key) : recorder;
}
