/** A 64-bit remainder as two unsigned halves: BigInt would cost a hundred times as much per byte. */
export type Crc64 = { readonly high: number; readonly low: number };

/**
 * CRC-64/NVME (NVM Express, NVM Command Set 5.2.1.3.4): reflected polynomial 0x9A6C9329AC4BC9B5, all ones in
 * and out; check value 0xAE8B14860A799888.
 */
const POLYNOMIAL_HIGH = 0x9a6c9329;
const POLYNOMIAL_LOW = 0xac4bc9b5;

const HIGH = new Int32Array(256);
const LOW = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const odd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (odd) {
      low ^= POLYNOMIAL_LOW;
      high ^= POLYNOMIAL_HIGH;
    }
  }
  HIGH[byte] = high;
  LOW[byte] = low;
}

/** @param previous the result over the bytes before */
export function crc64nvme(bytes: Uint8Array, previous: Crc64 = { high: 0, low: 0 }): Crc64 {
  let high = ~previous.high;
  let low = ~previous.low;
  for (let i = 0; i < bytes.length; i++) {
    const index = (low ^ bytes[i]!) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ LOW[index]!;
    high = (high >>> 8) ^ HIGH[index]!;
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}
