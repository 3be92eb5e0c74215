import { expect, test } from 'vitest';
import { LAMPS } from '#shared/domain/fault-codes.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { decodeDm1 } from './dm1.ts';
import { decodeWithBothDecoders } from './test/oracle/compare.ts';
import { readDm1 } from './test/oracle/dm1.ts';
import { randomLog } from './test/oracle/random-log.ts';

const SEEDS = Array.from({ length: 50 }, (_, n) => n + 1);

test.each(SEEDS)(
  'random log %i gives the same readings, senders and counts as the oracle (42.60)',
  async (seed) => {
    const { ours, oracle } = await decodeWithBothDecoders(randomLog(seed));
    expect(ours).toEqual(oracle);
  },
);

test('2,000 random DM1 messages give the same lamps and codes as the oracle (42.66)', () => {
  const random = new Random(20_261_128);
  const special = [0x00, 0xff, 0x7f, 0x80, 0x01] as const;
  const byte = () => (random.chance(0.4) ? random.pick(special) : random.whole(0, 255));
  for (let n = 0; n < 2_000; n += 1) {
    const bytes = Array.from({ length: random.whole(0, 40) }, byte);
    const [ours, oracle] = [decodeDm1(Uint8Array.from(bytes), bytes.length), readDm1(bytes)];
    expect(ours === undefined).toBe(oracle === undefined);
    if (!ours || !oracle) continue;
    const on = LAMPS.filter((lamp) => oracle.lamps[lamp] === 'on');
    expect(ours.lamps.map(({ lamp }) => lamp)).toEqual(on);
    for (const { lamp, flash } of ours.lamps)
      expect(flash).toBe(['slow', 'fast'].find((one) => one === oracle.flashes[lamp]));
    // A repeated code counts once, with its highest count.
    const codes = new Map<string, number>();
    for (const { spn, fmi, isOldConversion, occurrences = -1 } of oracle.codes) {
      const key = `${spn} ${fmi} ${isOldConversion}`;
      codes.set(key, Math.max(codes.get(key) ?? -1, occurrences));
    }
    expect(
      new Map(
        ours.codes.map(({ spn, fmi, isOldLayout, occurrences = -1 }) => [
          `${spn} ${fmi} ${isOldLayout}`,
          occurrences,
        ]),
      ),
    ).toEqual(codes);
  }
});
