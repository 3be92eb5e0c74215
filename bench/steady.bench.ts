/**
 * A steady hour of 1,000 loggers, by a run of ten minutes (STEADY_MINUTES and STEADY_LOGGERS make it smaller; the row says so): each
 * uploads a snapshot every 5 s and, every ten minutes, an `.rxd` of these with a reading per second; the files are evenly spread. The portal is as in production with its embedded PostgreSQL, and answers a file when it is decoded and stored.
 */
import { loadavg } from 'node:os';
import { machineDefinition } from '#shared/demo/machine-definition.ts';
import { startBenchPortal } from './bench-portal.ts';
import { startHelper } from './load-client.ts';
import { spentWithChildren, withCores } from './processor-time.ts';
import { type Bench, whole } from './row.ts';
import { countOfReadings, postmasterOf, runLoad } from './soak.bench.ts';
import type { EndpointResult } from './soak-load.ts';
import { FILE_MS, STEADY_MACHINE, type SteadyOrder, type SteadyResult } from './steady-load.ts';

const MINUTES = Number(process.env.STEADY_MINUTES ?? 10);
const LOGGERS = Number(process.env.STEADY_LOGGERS ?? 1_000);
const MOST_CORES = 1;
const P99_MS = 1_000;
const MOST_BEHIND_MS = 60_000;

export const steadyHour: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS, machineDefinition(STEADY_MACHINE));
  const client = startHelper(place, './soak-process.ts');
  const postmaster = await postmasterOf(portal);
  place.say(`${whole(LOGGERS)} loggers for ${MINUTES} minutes`);
  const seconds = 60 * MINUTES;
  const order: SteadyOrder = { port: portal.port, loggers, seconds };
  const began = performance.now();
  const before = await spentWithChildren(postmaster);
  const { result, cores } = await withCores(portal.pid, () => runLoad<SteadyResult>(client, order));
  const database = (await spentWithChildren(postmaster)) - before;
  const databaseCores = (1000 * database) / (performance.now() - began);
  const portalCores = cores?.process ?? Number.NaN;
  const { snapshots, files, behindMs, clientCores } = result;
  const failed = [snapshots, files].map(({ sent, answers }) => sent - (answers['200'] ?? 0));
  const least = (files.sent * FILE_MS) / 1000;
  const stored = await countOfReadings(portal);
  const what = `steady hour, ${whole(LOGGERS)} loggers, ${MINUTES} min`;
  return [
    {
      what: `${what}: busy cores of the portal and its database`,
      measured: `${(portalCores + databaseCores).toFixed(2)} (${portalCores.toFixed(2)} and ${databaseCores.toFixed(2)})`,
      reach: `<= ${MOST_CORES}`,
      reached: portalCores + databaseCores <= MOST_CORES,
      notes: [
        `load average at the end ${loadavg()[0]?.toFixed(2)}; busy cores of the whole machine ${cores?.all.toFixed(2)}, stolen by the host ${cores?.stolen.toFixed(2)}, client ${clientCores.toFixed(2)}`,
      ],
    },
    {
      what: `${what}: p99 of the upload endpoint, snapshots`,
      measured: `${whole(snapshots.p99Ms)} ms`,
      reach: `<= ${whole(P99_MS)} ms, all answered 200`,
      reached: snapshots.p99Ms <= P99_MS && failed[0] === 0,
      notes: [inWords(snapshots)],
    },
    {
      what: `${what}: last log file stored after the end, failed`,
      measured: `${(behindMs / 1000).toFixed(1)} s, ${failed[1]} of ${whole(files.sent)}`,
      reach: `<= ${MOST_BEHIND_MS / 1000} s, 0`,
      reached: behindMs <= MOST_BEHIND_MS && failed[1] === 0 && stored >= least,
      notes: [inWords(files), `${whole(stored)} readings stored; the files alone have ${whole(least)}`],
    },
  ];
};

const inWords = ({ sent, answers, p50Ms, p99Ms, maxMs, mediansMs }: EndpointResult): string =>
  `${whole(sent)} sent, answers ${JSON.stringify(answers)}; from when it was due: p50 ${whole(p50Ms)} ms, p99 ${whole(p99Ms)} ms, longest ${whole(maxMs)} ms; median of each 10 s, ms: ${mediansMs.map(whole).join(' ')}`;
