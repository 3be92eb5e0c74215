import { describe, expect, test } from 'vitest';
import { encryptedLogError } from '#server/telemetry/decode/encrypted-log.ts';
import { littleEndianBytes32, rxdBlock } from '#shared/demo/rxd-configuration.ts';
import { RxdClockPrescan } from './rxd-clock-prescan.ts';
import { readRxd } from './test/read-rxd.ts';
import { logErrorOf } from './test/small-file.ts';

describe('a file that is no .rxd (43.1)', () => {
  const head = (length: number): number[] => littleEndianBytes32(length);
  test.each([
    ['an empty one', [], 'no rxd'],
    ['a candump log', [...Buffer.from('(1436509052.249713) can0 123#DEADBEEF\n')], 'no rxd'],
    ['an MF4', [...Buffer.from('MDF     4.11    '), ...new Array(600).fill(0)], 'no rxd'],
    ['zeros', new Array(2048).fill(0), 'no rxd'],
    [
      'a configuration that begins with another block',
      [...head(30), ...rxdBlock(2, 1, 1, new Array(21).fill(0))],
      'no rxd',
    ],
    [
      'a Config of a wrong checksum',
      [...head(30), ...rxdBlock(1, 8, 0, new Array(21).fill(0)).with(20, 9)],
      'no rxd',
    ],
    [
      'a Config without ticks',
      [...head(30), ...rxdBlock(1, 8, 0, new Array(21).fill(0)), ...new Array(600).fill(0)],
      'no rxd',
    ],
    [
      'a configuration of 4 GB',
      [...head(0xffff_ffff), ...rxdBlock(1, 8, 0, new Array(21).fill(0))],
      'truncated',
    ],
  ])('a file that is no .rxd is rejected: %s', (_, bytes, kind) => {
    for (const pieceBytes of [1, 4096]) {
      expect(logErrorOf(() => readRxd(Uint8Array.from(bytes), { pieceBytes }))).toBe(kind);
      const survey = new RxdClockPrescan();
      expect(
        logErrorOf(() => {
          survey.push(Uint8Array.from(bytes));
          survey.end(false);
        }),
      ).toBe(kind);
    }
  });

  test('an .rxe file, compressed or not, is rejected because its logger encrypted it', () => {
    for (const name of ['a/BM_0001234_20261127_080000.rxe', 'X.RXE', 'x.rxe.gz']) {
      expect(encryptedLogError(name)?.message).toMatch(/^Dit \.rxe-bestand .*kan niet gelezen worden.*\.$/);
      expect(encryptedLogError(name)).toMatchObject({
        kind: 'encrypted',
        english: expect.stringMatching(/cannot be read/),
      });
    }
    for (const name of ['a.rxd', 'a.rxe.txt', 'rxe', 'a.rxd.gz'])
      expect(encryptedLogError(name)).toBeUndefined();
  });
});
