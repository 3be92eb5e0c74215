import type { DbcMessage } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';

/** Returns the message of a DBC with only these signal lines. */
export function parseMessageWithSignals(signals: string, rest = '', dlc = 8): DbcMessage {
  return parseDbc(`VERSION ""\n\nBO_ 256 Probe: ${dlc} Vector__XXX\n${signals}\n\n${rest}`)
    .messages[0] as DbcMessage;
}

export const bytesFromHex = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** Returns the values of one frame by name. */
export function decodeFrame(decoder: FrameDecoder, data: Uint8Array): Map<string, number> {
  const out = new Float64Array(decoder.names.length);
  decoder.decode(data, data.length, out);
  const values = new Map<string, number>();
  decoder.names.forEach((name, place) => {
    const value = out[place] as number;
    if (!Number.isNaN(value)) values.set(name, value);
  });
  return values;
}
