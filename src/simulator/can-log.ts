import { J1939_DUMPER } from '#shared/demo/kipstra-j1939.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { j1939Frames } from './j1939-frames.ts';
import type { SignalsAt } from './machine-model.ts';

/**
 * The CAN buses of a simulated Kipstra dumper as its logger records them: the frames of shared/demo/kipstra-can.ts, in
 * the lines of `candump -L`.
 */

const CONFIG_NAME = 'WS';
/** The logger keeps one frame of each identifier per 5 s (its Downsampling setting). */
const FRAMES_EVERY_MS = 5_000;
/** Microseconds between two frames of one moment. */
const FRAME_GAP_US = 1_350;

/** A frame's identifier as candump writes it, and what a moment's signals are in its bytes. */
type Frame = { readonly id: string; readonly bytes: (signals: Signals) => DataView };

const FRAMES: readonly Frame[] = [
  {
    id: '100',
    bytes: ({ MotorSpeed, HydraulicPressure, Speed }) => {
      const view = bytes(6);
      view.setUint16(0, raw(MotorSpeed, 0.5), true);
      view.setUint16(2, raw(HydraulicPressure, 0.1), true);
      view.setUint16(4, raw(Speed, 0.1), true);
      return view;
    },
  },
  {
    id: '101',
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
    id: '102',
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
    id: '103',
    bytes: ({ OutsideTemperature, BatteryTemperature1, BatteryTemperature2 }) => {
      const view = bytes(BatteryTemperature2 === undefined ? 4 : 6);
      view.setInt16(0, raw(OutsideTemperature, 0.1), true);
      view.setInt16(2, raw(BatteryTemperature1, 0.1), true);
      if (BatteryTemperature2 !== undefined) view.setInt16(4, raw(BatteryTemperature2, 0.1), true);
      return view;
    },
  },
  {
    id: '18FEF3D4',
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

/** The log of `fromMs` up to `toMs`, as text; with J1939 of the second bus for the logger that records it. */
export function candumpLog(loggerSerial: string, signalsAt: SignalsAt, fromMs: number, toMs: number): string {
  const hasJ1939 = loggerSerial === J1939_DUMPER.loggerSerial;
  const lines: string[] = [];
  for (
    let time = Math.ceil(fromMs / FRAMES_EVERY_MS) * FRAMES_EVERY_MS;
    time < toMs;
    time += FRAMES_EVERY_MS
  ) {
    const signals = signalsAt(time);
    const frames = FRAMES.map((frame) => {
      const data = Buffer.from(frame.bytes(signals).buffer).toString('hex').toUpperCase();
      return `can0 ${frame.id}#${data}`;
    });
    if (hasJ1939) frames.push(...j1939Frames(time, signals));
    frames.forEach((frame, n) => {
      const micros = String(n * FRAME_GAP_US).padStart(6, '0');
      lines.push(`(${time / 1000}.${micros}) ${frame}\n`);
    });
  }
  return lines.join('');
}

/** Where a logger puts the log that began at `fromMs` (docs/design.md section 7): folder, day, file. */
export function logFileKey(loggerSerial: string, fromMs: number): string {
  const [day = '', time = ''] = new Date(fromMs).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `${CONFIG_NAME}_SN${loggerSerial}/${day}/${CONFIG_NAME}_${loggerSerial}_${day}_${time}.log.gz`;
}
