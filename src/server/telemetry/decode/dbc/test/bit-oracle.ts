import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';

/**
 * Reads a signal bit by bit, without any code of the decoder, for comparison with the fast decoder. Returns undefined when
 * the data is too short.
 */
export function rawByOracle(signal: DbcSignal, data: Uint8Array): bigint | undefined {
  const bits: number[] = [];
  for (let bit = signal.startBit; bits.length < signal.bitCount; bit = nextBit(bit, signal.bigEndian))
    bits.push(bit);
  if (signal.bigEndian) bits.reverse(); // puts the least significant bit first
  let raw = 0n;
  for (const [weight, bit] of bits.entries()) {
    const byte = data[Math.floor(bit / 8)];
    if (byte === undefined) return undefined;
    if ((byte >> (bit % 8)) % 2 === 1) raw += 2n ** BigInt(weight);
  }
  return raw;
}

/** Returns the physical value, raw x factor + offset, with factor and offset as whole numbers of 10^-decimals. */
export function valueByOracle(
  signal: DbcSignal,
  data: Uint8Array,
  scale: { factor: bigint; offset: bigint; decimals: number } = { factor: 1n, offset: 0n, decimals: 0 },
): number | undefined {
  const raw = rawByOracle(signal, data);
  if (raw === undefined) return undefined;
  if (signal.float !== 0) return floatOf(raw, signal.float);
  const whole = signal.signed ? BigInt.asIntN(signal.bitCount, raw) : raw;
  return Number(`${whole * scale.factor + scale.offset}e-${scale.decimals}`);
}

/** Returns the next bit as in docs/log-files.md: down through the byte, then at the top of the next one. */
const nextBit = (bit: number, bigEndian: boolean): number => {
  if (!bigEndian) return bit + 1;
  return bit % 8 === 0 ? bit + 15 : bit - 1;
};

function floatOf(raw: bigint, bits: 32 | 64): number {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, raw);
  return bits === 64 ? bytes.getFloat64(0) : bytes.getFloat32(4);
}
