import { canIdText, type Dbc, type DbcMessage, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { BusDefinition } from '#shared/contract/definition.ts';
import { ANY_SOURCE_ADDRESS, sourceAddressOf } from './identifier.ts';

/** The attributes that declare messages as J1939. A default (BA_DEF_DEF_) applies where the file sets no value. */
const PROTOCOL = /^[ \t]*BA_[ \t]+"ProtocolType"[ \t]+"([^"]*)"[ \t]*;/m;
const DEFAULT_PROTOCOL = /^[ \t]*BA_DEF_DEF_[ \t]+"ProtocolType"[ \t]+"([^"]*)"[ \t]*;/m;
const FORMATS = /^[ \t]*BA_DEF_[ \t]+BO_[ \t]+"VFrameFormat"[ \t]+ENUM[ \t]+([^;]*);/m;
const DEFAULT_FORMAT = /^[ \t]*BA_DEF_DEF_[ \t]+"VFrameFormat"[ \t]+"([^"]*)"[ \t]*;/m;
const FORMAT = /^[ \t]*BA_[ \t]+"VFrameFormat"[ \t]+BO_[ \t]+(\d+)[ \t]+(?:(\d+)|"([^"]*)")[ \t]*;/gm;
/** Vector's own order of frame formats, for a file that uses VFrameFormat without defining its values. */
const USUAL_FORMATS = ['StandardCAN', 'ExtendedCAN', 'reserved', 'J1939PG'];
const IS_J1939 = 'J1939PG';

/**
 * Returns the `messageKey` of every 29-bit message that a DBC file declares as J1939: by the message's VFrameFormat, or if it has
 * none, by the file's ProtocolType or its default VFrameFormat.
 * @param text the text from which `dbc` was parsed
 */
export function j1939MessagesMarkedByFile(text: string, dbc: Dbc): ReadonlySet<number> {
  const extended = dbc.messages.filter((message) => message.extended);
  const protocol = (PROTOCOL.exec(text) ?? DEFAULT_PROTOCOL.exec(text))?.[1];
  const formats = formatsOf(text);
  const usual = DEFAULT_FORMAT.exec(text)?.[1];
  const isWhole = protocol?.toUpperCase() === 'J1939';
  return new Set(
    extended
      .filter((message) => {
        const format = formats.get(messageKey(message));
        return format === undefined ? isWhole || usual === IS_J1939 : format === IS_J1939;
      })
      .map(messageKey),
  );
}

/**
 * Parses the DBC file of a bus and marks the messages that were chosen as J1939.
 * @throws DbcError with the name of the file
 */
export function parseBusDbc({ name, dbc: text, j1939 = 'none', j1939Messages = [] }: BusDefinition): Dbc {
  const dbc = parseDbc(text, name);
  if (j1939 === 'none') return dbc;
  const byFile = j1939 === 'dbc' ? j1939MessagesMarkedByFile(text, dbc) : undefined;
  const chosen = new Set(j1939Messages);
  const isJ1939 = (message: DbcMessage): boolean => {
    if (!message.extended || j1939 === 'all') return message.extended;
    return byFile?.has(messageKey(message)) ?? chosen.has(canIdText(message));
  };
  const messages = dbc.messages.map((message) =>
    isJ1939(message) ? { ...message, isJ1939: true } : message,
  );
  return { ...dbc, messages };
}

/** Returns whether any source may send the message. */
export const isSentByAnySource = ({ id, isJ1939 }: DbcMessage): boolean =>
  isJ1939 === true && sourceAddressOf(id) === ANY_SOURCE_ADDRESS;

/** Returns the frame format of messages by the number that the DBC uses, which includes bit 31 for 29 bits. */
function formatsOf(text: string): ReadonlyMap<number, string> {
  const defined = [...(FORMATS.exec(text)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const names = defined.length > 0 ? defined : USUAL_FORMATS;
  return new Map(
    [...text.matchAll(FORMAT)].map(([, id, index, name]) => [Number(id), name ?? names[Number(index)] ?? '']),
  );
}
