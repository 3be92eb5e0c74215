/**
 * Texts as the logger holds them: its desktop tool compiles every text to ASCII with a length of one byte
 * (docs/logger-config.md), so that any other character would silently become a question mark.
 */
export const LONGEST_TEXT = 255;

const ASCII = /^[\x20-\x7e]*$/;

/** Whether the logger keeps this text as it is. */
export const isLoggerText = (text: string): boolean => ASCII.test(text) && text.length <= LONGEST_TEXT;

/** A name that only people read: what the logger cannot hold becomes `_`. */
export const loggerName = (name: string): string =>
  name.replace(/[^\x20-\x7e]/gu, '_').slice(0, LONGEST_TEXT);

/**
 * The configuration's name, which begins every log file's name (`M0042_0001234_20251121_031500.rxd`): letters,
 * digits and hyphens, so that the serial and the time in it can be found.
 */
export function configName(serial: string): string {
  const name = serial.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return name === '' ? 'logger' : name.slice(0, LONGEST_CONFIG_NAME);
}
/** The longest in an example of the vendor has 24 characters; the limit is not documented. */
const LONGEST_CONFIG_NAME = 32;

/** A PEM with the line ends that everybody reads, and nothing around it. */
export const certificateText = (pem: string): string => pem.replaceAll('\r\n', '\n').trim();
