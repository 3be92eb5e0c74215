import { describe, expect, test } from 'vitest';
import type { OracleFrame } from './definition.ts';
import { DM1_GROUP, readDm1 } from './dm1.ts';
import { type GroupMessage, OracleTransport } from './transport.ts';

const bytes = (hex: string): number[] => [...Buffer.from(hex.replaceAll(' ', ''), 'hex')];
const read = (hex: string) => readDm1(bytes(hex));

describe('the oracle (42.66)', () => {
  test('the oracle reads the lamps and their flashing, two bits each', () => {
    const off = { malfunction: 'off', stop: 'off', warning: 'off', protect: 'off' };
    expect(read('00 FF 00 00 00 00 FF FF')).toEqual({
      lamps: off,
      flashes: {
        malfunction: 'not available',
        stop: 'not available',
        warning: 'not available',
        protect: 'not available',
      },
      codes: [],
    });
    expect(read('40 3F 00 00 00 00 FF FF')?.lamps).toEqual({ ...off, malfunction: 'on' });
    expect(read('10 CF 00 00 00 00 FF FF')?.lamps).toEqual({ ...off, stop: 'on' });
    expect(read('04 F3 00 00 00 00 FF FF')).toMatchObject({
      lamps: { ...off, warning: 'on' },
      flashes: { warning: 'slow' },
    });
    expect(read('01 FD 00 00 00 00 FF FF')).toMatchObject({
      lamps: { ...off, protect: 'on' },
      flashes: { protect: 'fast' },
    });
    expect(read('E4 FF 00 00 00 00 FF FF')?.lamps).toEqual({
      malfunction: 'not available',
      stop: 'error',
      warning: 'on',
      protect: 'off',
    });
  });

  test.each<[string, number, number, number | undefined, boolean]>([
    // The example of J1939-73: SPN 1208, FMI 3, 10 times.
    ['B8 04 03 0A', 1208, 3, 10, false],
    // All 19 bits of the SPN, and the smallest and largest value of each field.
    ['FE FF FF 00', 0x7fffe, 31, 0, false],
    ['00 00 E0 01', 0x70000, 0, 1, false],
    ['01 00 1F 7E', 1, 31, 126, false],
    ['01 00 00 7F', 1, 0, undefined, false],
    ['B8 04 03 8A', 1208, 3, 10, true],
  ])('the oracle reads %s as SPN %i, FMI %i', (hex, spn, fmi, occurrences, isOldConversion) => {
    const count = occurrences === undefined ? {} : { occurrences };
    expect(read(`04 FF ${hex} FF FF`)?.codes).toEqual([{ spn, fmi, isOldConversion, ...count }]);
  });

  test.each(['00 00 00 00', 'FF FF FF FF', 'FF FF FF 00', '00 00 1F 7F'])(
    'the oracle reads no code from %s',
    (hex) => {
      expect(read(`00 FF ${hex} FF FF`)?.codes).toEqual([]);
    },
  );

  test('the oracle reads no DM1 from less than one code, and ignores a partial code', () => {
    expect(read('04 FF B8 04 03')).toBeUndefined();
    expect(read('04 FF B8 04 03 0A 01 02 03')?.codes).toHaveLength(1);
  });

  test('the oracle reads 200 codes in several frames', () => {
    const codes = Array.from({ length: 200 }, (_, n) => [n + 1, 0, n % 32, 1]);
    const data = [0x10, 0xff, ...codes.flat()];
    const count = Math.ceil(data.length / 7);
    const transport = new OracleTransport();
    let whole: GroupMessage | undefined;
    const send = (time: number, id: number, sent: readonly number[]): void => {
      const frame: OracleFrame = { time, bus: 0, id, extended: true, data: sent };
      whole = transport.take(frame)?.message;
    };
    send(0, 0x1cecff17, [32, data.length % 256, Math.floor(data.length / 256), count, 0xff, 0xca, 0xfe, 0]);
    for (let n = 0; n < count; n++) {
      const packet = data.slice(7 * n, 7 * n + 7);
      send(50 * (n + 1), 0x1cebff17, [n + 1, ...packet, ...Array<number>(7 - packet.length).fill(0xff)]);
    }
    expect(whole?.group).toBe(DM1_GROUP);
    const dm1 = readDm1(whole?.data ?? []);
    expect(dm1?.codes.map(({ spn, fmi }) => [spn, fmi])).toEqual(codes.map(([low, , fmi]) => [low, fmi]));
  });
});
