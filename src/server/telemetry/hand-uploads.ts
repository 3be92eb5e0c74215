import { recorderFromFileName } from './decode/log-file-name.ts';

/** Object keys of log files that a person uploaded begin so; a logger's own keys begin with its folder. */
export const BY_HAND = 'handmatig/';

/** Returns the object key of an uploaded file. @param recorder the logger that recorded it, where only the content says which */
export const keyByHand = (name: string, recorder?: string): string =>
  BY_HAND + (recorder === undefined ? '' : `${recorder}/`) + name;

/**
 * Returns the serial of the logger that recorded a file which a person uploaded; undefined: the file does not say, or a
 * logger delivered it.
 * @param key of the object
 */
export function recorderOf(key: string): string | undefined {
  if (!key.startsWith(BY_HAND)) return undefined;
  const [recorder, name] = key.slice(BY_HAND.length).split('/');
  return name === undefined ? recorderFromFileName(key) : recorder;
}
