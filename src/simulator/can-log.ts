import { canBusOf } from '#shared/demo/can-buses.ts';
import type { DemoMachine } from '#shared/demo/fleet.ts';
import { J1939_DUMPER } from '#shared/demo/kipstra-j1939.ts';
import type { RxdGnssKind } from '#shared/demo/rxd-configuration.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import { frameData } from './can-frame.ts';
import { j1939Frames } from './j1939-frames.ts';
import type { SignalsAt } from './machine-model.ts';

/** Makes the .rxd files of a simulated machine's logger, which records the CAN buses and its own receiver. */

const CONFIG_NAME = 'WS';
/** Between two frames of an identifier in the hourly files: 0.3 MB a file, and with its readings 0.6 GB a day for the whole demo. */
export const RECORDED_EVERY_MS = 2_000;
/** Ticks of 10 us per millisecond, and between two frames of one moment. */
const TICKS_PER_MS = 100;
const FRAME_GAP_TICKS = 135;

/** The period that a file is of, and the time between two frames of an identifier (the logger's Downsampling setting). Milliseconds. */
export type Recording = { readonly from: number; readonly to: number; readonly everyMs: number };

/** Measurements of the receiver, by their names in a reading. */
const RECEIVER: readonly (readonly [string, RxdGnssKind])[] = [
  ['LATITUDE', 'LATITUDE'],
  ['LONGITUDE', 'LONGITUDE'],
  ['Speed', 'SPEED_OVER_GROUND'],
  ['NUMBER_SATELLITES', 'NUMBER_SATELLITES'],
];

/** Returns the .rxd: receiver's values that no CAN message has, the frames of the bus, and J1939 on the second bus where there is one. */
export function rxdLog(
  { model, loggerSerial }: Pick<DemoMachine, 'model' | 'loggerSerial'>,
  signalsAt: SignalsAt,
  { from, to, everyMs }: Recording,
): Uint8Array<ArrayBuffer> {
  const { messages } = canBusOf(model);
  const onCan = new Set(messages.flatMap(({ signals }) => signals.map(({ to }) => to)));
  const received = RECEIVER.filter(([name]) => !onCan.has(name));
  const hasJ1939 = loggerSerial === J1939_DUMPER.loggerSerial;
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

/** Where a logger puts the log that began at `fromMs` (docs/design.md section 7): folder, day, file. */
export function logFileKey(loggerSerial: string, fromMs: number): string {
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${CONFIG_NAME}_SN${loggerSerial}/${day}/${rxdFileName(CONFIG_NAME, loggerSerial, fromMs)}`;
}
