import { DRIVE_SOURCE, PACK_SOURCES } from '#shared/demo/kipstra-j1939.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';

/** The second bus of the demo's J1939 dumper, as `candump -L` writes it after the time: bus, identifier and data. */
export function j1939Frames(timeMs: number, signals: Signals): string[] {
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
      return frame('18FF61', PACK_SOURCES[n] as number, data);
    }),
    frame('18FEEE', DRIVE_SOURCE, [driveTemperature(signals), ...NONE.slice(1)]),
    frame('18FECA', second, isFaulty(timeMs) ? FAULTY : NOT_FAULTY),
  ];
}

/** A sleeping ECU sends FF: not available. */
const NONE = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/** Degrees Celsius + 40; warmer as the motor turns faster. */
const driveTemperature = ({ MotorSpeed = 0, OutsideTemperature = 0 }: Signals): number =>
  MotorSpeed === 0 ? 0xff : 40 + OutsideTemperature + 20 + MotorSpeed / 100;

/** DM1 (J1939-73): amber lamp, SPN 168 (battery potential), FMI 1 (too low, most severe), counted 3 times. */
const FAULTY = [0x04, 0xff, 0xa8, 0x00, 0x01, 0x03, 0xff, 0xff];
const NOT_FAULTY = [0x00, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff];

/** Minutes after midnight: a demo shows the fault of each night as over, and the one since yesterday as active. */
const FAULT = { BEGINS: 10 * 60, ENDS: 6 * 60 };
function isFaulty(timeMs: number): boolean {
  const day = amsterdamDay(timeMs);
  return timeMs >= amsterdamInstant(day, FAULT.BEGINS) || timeMs < amsterdamInstant(day, FAULT.ENDS);
}

const word = (value: number): [number, number] => {
  const raw = Math.round(value);
  return [raw & 0xff, raw >> 8];
};

const frame = (group: string, source: number, data: readonly number[]): string =>
  `can1 ${group}${hex(source)}#${data.map((byte) => hex(Math.round(byte))).join('')}`;
const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
