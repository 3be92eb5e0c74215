import type { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';

/** Number of a CANedge's internal channel, on which the CANedge sends values of its GNSS receiver and sensors. */
const INTERNAL_BUS = 9;
const KMH_PER_M_S = 3.6;

type Value = readonly [name: string, value: number];

/**
 * Decoders of the messages of a CANedge's GNSS receiver, by identifier (CSS Electronics, page "Internal signals"). Bit 0 says
 * whether the message is valid; little-endian numbers follow.
 */
const MESSAGES: ReadonlyMap<number, (low: number, high: number) => readonly Value[]> = new Map([
  [
    0x67,
    (low, high) => [
      ['LATITUDE', (((low >>> 1) & 0x0fff_ffff) - 90e6) / 1e6],
      ['LONGITUDE', ((low >>> 29) + (high & 0x03ff_ffff) * 8 - 180e6) / 1e6],
    ],
  ],
  [0x68, (low) => [['ALTITUDE', (((low >>> 1) & 0x3_ffff) - 60_000) / 10]]],
  [0x6b, (low) => [['Speed', (((low >>> 1) & 0xf_ffff) * KMH_PER_M_S) / 1000]]],
]);
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0x67, 8],
  [0x68, 4],
  [0x6b, 5],
]);

/**
 * Returns the values in a message of a CANedge's own GNSS receiver, under the names that an .rxd file uses; an empty list while the
 * receiver has no fix. Returns undefined for any other frame.
 */
export function decodeCanedgeGnss({
  bus,
  id,
  extended,
  length,
  data,
}: CanFrame): readonly Value[] | undefined {
  const values = bus === INTERNAL_BUS && !extended ? MESSAGES.get(id) : undefined;
  if (values === undefined || length < (LENGTHS.get(id) ?? 0)) return undefined;
  return (data[0] as number) % 2 === 1 ? values(readUint32(data, 0), readUint32(data, 4)) : [];
}
