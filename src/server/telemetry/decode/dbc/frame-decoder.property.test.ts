import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DbcSignal } from './dbc.ts';
import { lastByteOf } from './dbc-bits.ts';
import { compileMessage } from './frame-decoder.ts';
import { rawByOracle, valueByOracle } from './test/bit-oracle.ts';
import { decodeFrame } from './test/probe.ts';

const FRAME_BYTES = 64;

type Probe = {
  signal: DbcSignal;
  data: Uint8Array;
  scale: { factor: bigint; offset: bigint; decimals: number };
};

/** Generates any layout that fits into a CAN FD frame, with factor and offset of up to four decimals. */
const probes = (bitCount: fc.Arbitrary<number>): fc.Arbitrary<Probe> =>
  fc
    .record({
      startBit: fc.nat(FRAME_BYTES * 8 - 1),
      bitCount,
      bigEndian: fc.boolean(),
      signed: fc.boolean(),
      decimals: fc.nat(4),
      factor: fc.integer({ min: -2000, max: 2000 }).filter((factor) => factor !== 0),
      offset: fc.integer({ min: -100_000, max: 100_000 }),
      data: fc.uint8Array({ maxLength: FRAME_BYTES, minLength: FRAME_BYTES - 60, size: 'max' }),
    })
    .map(({ decimals, factor, offset, data, ...layout }) => ({
      data,
      scale: { factor: BigInt(factor), offset: BigInt(offset), decimals },
      signal: {
        name: 'A',
        ...layout,
        float: 0 as const,
        factor: Number(`${factor}e-${decimals}`),
        offset: Number(`${offset}e-${decimals}`),
        min: 0,
        max: 0,
        unit: '',
      },
    }))
    .filter(({ signal }) => lastByteOf(signal) < FRAME_BYTES);

const decode = (signal: DbcSignal, data: Uint8Array): number | undefined =>
  decodeFrame(
    compileMessage({ id: 1, extended: false, name: 'P', dlc: FRAME_BYTES, signals: [signal] }),
    data,
  ).get('A');

test('a scaled signal of any layout of up to 32 bits decodes to exactly the value of the bit-by-bit oracle (INGEST-04)', () => {
  fc.assert(
    fc.property(probes(fc.integer({ min: 1, max: 32 })), ({ signal, data, scale }) => {
      expect(decode(signal, data)).toBe(valueByOracle(signal, data, scale));
    }),
    { numRuns: 3000 },
  );
});

test('an unscaled signal of any layout of 1 to 64 bits decodes to exactly the value of the oracle (INGEST-04)', () => {
  fc.assert(
    fc.property(probes(fc.integer({ min: 1, max: 64 })), ({ signal, data }) => {
      const unscaled = { ...signal, factor: 1, offset: 0 };
      expect(decode(unscaled, data)).toBe(valueByOracle(unscaled, data));
    }),
    { numRuns: 3000 },
  );
});

test('a float32 or float64 at any position decodes to the value of the oracle, and only finite numbers are kept (INGEST-04)', () => {
  fc.assert(
    fc.property(probes(fc.constantFrom(32, 64)), ({ signal, data }) => {
      const float = { ...signal, factor: 1, offset: 0, float: signal.bitCount as 32 | 64 };
      const expected = valueByOracle(float, data);
      const value = decode(float, data);
      if (expected !== undefined && Number.isFinite(expected)) expect(value).toBe(expected + 0);
      else expect(value).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});

test('a multiplexed signal is present exactly when the oracle reads its number in the switch (INGEST-04)', () => {
  const branch = probes(fc.integer({ min: 1, max: 16 }));
  const selector = probes(fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(
      branch,
      selector,
      fc.nat(15),
      fc.nat(5),
      ({ signal, data }, { signal: other }, from, width) => {
        const condition = { switch: 'S', ranges: [[from, from + width]] as const };
        const message = { id: 1, extended: false, name: 'P', dlc: FRAME_BYTES };
        const signals = [
          { ...signal, activeWhen: condition },
          { ...other, name: 'S' },
        ];
        const values = decodeFrame(compileMessage({ ...message, signals }), data);
        const raw = rawByOracle(other, data);
        const active = raw !== undefined && raw >= BigInt(from) && raw <= BigInt(from + width);
        expect(values.has('A')).toBe(active && lastByteOf(signal) < data.length);
      },
    ),
    { numRuns: 2000 },
  );
});
