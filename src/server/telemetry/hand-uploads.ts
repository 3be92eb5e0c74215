/** Object keys of log files that a person uploaded begin so; a logger's own keys begin with its folder. */
export const BY_HAND = 'handmatig/';

/**
 * Returns the serial of the logger that recorded a file which a person uploaded, by its name
 * (`{name}_{serial}_{yyyyMMdd}_{HHmmss}.rxd`); undefined: the name has none, or a logger delivered the file.
 * @param key of the object
 */
export const recorderOf = (key: string): string | undefined =>
  key.startsWith(BY_HAND) ? /_(\d{7})_\d{8}_\d{6}(?!\d)/.exec(key)?.[1] : undefined;
