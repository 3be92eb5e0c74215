import { setTimeout as wait } from 'node:timers/promises';
import { type DemoMachine, demoMachines, LOG_HISTORY_BRAND } from '#shared/demo/fleet.ts';
import { J1939_DUMPER } from '#shared/demo/kipstra-j1939.ts';
import { logFileKey, rxdLog } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { snapshotBody } from '#simulator/logger-client.ts';
import type { SignalsAt } from '#simulator/machine-model.ts';
import { type LoggerKey, uploadSigner } from './presigned-uploads.ts';
import { type EndpointResult, inTurn, newTally } from './soak-load.ts';
import { openUploadLines } from './upload-lines.ts';

export type SteadyOrder = {
  readonly port: number;
  readonly loggers: readonly LoggerKey[];
  readonly seconds: number;
};
export type SteadyResult = {
  readonly snapshots: EndpointResult;
  readonly files: EndpointResult;
  /** From the end of the load until the last answer. A log file is answered when it is decoded and stored. */
  readonly behindMs: number;
  readonly clientCores: number;
};

/** A dumper of the demo, whose bus every logger records. */
export const STEADY_MACHINE = demoMachines.find(
  ({ model, serialNumber }) =>
    model.brand === LOG_HISTORY_BRAND && serialNumber !== J1939_DUMPER.serialNumber,
) as DemoMachine;
export const SNAPSHOT_EVERY_MS = 5_000;
export const FILE_MS = 10 * 60_000;
const LINES = 64;
const FILE_LINES = 64;
/** Pause of a logger after 503, milliseconds. */
const RETRY_MS = 5_000;
/** A Thursday morning, on which the simulator's machines work. */
const WORK_MS = Date.UTC(2026, 10, 26, 9);

/**
 * Every logger sends a snapshot each 5 s, and each ten minutes an .rxd of these with a reading per second: evenly spread and at their time, whether or not what went before was answered.
 */
export async function steady({ port, loggers, seconds }: SteadyOrder): Promise<SteadyResult> {
  const [lines, fileLines] = [openUploadLines(port, LINES), openUploadLines(port, FILE_LINES)];
  const sign = uploadSigner(loggers, `127.0.0.1:${port}`);
  const signalsAt = working(Date.now());
  const [snapshots, files] = [newTally(), newTally()];
  const cpuBegan = process.cpuUsage();
  const began = performance.now();
  await Promise.all([
    inTurn(loggers.length, SNAPSHOT_EVERY_MS, seconds, (logger, due) => {
      const now = Date.now();
      return snapshots.count(due, lines.send(sign(logger, snapshotBody(signalsAt, now), now)));
    }),
    inTurn(loggers.length, FILE_MS, seconds, (logger, due) => {
      const now = Date.now();
      const { loggerSerial } = loggers[logger] as LoggerKey;
      const recording = { from: now - FILE_MS, to: now, everyMs: 1_000 };
      const body = rxdLog({ model: STEADY_MACHINE.model, loggerSerial }, signalsAt, recording);
      const file = logFileKey(loggerSerial, now - FILE_MS)
        .split('/')
        .slice(1)
        .join('/');
      return files.count(
        due,
        untilTaken(() => fileLines.send(sign(logger, body, Date.now(), file))),
      );
    }),
  ]);
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBegan);
  for (const one of [lines, fileLines]) one.close();
  return {
    snapshots: snapshots.result(),
    files: files.result(),
    behindMs: took - 1000 * seconds,
    clientCores: (user + system) / 1000 / took,
  };
}

async function untilTaken(send: () => Promise<number>): Promise<number> {
  for (;;) {
    const status = await send();
    if (status !== 503) return status;
    await wait(RETRY_MS);
  }
}

/** The simulated dumper, as if `now` were a working morning. */
function working(now: number): SignalsAt {
  const signalsAt = demoLoggers().get(STEADY_MACHINE.loggerSerial)?.signalsAt as SignalsAt;
  return (time) => signalsAt(WORK_MS + time - now);
}
