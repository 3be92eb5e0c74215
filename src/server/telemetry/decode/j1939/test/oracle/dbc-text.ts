import type { OracleBus, OracleSignal } from './definition.ts';

const FORMATS = ['StandardCAN', 'ExtendedCAN', 'reserved', 'J1939PG'];

export function dbcText(bus: OracleBus): string {
  const lines: string[] = ['VERSION ""', 'BU_: X'];
  for (const message of bus.messages) {
    lines.push(`BO_ ${dbcId(message)} ${message.name}: ${message.bytes} X`);
    for (const signal of message.signals) lines.push(` ${signalText(signal)}`);
  }
  if (bus.isJ1939Network) lines.push('BA_DEF_ "ProtocolType" STRING;', 'BA_DEF_DEF_ "ProtocolType" "";');
  if (bus.defaultFormat !== undefined)
    lines.push(
      `BA_DEF_ BO_ "VFrameFormat" ENUM ${FORMATS.map((format) => `"${format}"`).join(',')};`,
      `BA_DEF_DEF_ "VFrameFormat" "${bus.defaultFormat}";`,
    );
  if (bus.isJ1939Network) lines.push('BA_ "ProtocolType" "J1939";');
  for (const message of bus.messages) {
    if (message.format !== undefined)
      lines.push(`BA_ "VFrameFormat" BO_ ${dbcId(message)} ${FORMATS.indexOf(message.format)};`);
    for (const { name, texts } of message.signals)
      if (texts !== undefined)
        lines.push(
          `VAL_ ${dbcId(message)} ${name} ${[...texts].map(([raw, text]) => `${raw} "${text}"`).join(' ')} ;`,
        );
  }
  return `${lines.join('\n')}\n`;
}

/** Bit 31 marks an identifier of 29 bits. */
export const dbcId = ({ id, extended }: { readonly id: number; readonly extended: boolean }): number =>
  extended ? 2 ** 31 + id : id;

function signalText(signal: OracleSignal): string {
  const { name, startBit, bitCount, bigEndian, signed, factor, offset, decimals, range } = signal;
  const number = (value: bigint): string => decimalText(value, decimals);
  const bits = `${startBit}|${bitCount}@${bigEndian ? 0 : 1}${signed ? '-' : '+'}`;
  const [min, max] = range ?? [0n, 0n];
  return `SG_ ${name} : ${bits} (${number(factor)},${number(offset)}) [${number(min)}|${number(max)}] "" X`;
}

/** Returns value x 10^-decimals without rounding: '-12.5'. */
function decimalText(value: bigint, decimals: number): string {
  if (decimals === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
