import { BUCKET_MS, type HistoryWindow } from '#server/demo/history-gaps.ts';
import { demoLmbLoggers, demoMachines, LOG_HISTORY_BRAND, OFFLINE_MACHINE } from '#shared/demo/fleet.ts';
import { amsterdamDay, amsterdamInstant } from '#simulator/amsterdam-time.ts';
import { RECORDED_EVERY_MS } from '#simulator/can-log.ts';
import { silentSince } from '#simulator/demo-loggers.ts';

/**
 * Defines the history of the demo, as windows of each stream: time ranges with readings at one interval (docs/design.md section 2).
 * Times in ms since 1970.
 */

const DAY_MS = 86_400_000;
const DAYS = 30;
const STEP_MS = 60_000;
/** Interval of readings in yesterday's log files; at the rate of the simulator's hourly files, filling that day would take too long. */
const LOG_HISTORY_STEP_MS = 5_000;
/** Interval of LMB readings: a point every 150 m on a train at 55 km/h. */
const LMB_DAY_STEP_MS = 10_000;
/** Default range on the page of an LMB logger (LOG-04): 08:00 to 20:00 in Amsterdam. */
const LMB_EXAMPLE = {
  from: Date.parse('2025-04-12T08:00:00+02:00'),
  to: Date.parse('2025-04-12T20:00:00+02:00'),
};

export type DemoWindow = HistoryWindow & { readonly loggerSerial: string };

/** A demo logger and the stream that it reports for. */
export type DemoStream = {
  readonly streamId: number;
  readonly loggerSerial: string;
  /** True if the logger is silent, so that its history ends before now. */
  readonly silent: boolean;
};

const logHistory: ReadonlySet<string> = new Set(
  demoMachines
    .filter(({ model }) => model.brand === LOG_HISTORY_BRAND)
    .map(({ loggerSerial }) => loggerSerial),
);
const lmbLoggers: ReadonlySet<string> = new Set(demoLmbLoggers.map(({ loggerid }) => loggerid));

/**
 * Returns the windows of all streams. Machines have 30 days with a reading per minute; those of one brand have yesterday (UTC) in log
 * files; LMB loggers have today and their example day with a reading per 10 s. The machine whose logger had no network has no window
 * for yesterday (see `offlineWindows`).
 */
export function demoWindows(streams: readonly DemoStream[], now: number): DemoWindow[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const start = midnight - DAYS * DAY_MS;
  return streams.flatMap(({ streamId, loggerSerial, silent }) => {
    const window = (
      from: number,
      to: number,
      intervalMs: number,
      cut: HistoryWindow['cut'] = 'readings',
    ) => ({
      streamId,
      loggerSerial,
      from,
      to,
      intervalMs,
      cut,
    });
    if (silent) return [window(start, silentSince(now), STEP_MS)];
    if (logHistory.has(loggerSerial)) {
      const yesterday = midnight - DAY_MS;
      return [
        window(start, yesterday, STEP_MS),
        window(yesterday, midnight, LOG_HISTORY_STEP_MS, 'hours'),
        window(midnight, now, STEP_MS),
      ];
    }
    if (loggerSerial === OFFLINE_MACHINE.loggerSerial)
      return [window(start, midnight - DAY_MS, STEP_MS), window(midnight, now, STEP_MS)];
    if (!lmbLoggers.has(loggerSerial)) return [window(start, now, STEP_MS)];
    const today = wholeBucket(amsterdamInstant(amsterdamDay(now), 0));
    return [
      window(start, today, STEP_MS),
      window(today, now, LMB_DAY_STEP_MS),
      window(LMB_EXAMPLE.from, LMB_EXAMPLE.to, LMB_DAY_STEP_MS),
    ];
  });
}

/** Returns the window of yesterday for the machine whose logger had no network and uploads that day's files when the demo starts. */
export function offlineWindows(streams: readonly DemoStream[], now: number): DemoWindow[] {
  const to = Math.floor(now / DAY_MS) * DAY_MS;
  return streams
    .filter(({ loggerSerial }) => loggerSerial === OFFLINE_MACHINE.loggerSerial)
    .map(({ streamId, loggerSerial }) => ({
      streamId,
      loggerSerial,
      from: to - DAY_MS,
      to,
      intervalMs: RECORDED_EVERY_MS,
      cut: 'hours',
    }));
}

const wholeBucket = (ms: number): number => Math.floor(ms / BUCKET_MS) * BUCKET_MS;

/** Compares two steps by the order of filling: the LMB example day, then the newest day, and within a day the newest step. */
export function compareFillOrder(a: { readonly from: number }, b: { readonly from: number }): number {
  return Number(isExample(b)) - Number(isExample(a)) || b.from - a.from;
}

const isExample = ({ from }: { readonly from: number }): boolean =>
  LMB_EXAMPLE.from <= from && from < LMB_EXAMPLE.to;
