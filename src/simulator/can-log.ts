import { J1939_DUMPER } from '#shared/demo/kipstra-j1939.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { j1939Frames } from './j1939-frames.ts';
import type { SignalsAt } from './machine-model.ts';

/** Makes the .rxd file of a simulated Kipstra dumper, as its logger records the CAN buses of shared/demo/kipstra-can.ts. */

const CONFIG_NAME = 'WS';
/** No identifier of 11 bits is so high. */
const FIRST_EXTENDED = 0x800;
/** The logger keeps one frame of each identifier per 5 s (its Downsampling setting). */
const FRAMES_EVERY_MS = 5_000;
/** Ticks of 10 us per millisecond, and between two frames of one moment. */
const TICKS_PER_MS = 100;
const FRAME_GAP_TICKS = 135;

/** A frame's identifier, of 29 bits from 0x800 on here, and what a moment's signals are in its bytes. */
type Frame = { readonly id: number; readonly bytes: (signals: Signals) => DataView };

const FRAMES: readonly Frame[] = [
  {
    id: 0x100,
    bytes: ({ MotorSpeed, HydraulicPressure, Speed }) => {
      const view = bytes(6);
      view.setUint16(0, raw(MotorSpeed, 0.5), true);
      view.setUint16(2, raw(HydraulicPressure, 0.1), true);
      view.setUint16(4, raw(Speed, 0.1), true);
      return view;
    },
  },
  {
    id: 0x101,
    bytes: ({ BatteryCurrent, BatteryVoltage, ChargingCurrent, ChargingVoltage }) => {
      const view = bytes(8);
      view.setInt16(0, raw(BatteryCurrent, 0.1));
      view.setUint16(2, raw(BatteryVoltage, 0.1));
      view.setUint16(4, raw(ChargingCurrent, 0.1));
      view.setUint16(6, raw(ChargingVoltage, 0.1));
      return view;
    },
  },
  {
    id: 0x102,
    bytes: ({ SOC1, SOC2, IsCharging1, IsCharging2, NUMBER_SATELLITES }) => {
      const view = bytes(SOC2 === undefined ? 4 : 7);
      view.setUint16(0, raw(SOC1, 0.1), true);
      view.setUint8(2, raw(IsCharging1, 1));
      view.setUint8(3, raw(NUMBER_SATELLITES, 1));
      if (SOC2 === undefined) return view;
      view.setUint16(4, raw(SOC2, 0.1), true);
      view.setUint8(6, raw(IsCharging2, 1));
      return view;
    },
  },
  {
    id: 0x103,
    bytes: ({ OutsideTemperature, BatteryTemperature1, BatteryTemperature2 }) => {
      const view = bytes(BatteryTemperature2 === undefined ? 4 : 6);
      view.setInt16(0, raw(OutsideTemperature, 0.1), true);
      view.setInt16(2, raw(BatteryTemperature1, 0.1), true);
      if (BatteryTemperature2 !== undefined) view.setInt16(4, raw(BatteryTemperature2, 0.1), true);
      return view;
    },
  },
  {
    id: 0x18fef3d4,
    bytes: ({ LATITUDE = 0, LONGITUDE = 0 }) => {
      const view = bytes(8);
      view.setUint32(0, raw(LATITUDE + 210, 1e-7), true);
      view.setUint32(4, raw(LONGITUDE + 210, 1e-7), true);
      return view;
    },
  },
];

const bytes = (length: number): DataView => new DataView(new ArrayBuffer(length));
const raw = (value: number | undefined, factor: number): number => Math.round((value ?? 0) / factor);

/** Returns the .rxd of `fromMs` up to `toMs`, with J1939 on the second bus for the logger that records it. */
export function rxdLog(
  loggerSerial: string,
  signalsAt: SignalsAt,
  fromMs: number,
  toMs: number,
  everyMs = FRAMES_EVERY_MS,
): Uint8Array<ArrayBuffer> {
  const hasJ1939 = loggerSerial === J1939_DUMPER.loggerSerial;
  const file = new RxdFile({ name: CONFIG_NAME, buses: hasJ1939 ? [0, 1] : [0], gnss: ['DATETIME'] });
  for (let time = Math.ceil(fromMs / everyMs) * everyMs; time < toMs; time += everyMs) {
    const signals = signalsAt(time);
    const tick = (time - fromMs) * TICKS_PER_MS;
    file.addGnss(tick, 'DATETIME', time / 1000);
    const frames = FRAMES.map(({ id, bytes }) => ({
      bus: 0,
      id,
      data: new Uint8Array(bytes(signals).buffer),
    }));
    for (const [n, frame] of [...frames, ...(hasJ1939 ? j1939Frames(time, signals) : [])].entries())
      file.addFrame({ ...frame, tick: tick + n * FRAME_GAP_TICKS, extended: frame.id >= FIRST_EXTENDED });
  }
  return file.toBytes();
}

/** Where a logger puts the log that began at `fromMs` (docs/design.md section 7): folder, day, file. */
export function logFileKey(loggerSerial: string, fromMs: number): string {
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${CONFIG_NAME}_SN${loggerSerial}/${day}/${rxdFileName(CONFIG_NAME, loggerSerial, fromMs)}`;
}
