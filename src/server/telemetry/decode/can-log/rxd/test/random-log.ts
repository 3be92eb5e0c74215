import fc from 'fast-check';
import type { RxdGnssKind } from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';

/** A record of a random log; its tick is unwrapped. */
export type RandomLogRecord =
  | {
      readonly is: 'frame' | 'remote';
      readonly tick: number;
      readonly bus: number;
      readonly id: number;
      readonly extended: boolean;
      readonly isFd: boolean;
      readonly isSent: boolean;
      readonly data: Uint8Array;
    }
  | { readonly is: 'error'; readonly tick: number; readonly bus: number }
  | { readonly is: 'value'; readonly tick: number; readonly kind: RxdGnssKind; readonly value: number };

export const RANDOM_LOG_BUSES = [0, 3];
export const RANDOM_LOG_GNSS_KINDS: readonly RxdGnssKind[] = [
  'LATITUDE',
  'SPEED_OVER_GROUND',
  'QUALITY',
  'GNSS_TIMESTAMP',
];

/** Ticks between two records. Some steps go backwards: buses are interleaved. */
const step = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -300, max: -1 }) },
);
/** Ticks of the one long silence in a log: up to 10 h 50 min. */
const pause = fc.nat(3_900_000_000);
/** Any tick, or one shortly before the 32-bit counter wraps around. */
const firstTick = fc.oneof(
  fc.integer({ min: 100_000, max: 0xffff_ffff }),
  fc.integer({ min: 0xffe0_0000, max: 0xffff_ffff }),
);

const frame = fc
  .record({
    is: fc.constantFrom('frame' as const, 'remote' as const),
    bus: fc.constantFrom(...RANDOM_LOG_BUSES),
    id: fc.nat(0x1fff_ffff),
    extended: fc.boolean(),
    isFd: fc.boolean(),
    isSent: fc.boolean(),
    data: fc.uint8Array({ maxLength: 64, size: 'max' }),
  })
  .map((made) => ({
    ...made,
    id: made.extended ? made.id : made.id % 0x800,
    data: made.isFd ? made.data : made.data.subarray(0, 8),
  }));
const error = fc.record({ is: fc.constant('error' as const), bus: fc.constantFrom(...RANDOM_LOG_BUSES) });
const value = fc
  .record({
    is: fc.constant('value' as const),
    kind: fc.constantFrom(...RANDOM_LOG_GNSS_KINDS),
    value: fc.nat(4_000_000),
  })
  .map((made) => ({ ...made, value: made.kind === 'LATITUDE' ? made.value / 1e5 : made.value }));

/** Generates logs with records of two buses. */
export const randomLog: fc.Arbitrary<RandomLogRecord[]> = fc
  .tuple(
    firstTick,
    fc.array(fc.tuple(fc.oneof({ weight: 8, arbitrary: frame }, error, value), step), {
      minLength: 1,
      maxLength: 120,
      size: 'max',
    }),
    pause,
    fc.nat(119),
  )
  .map(([first, items, pauseTicks, pausedAt]) => {
    let tick = first;
    return items.map(([item, onwards], n) => {
      const made = { ...item, tick };
      tick += n === pausedAt ? pauseTicks : onwards;
      return made;
    });
  });

/** Returns the log as an .rxd file with ticks of 10 us. */
export function encodeRandomLog(items: readonly RandomLogRecord[]): Uint8Array {
  const file = new RxdFile({ name: 'RANDOM', buses: RANDOM_LOG_BUSES, gnss: RANDOM_LOG_GNSS_KINDS });
  for (const item of items) {
    if (item.is === 'value') file.addGnss(item.tick, item.kind, item.value);
    else if (item.is === 'error') file.addError(item.tick, item.bus);
    else file.addFrame({ ...item, isRemote: item.is === 'remote' });
  }
  return file.toBytes();
}
