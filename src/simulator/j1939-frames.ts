import { DRIVE_SOURCE, PACK_SOURCES } from '#shared/demo/kipstra-j1939.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';

/** A frame with a 29-bit identifier. */
type J1939Frame = { readonly bus: number; readonly id: number; readonly data: readonly number[] };

/** Returns the frames on the second bus of the demo's J1939 dumper at a moment. */
export function j1939Frames(timeMs: number, signals: Signals): J1939Frame[] {
  const {
    SOC1 = 0,
    SOC2 = 0,
    BatteryTemperature1 = 0,
    BatteryTemperature2 = 0,
    BatteryVoltage = 0,
  } = signals;
  const packs = [
    [SOC1, BatteryTemperature1],
    [SOC2, BatteryTemperature2],
  ] as const;
  const [, second] = PACK_SOURCES;
  return [
    ...packs.map(([charge, temperature], n) => {
      const data = [charge / 0.4, temperature + 40, ...word(BatteryVoltage / 0.05), ...NONE.slice(4)];
      return frame(0x18ff61, PACK_SOURCES[n] as number, data);
    }),
    frame(0x18feee, DRIVE_SOURCE, [driveTemperature(signals), ...NONE.slice(1)]),
    frame(0x18feca, second, isFaulty(timeMs) ? FAULTY : NOT_FAULTY),
  ];
}

/** Data of a sleeping ECU: FF means not available. */
const NONE = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/** Returns degrees Celsius + 40, as J1939 encodes them; the drive is warmer at a higher motor speed. */
const driveTemperature = ({ MotorSpeed = 0, OutsideTemperature = 0 }: Signals): number =>
  MotorSpeed === 0 ? 0xff : 40 + OutsideTemperature + 20 + MotorSpeed / 100;

/** DM1 (J1939-73): amber lamp, SPN 168 (battery potential), FMI 1 (too low, most severe), occurrence count 3. */
const FAULTY = [0x04, 0xff, 0xa8, 0x00, 0x01, 0x03, 0xff, 0xff];
const NOT_FAULTY = [0x00, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff];

/** Times in minutes after midnight, chosen so that a demo shows both ended faults and an active one. */
const FAULT = { BEGINS: 10 * 60, ENDS: 6 * 60 };
function isFaulty(timeMs: number): boolean {
  const day = amsterdamDay(timeMs);
  return timeMs >= amsterdamInstant(day, FAULT.BEGINS) || timeMs < amsterdamInstant(day, FAULT.ENDS);
}

const word = (value: number): [number, number] => {
  const raw = Math.round(value);
  return [raw & 0xff, raw >> 8];
};

const frame = (group: number, source: number, data: readonly number[]): J1939Frame => ({
  bus: 1,
  id: group * 256 + source,
  data: data.map((byte) => Math.round(byte)),
});
