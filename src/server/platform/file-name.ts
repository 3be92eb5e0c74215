const MAX_CHARACTERS = 100;

/**
 * Returns a person's file name as a name that is safe on every system: no folders, no control or invisible characters, none of `<>:"/\|?*`,
 * no dots or spaces at the ends, at most 100 characters, and the extension that fits the content.
 * @param extension the extension without its dot
 * @param otherwise the name to use if no character of the given name can be kept
 */
export function safeFileName(given: string, extension: string, otherwise: string): string {
  const base = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) as string;
  const stem = base
    .replace(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(new RegExp(`\\.${extension}$`, 'i'), '')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+/, '');
  const short = withoutEnd([...stem].slice(0, MAX_CHARACTERS).join(''));
  // Windows reserves these names for devices.
  const usable = short === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? otherwise : short;
  return `${usable}.${extension}`;
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.' || text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/**
 * Returns the `Content-Disposition` of a file that the browser shows.
 * @param name a name that safeFileName() returned
 */
export const inlineDisposition = (name: string): string => disposition('inline', name);

/**
 * Returns the `Content-Disposition` of a file that the browser saves.
 * @param name a name that safeFileName() returned
 */
export const attachmentDisposition = (name: string): string => disposition('attachment', name);

/** Returns the header with a file name: in ASCII for old clients (RFC 6266), and also in UTF-8 (RFC 5987) when that differs. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name
    ? `${kind}; filename="${ascii}"`
    : `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
