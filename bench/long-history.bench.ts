/**
 * Two streams that are far longer than the others: a machine with 3 million readings (1 Hz, 35 days), and an LMB logger
 * with 31 days at 10 Hz (LMB_DAYS makes them fewer; the row says so), asked over HTTP as their pages ask. Nothing stands
 * beside them; the marks are those that docs/design.md section 11 sets for a machine at 0.1 Hz, and for the LMB logger,
 * about whose answer it says nothing, three seconds.
 */

import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { createStream } from '#server/streams/streams.store.ts';
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
const PATH_MS = 100;
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
  await vacuum(portal.owner);
  const cookie = await portal.signIn();

  async function timed(path: string, times: number): Promise<{ ms: number[]; bytes: number; text: string }> {
    const ms: number[] = [];
    let text = '';
    // The first one warms up, where there are more.
    for (let n = times > 1 ? -1 : 0; n < times; n++) {
      const began = performance.now();
      const answer = await fetch(`${address}${path}`, { headers: { cookie } });
      text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      if (n >= 0) ms.push(performance.now() - began);
    }
    return { ms, bytes: text.length, text };
  }
  const span = (days: number, end = 'end') =>
    `start=${new Date(to - days * DAY_MS).toISOString()}&${end}=${new Date(to).toISOString()}`;
  const rows: Row[] = [];
  async function ask(question: Question, how: string): Promise<string> {
    const { ms, bytes, text } = await timed(question.path, question.times);
    const p95 = percentile(ms, 0.95);
    rows.push({
      what: question.what,
      measured: `${median(ms).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      reach: question.reachMs === undefined ? '–' : `p95 <= ${whole(question.reachMs)} ms`,
      reached: question.reachMs === undefined || p95 <= question.reachMs,
      notes: [
        `${ms.length} times, ms: ${ms.map((one) => one.toFixed(0)).join('  ')}; ${whole(bytes / 1000)} kB`,
        how,
      ],
    });
    place.say(`${question.what}: ${rows.at(-1)?.measured}`);
    return text;
  }

  const count = whole((MACHINE.days * DAY_MS) / MACHINE.stepMs);
  const machineCalls: readonly Question[] = [
    { what: 'operating hours', path: 'driverhours/BENCH-0?', times: 30, reachMs: FIGURE_MS },
    { what: '30-day power', path: `workpower/BENCH-0?${span(30, 'stop')}`, times: 30, reachMs: FIGURE_MS },
    { what: '30-day energy', path: `powerback/BENCH-0?${span(30, 'stop')}`, times: 30, reachMs: FIGURE_MS },
    {
      what: 'GPS path of all of it, thinned to a screen',
      path: `gps/BENCH-0?${span(MACHINE.days)}`,
      times: 30,
      reachMs: PATH_MS,
    },
    { what: 'day at a glance, all of it', path: `day/BENCH-0?${span(MACHINE.days)}`, times: 10 },
    {
      what: 'GPS path of all of it, every point',
      path: `gps/BENCH-0?${span(MACHINE.days)}&resolution=full`,
      times: 1,
    },
  ];
  for (const { what, path, ...rest } of machineCalls)
    await ask(
      { ...rest, what: `machine with ${count} readings: ${what}`, path: `/api/influx/${path}` },
      ofMachine,
    );

  for (const days of new Set([1, RAIL.days])) {
    const readings = whole((days * DAY_MS) / RAIL.stepMs);
    const what = `LMB logger at 10 Hz, detail of ${days} ${days === 1 ? 'day' : 'days'}, ${readings} readings`;
    const path = `/api/berend/get/data?${span(days)}&loggerid=${LOGGER_ID}`;
    const answer = JSON.parse(await ask({ what, path, times: 7, reachMs: RAIL_MS }, ofRail)) as LmbData;
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
