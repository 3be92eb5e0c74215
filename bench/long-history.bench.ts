/**
 * Two streams that are far longer than the others: a machine with 3 million readings (1 Hz, 35 days), and an LMB logger
 * with 31 days at 10 Hz (LMB_DAYS makes them fewer; the row says so), asked over HTTP as their pages ask. Each is asked in
 * two rounds, and the row is the second. The marks are those that docs/design.md section 11 sets for a machine at 0.1 Hz, the
 * path's as a share of all its points (docs/decisions/0054-marks-as-ratios.md), and for the LMB logger, about whose answer
 * it says nothing, three seconds.
 */

import { untilCounted } from '#server/day-figures/test/until-counted.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { startBenchPortal } from './bench-portal.ts';
import { copyHistory, copyLatest } from './history-copies.ts';
import { ingest, inParallel, pieces, vacuum } from './history-data.ts';
import { machineSignals, RAIL_PEAK, railSignals } from './history-signals.ts';
import { median, percentile } from './median.ts';
import { type Bench, type Row, whole } from './row.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const MACHINE = { days: 35, stepMs: 1_000, templateMs: DAY_MS };
const RAIL = { days: Number(process.env.LMB_DAYS ?? 31), stepMs: 100, templateMs: 3 * HOUR_MS };
const LOGGER_ID = '7000001';
const FIGURE_MS = 20;
/** Of the path with every point, which took 11,089 ms where 100 ms were the mark. */
const PATH_SHARE = 0.009;
const RAIL_MS = 3_000;

export const longHistory: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  const { pool, address } = portal;
  const [machine] = await portal.machines(1);
  const organization = { name: 'spoor', clean: 'Spoor', isLmbCustomer: true };
  const organizationId = await createOrganization(pool, organization);
  const rail = await createStream(pool, 'logger', { serial: LOGGER_ID, alias: 'Spoorkar', organizationId });
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const ofMachine = await fill(pool, machine!.streamId, to, MACHINE, machineSignals);
  place.say(`machine: ${ofMachine}`);
  const ofRail = await fill(pool, rail, to, RAIL, railSignals);
  place.say(`LMB logger: ${ofRail}`);
  await untilCounted(pool);
  await vacuum(portal.owner);
  const cookie = await portal.signIn();

  /** One round of `times` questions. */
  async function timed(path: string, times: number): Promise<{ ms: number[]; text: string }> {
    const ms: number[] = [];
    let text = '';
    for (let n = 0; n < times; n++) {
      const began = performance.now();
      const answer = await fetch(`${address}${path}`, { headers: { cookie } });
      text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      ms.push(performance.now() - began);
    }
    return { ms, text };
  }
  const span = (days: number, end = 'end') =>
    `start=${new Date(to - days * DAY_MS).toISOString()}&${end}=${new Date(to).toISOString()}`;
  const rows: Row[] = [];
  async function ask({ what, path, times, reachMs, beside }: Question, how: string) {
    const first = await timed(path, times);
    // The first one warms up, where there are more.
    const { ms, text } = times > 1 ? await timed(path, times) : first;
    const p95 = percentile(ms, 0.95);
    const listed = (all: readonly number[]) => all.map((one) => one.toFixed(0)).join('  ');
    rows.push({
      what,
      measured: `${median(ms).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      ...(beside && {
        reference: `${beside.ms.toFixed(0)} ms ${beside.what}`,
        ratio: median(ms) / beside.ms,
      }),
      reach: reachMs === undefined ? '–' : `p95 <= ${beside ? `${PATH_SHARE} x: ` : ''}${whole(reachMs)} ms`,
      reached: reachMs === undefined || p95 <= reachMs,
      notes: [
        `${ms.length} times, ms: ${listed(ms)}; ${whole(text.length / 1000)} kB`,
        ...(times > 1 ? [`the round before: ${listed(first.ms)}`] : []),
        how,
      ],
    });
    place.say(`${what}: ${rows.at(-1)?.measured}`);
    return { ms: median(ms), text };
  }

  const count = whole((MACHINE.days * DAY_MS) / MACHINE.stepMs);
  const askMachine = ({ what, path, ...rest }: Question) =>
    ask({ ...rest, what: `machine with ${count} readings: ${what}`, path: `/api/influx/${path}` }, ofMachine);
  const wholePath = `gps/BENCH-0?${span(MACHINE.days)}`;
  const figures = [
    { what: 'operating hours', path: 'driverhours/BENCH-0?' },
    { what: '30-day power', path: `workpower/BENCH-0?${span(30, 'stop')}` },
    { what: '30-day energy', path: `powerback/BENCH-0?${span(30, 'stop')}` },
  ];
  for (const figure of figures) await askMachine({ ...figure, times: 100, reachMs: FIGURE_MS });
  const every = {
    what: 'GPS path of all of it, every point',
    path: `${wholePath}&resolution=full`,
    times: 1,
  };
  const { ms } = await askMachine(every);
  await askMachine({
    what: 'GPS path of all of it, thinned to a screen',
    path: wholePath,
    times: 100,
    reachMs: PATH_SHARE * ms,
    beside: { what: 'every point', ms },
  });
  await askMachine({
    what: 'day at a glance, all of it',
    path: `day/BENCH-0?${span(MACHINE.days)}`,
    times: 10,
  });

  for (const days of new Set([1, RAIL.days])) {
    const readings = whole((days * DAY_MS) / RAIL.stepMs);
    const what = `LMB logger at 10 Hz, detail of ${days} ${days === 1 ? 'day' : 'days'}, ${readings} readings`;
    const path = `/api/berend/get/data?${span(days)}&loggerid=${LOGGER_ID}`;
    const answer = JSON.parse(
      (await ask({ what, path, times: 7, reachMs: RAIL_MS }, ofRail)).text,
    ) as LmbData;
    const last = rows.pop() as Row;
    rows.push({ ...last, notes: [...last.notes, peaksOf(answer, days)] });
  }
  return rows;
};

type Question = {
  readonly what: string;
  readonly path: string;
  readonly times: number;
  /** p95; absent: it is told, and has no mark. */
  readonly reachMs?: number;
  /** The reference. */
  readonly beside?: { readonly what: string; readonly ms: number };
};

/** How many of the peaks that last one reading the answer shows. */
function peaksOf({ speed }: LmbData, days: number): string {
  const shown = speed.flatMap(({ data }) => data).filter(({ _value }) => _value === RAIL_PEAK).length;
  return `peaks of speed that last one reading: ${shown} of ${(days * DAY_MS) / RAIL.templateMs} are shown`;
}

/** Up to `to`: the first piece through ingest, the others copies of it. @returns how, for the row */
async function fill(
  pool: Pool,
  streamId: number,
  to: number,
  { days, stepMs, templateMs }: typeof MACHINE,
  signalsAt: (s: number) => Signals,
): Promise<string> {
  const began = performance.now();
  const from = to - days * DAY_MS;
  const [template, ...others] = pieces({ from, to }, templateMs) as [Piece, ...Piece[]];
  const weeks = openPartitions(pool, Date.now);
  for (const { from: time } of others) await weeks.ensure([time], undefined);
  await ingest(pool, streamId, { ...template, stepMs }, signalsAt);
  await inParallel(pool, others, (client, piece) =>
    copyHistory(client, { streamId, ...template }, [{ streamId, later: piece.from - from, east: 0 }]),
  );
  await copyLatest(pool, streamId, streamId);
  const seconds = whole((performance.now() - began) / 1000);
  return (
    `${whole((days * DAY_MS) / stepMs)} readings in ${seconds} s: the first ${templateMs / HOUR_MS} hours through ingest, ` +
    `${others.length} copies of them, each later`
  );
}

type Piece = { readonly from: number; readonly to: number };
