import { canBusOf } from '#shared/demo/can-buses.ts';
import type { DemoMachine } from '#shared/demo/fleet.ts';
import { J1939_DUMPER } from '#shared/demo/kipstra-j1939.ts';
import type { RxdGnssKind } from '#shared/demo/rxd-configuration.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import { frameData } from './can-frame.ts';
import { j1939Frames } from './j1939-frames.ts';
import type { SignalsAt } from './machine-model.ts';

/** Makes the .rxd files of a simulated logger, which records the CAN buses and its own GPS receiver. */

const CONFIG_NAME = 'WS';
/** Time between two frames of an identifier in the hourly files: 0.3 MB a file, and with its readings 0.6 GB a day for the demo. */
export const RECORDED_EVERY_MS = 2_000;
/** Ticks of 10 us per millisecond, which is also the distance between two frames of one moment. */
const TICKS_PER_MS = 100;
const FRAME_GAP_TICKS = 135;

/** Period of a file, and the time between two frames of an identifier (the logger's Downsampling setting). `from` and `to` in ms since 1970. */
export type Recording = { readonly from: number; readonly to: number; readonly everyMs: number };

/** Measurements of the GPS receiver, by their names in a reading. */
const RECEIVER: readonly (readonly [string, RxdGnssKind])[] = [
  ['LATITUDE', 'LATITUDE'],
  ['LONGITUDE', 'LONGITUDE'],
  ['Speed', 'SPEED_OVER_GROUND'],
  ['NUMBER_SATELLITES', 'NUMBER_SATELLITES'],
];

/** Returns an .rxd file with the values of the receiver, the frames of the bus, and J1939 on the second bus if the machine has one. */
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

/** Returns the object key of the log that began at `fromMs` (docs/design.md section 7): folder, day, file. */
export function logFileKey(loggerSerial: string, fromMs: number): string {
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${CONFIG_NAME}_SN${loggerSerial}/${day}/${rxdFileName(CONFIG_NAME, loggerSerial, fromMs)}`;
}
