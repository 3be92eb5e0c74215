import { canBusOf } from '#shared/demo/can-buses.ts';
import { byteLengthOf, type CanMessage } from '#shared/demo/can-message.ts';
import type { DemoMachine } from '#shared/demo/fleet.ts';
import { DRIVE_SOURCE, J1939_DEMO_MACHINE, PACK_SOURCES } from '#shared/demo/kipstra-j1939.ts';
import type { RxdGnssKind } from '#shared/demo/rxd-configuration.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';
import type { SignalsAt } from './machine-model.ts';

/** A frame with a 29-bit identifier. */
type J1939Frame = { readonly bus: number; readonly id: number; readonly data: readonly number[] };

/** Returns the frames that the ECUs of the demo's one machine with J1939, a dumper, send on its second CAN bus at an instant. */
function j1939Frames(timeMs: number, signals: Signals): J1939Frame[] {
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

/** Data of an ECU without values: J1939 uses FF for 'not available'. */
const NONE = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/** Returns degrees Celsius + 40, as J1939 encodes them; the drive is warmer at a higher motor speed. */
const driveTemperature = ({ MotorSpeed = 0, OutsideTemperature = 0 }: Signals): number =>
  MotorSpeed === 0 ? 0xff : 40 + OutsideTemperature + 20 + MotorSpeed / 100;

/** DM1 (J1939-73): amber lamp, SPN 168 (battery potential), FMI 1 (too low, most severe), occurrence count 3. */
const FAULTY = [0x04, 0xff, 0xa8, 0x00, 0x01, 0x03, 0xff, 0xff];
const NOT_FAULTY = [0x00, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff];

/**
 * When the fault code begins each day, and when it ends on the next; minutes after midnight. During most of a day the demo then shows
 * ended faults and an active one.
 */
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

/**
 * Returns the bytes of a CAN message that contain the values of its signals at one instant; undefined if a value is missing, because
 * then the ECU that sends the message is silent.
 */
function frameData(message: CanMessage, signals: Signals): Uint8Array | undefined {
  const data = new Uint8Array(message.length);
  for (const { to, firstByte, number } of message.signals) {
    const value = signals[to];
    if (value === undefined) return undefined;
    let raw = Math.round((value - number.offset) / number.factor);
    if (raw < 0) raw += 2 ** number.bits;
    const bytes = byteLengthOf(number);
    for (let n = 0; n < bytes; n++) {
      data[firstByte + (message.isBigEndian ? bytes - 1 - n : n)] = raw % 256;
      raw = Math.floor(raw / 256);
    }
  }
  return data;
}

/** Makes the .rxd files of a simulated logger, which records the CAN buses and its own GPS receiver. */

const CONFIG_NAME = 'WS';
/**
 * Time between two frames of one CAN identifier in the hourly files. A file then has 0.3 MB; files and readings of the demo together
 * take 0.6 GB a day.
 */
export const RECORDED_EVERY_MS = 2_000;
/** Number of ticks (of 10 us) in a millisecond, and between two frames that are sent one after the other. */
const TICKS_PER_MS = 100;
const FRAME_GAP_TICKS = 135;

/** Period of a file in ms since 1970, and the time between two frames of an identifier (the logger's Downsampling setting). */
export type Recording = { readonly from: number; readonly to: number; readonly everyMs: number };

/** Measurements of the GPS receiver, by their names in a reading. */
const RECEIVER: readonly (readonly [string, RxdGnssKind])[] = [
  ['LATITUDE', 'LATITUDE'],
  ['LONGITUDE', 'LONGITUDE'],
  ['Speed', 'SPEED_OVER_GROUND'],
  ['NUMBER_SATELLITES', 'NUMBER_SATELLITES'],
];

/** Returns an .rxd file: values of the GPS receiver, frames of the first CAN bus, and J1939 frames if the machine has a second bus. */
export function rxdLog(
  { model, loggerSerial }: Pick<DemoMachine, 'model' | 'loggerSerial'>,
  signalsAt: SignalsAt,
  { from, to, everyMs }: Recording,
): Uint8Array<ArrayBuffer> {
  const { messages } = canBusOf(model);
  const onCan = new Set(messages.flatMap(({ signals }) => signals.map(({ to }) => to)));
  const received = RECEIVER.filter(([name]) => !onCan.has(name));
  const hasJ1939 = loggerSerial === J1939_DEMO_MACHINE.loggerSerial;
  const file = new RxdFile({
    name: CONFIG_NAME,
    buses: hasJ1939 ? [0, 1] : [0],
    gnss: ['DATETIME', ...received.map(([, kind]) => kind)],
  });
  for (let time = Math.ceil(from / everyMs) * everyMs; time < to; time += everyMs) {
    const signals = signalsAt(time);
    let tick = (time - from) * TICKS_PER_MS;
    file.addGnss(tick, 'DATETIME', time / 1000);
    for (const [name, kind] of received) file.addGnss(tick, kind, signals[name] as number);
    for (const message of messages) {
      const data = frameData(message, signals);
      if (data) file.addFrame({ tick, bus: 0, id: message.id, extended: message.isExtended, data });
      tick += FRAME_GAP_TICKS;
    }
    for (const frame of hasJ1939 ? j1939Frames(time, signals) : []) {
      file.addFrame({ ...frame, tick, extended: true });
      tick += FRAME_GAP_TICKS;
    }
  }
  return file.toBytes();
}

/** Returns the object key of the log that began at `fromMs` (docs/design.md section 7): folder, day, file. */
export function logFileKey(loggerSerial: string, fromMs: number): string {
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${CONFIG_NAME}_SN${loggerSerial}/${day}/${rxdFileName(CONFIG_NAME, loggerSerial, fromMs)}`;
}
