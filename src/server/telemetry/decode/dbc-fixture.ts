import type { DbcMessage } from './dbc.ts';
import { parseDbc } from './dbc-parse.ts';

/** For tests only: the one message of a DBC that holds just these signal lines. */
export function messageWith(signals: string, rest = '', dlc = 8): DbcMessage {
  return parseDbc(`VERSION ""\n\nBO_ 256 Probe: ${dlc} Vector__XXX\n${signals}\n\n${rest}`)
    .messages[0] as DbcMessage;
}

export const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
