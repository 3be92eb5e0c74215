/**
 * A steady hour of 1,000 loggers, by a run of ten minutes (STEADY_MINUTES and STEADY_LOGGERS make it smaller).
 * Each logger uploads a snapshot every 5 s and, every ten minutes, an `.rxd` with a reading per second; the
 * files are evenly spread. The portal runs as in production with its embedded PostgreSQL, and responds to a
 * file once it is decoded and stored.
 */
import { machineDefinition } from '#shared/demo/machine-definition.ts';
import { startLoadClient } from './load-client.ts';
import { LOG_FILE_DURATION_MS, RECORDED_DEMO_MACHINE } from './open-loop.ts';
import { startBenchPortal } from './portal.ts';
import { measureCores } from './processes.ts';
import { type Bench, wholeNumber } from './report.ts';

const MINUTES = Number(process.env.STEADY_MINUTES ?? 10);
const LOGGERS = Number(process.env.STEADY_LOGGERS ?? 1_000);
const MAX_CORES = 1;
const P99_MS = 1_000;
const MAX_BEHIND_MS = 60_000;

export const steadyLoadBench: Bench = async (context) => {
  const portal = await startBenchPortal(context);
  context.log(`Making ${wholeNumber(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS, machineDefinition(RECORDED_DEMO_MACHINE));
  const client = startLoadClient(context);
  context.log(`${wholeNumber(LOGGERS)} loggers for ${MINUTES} minutes`);
  const load = { port: portal.port, loggers, seconds: 60 * MINUTES, snapshotEveryMs: 5_000, files: true };
  const run = () => client.openLoop(load);
  const { result, cores } = await measureCores(portal.pid, run, await portal.postmaster());
  const { snapshots, files, behindMs, clientCores } = result;
  const least = (files.sent * LOG_FILE_DURATION_MS) / 1000;
  const stored = await portal.countReadings();
  const busy = cores.process + cores.database;
  const what = `${wholeNumber(LOGGERS)} loggers for ${MINUTES} minutes`;
  return [
    {
      what: `${what}: busy cores in total (of the portal and of its database)`,
      measured: `${busy.toFixed(2)} (${cores.process.toFixed(2)} and ${cores.database.toFixed(2)})`,
      toReach: `<= ${MAX_CORES}`,
      reached: busy <= MAX_CORES,
      details: [
        `busy cores of the machine ${cores.all.toFixed(2)}, taken by its host ${cores.stolen.toFixed(2)}, client ${clientCores.toFixed(2)}`,
      ],
    },
    {
      what: `${what}: p99 of the uploads of snapshots`,
      measured: `${wholeNumber(snapshots.p99Ms)} ms`,
      toReach: `<= ${wholeNumber(P99_MS)} ms, all answered 200`,
      reached: snapshots.p99Ms <= P99_MS && snapshots.failed === 0,
      details: [snapshots.text],
    },
    {
      what: `${what}: time from the end until the last log file was stored, and failed log files`,
      measured: `${(behindMs / 1000).toFixed(1)} s, ${files.failed} of ${wholeNumber(files.sent)}`,
      toReach: `<= ${MAX_BEHIND_MS / 1000} s, 0`,
      reached: behindMs <= MAX_BEHIND_MS && files.failed === 0 && stored >= least,
      details: [
        files.text,
        `${wholeNumber(stored)} readings stored; the files alone have ${wholeNumber(least)}`,
      ],
    },
  ];
};
