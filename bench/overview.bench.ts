/**
 * The overview page with 10,000 machines in Chromium (docs/performance.md), and its call GET /api/fleet/figures, for which every
 * machine has precomputed figures of 31 days. The roll-up has the last eight hours of the first day, because the call computes a part of
 * that day from the roll-up.
 */
import {
  measurePageUpdates,
  openMeasuredVisit,
  RENDER_WAIT_MS,
  startBrowser,
  waitForNextLiveResponse,
} from './pages.ts';
import { type BenchPortal, fetchTimed, startBenchPortal } from './portal.ts';
import { type Bench, timeRow, wholeNumber } from './report.ts';

const MACHINES = Number(process.env.OVERVIEW_MACHINES ?? 10_000);
const ASKED = 5;
const VISITS = 3;
const PRESSES = 4;
const UPDATES = 4;

export const overview: Bench = async (context) => {
  const browser = await startBrowser(context);
  const portal = await startBenchPortal(context);
  context.log(`Making ${wholeNumber(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  let step = 0;
  const store = () => portal.report(loggers, step++, Date.now());
  await store();
  await fillMonth(portal);
  const cookie = await portal.signIn();

  const figures: number[] = [];
  for (let n = 0; n <= ASKED; n++) figures.push((await fetchTimed(portal, cookie, '/api/fleet/figures')).ms);
  context.log(`Figures: ${figures.map(wholeNumber).join(' ')} ms`);
  figures.shift(); // warms up

  async function open() {
    const visit = await openMeasuredVisit(browser, portal.address, cookie, '[data-serial]');
    const answered = waitForNextLiveResponse(visit.page);
    // The list is sorted by machine, so that each press of that column's button reverses the order and changes the first row.
    await visit.page.goto('/overzicht?sorteer=machine');
    const answeredAt = await answered;
    const afterData = (await visit.firstMarkerAt()) - answeredAt;
    await visit.page.waitForTimeout(RENDER_WAIT_MS);
    return { visit, afterData };
  }
  const shown: number[] = [];
  for (let n = 0; n < VISITS; n++) {
    const { visit, afterData } = await open();
    shown.push(afterData);
    await visit.close();
  }
  const { visit } = await open();
  const { page } = visit;
  const press = async (selectors: readonly string[]): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < PRESSES; n++) {
      await page.waitForTimeout(RENDER_WAIT_MS);
      times.push(await page.evaluate(pressOnce, selectors[n % selectors.length] as string));
    }
    return times;
  };
  const sorts = await press(['th[data-column="machine"] button']);
  const filters = await press(['button[data-state="charging"]', 'button[data-state="running"]']);
  await page.locator('[data-state="running"]').click();
  await page.waitForTimeout(RENDER_WAIT_MS);
  await visit.longTasks();
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 900);
    await page.waitForTimeout(30);
  }
  const scrolled = await visit.longTasks();
  const updates = await measurePageUpdates(visit, UPDATES, store);
  const what = `overview of ${wholeNumber(MACHINES)} machines`;
  return [
    timeRow(`${what}: GET /api/fleet/figures for 30 days`, figures, 1_000),
    timeRow(`${what}: time from the data to the first rows`, shown, 500),
    timeRow(`${what}: sorting by a column`, sorts, 100),
    timeRow(`${what}: filtering by a status`, filters, 100),
    timeRow(
      `${what}: longest task while scrolling (0: no task of 50 ms or more)`,
      [Math.max(0, ...scrolled)],
      50,
    ),
    timeRow(
      `${what}: main thread's time per update in which every machine reports`,
      updates.map(({ task }) => task),
      100,
      {
        details: [
          `by processor time, ms: ${updates.map(({ processor }) => wholeNumber(processor)).join(' ')}`,
        ],
      },
    ),
  ];
};

/** Runs in the page: presses a button and returns the time until the list has a different first row, ms. */
async function pressOnce(selector: string): Promise<number> {
  const first = () => document.querySelector<HTMLElement>('[data-serial]')?.dataset.serial;
  const before = first();
  const began = performance.now();
  document.querySelector<HTMLElement>(selector)?.click();
  while (first() === before && performance.now() - began < 10_000)
    await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - began;
}

async function fillMonth({ owner }: BenchPortal): Promise<void> {
  await owner.query(
    `insert into day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj,
       carried_mm, unused_no_fix, unused_null_island, unused_jumps)
     select w.stream_id, day, w.organization_id, 0, 100, 18000000, 7200000, 600000, 162000000000, 0, 90000000000, 1200000, 28800000,
       28800000, 28800000, 28000000, 0, 18000000, 162000000000, 0, 0, 0, 0, 0
     from ownership w, generate_series(current_date - 31, current_date, '1 day') as day on conflict do nothing`,
  );
  await owner.query(
    `insert into rollup (stream_id, bucket, count, running_ms, out_mj, in_mj, charged_mj, distance_mm, run_known_ms, run_out_mj, run_in_mj,
       charging_ms, cable_ms, heard_ms, known_ms, full_ms, carried_mm, unused_no_fix, unused_null_island, unused_jumps,
       charging_current_min, charging_current_max, charging_flag_min, charging_flag_max)
     select w.stream_id, date_trunc('day', now()) - interval '29 days' - n * interval '5 minutes', 30, 200000, 1800000000, 0, 0, 0, 200000,
       1800000000, 0, 0, 0, 300000, 300000, 0, 0, 0, 0, 0, 'infinity', '-infinity', 'infinity', '-infinity'
     from ownership w, generate_series(1, 96) as n`,
  );
  await owner.query('vacuum analyze day_figures');
  await owner.query('vacuum analyze rollup');
}
