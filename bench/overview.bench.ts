/**
 * The overview with 10,000 machines in Chromium, 1280 x 800 (docs/design.md section 11), and the call that it asks beside live data: of
 * 31 days of work of every machine, and of the day 30 days ago the roll-up of eight hours.
 */
import { newVisitor, startBrowser } from './bench-browser.ts';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { DRAWN_AFTER_MS, liveAnswer, watchUpdates } from './live-updates.ts';
import { median } from './median.ts';
import { probePage } from './page-probe.ts';
import { type Bench, type Row, whole } from './row.ts';

const MACHINES = 10_000;
const ASKED = 5;
const VISITS = 3;
const SORTS = 4;
const UPDATES = 4;
const ROW = '[data-serial]';

export const overview: Bench = async (place) => {
  const browser = await startBrowser(place);
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  let step = 0;
  const store = () => portal.report(loggers, step++, Date.now());
  await store();
  await fillMonth(portal);
  const cookie = await portal.signIn();
  const list = (values: readonly number[]) => values.map(whole).join('  ');
  const rows: Row[] = [];

  const asked: number[] = [];
  for (let n = 0; n <= ASKED; n++) {
    const began = performance.now();
    const answer = await fetch(`${portal.address}/api/fleet/figures`, { headers: { cookie } });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
    asked.push(performance.now() - began);
  }
  rows.push({
    what: `GET /api/fleet/figures, ${whole(MACHINES)} machines, 30 days`,
    measured: `${whole(median(asked.slice(1)))} ms`,
    reach: '<= 1,000 ms',
    reached: median(asked.slice(1)) <= 1_000,
    notes: [`each, the first one warms up, ms: ${list(asked)}`],
  });
  place.say(`figures: ${list(asked)} ms`);

  const shown: number[] = [];
  for (let n = 0; n < VISITS; n++) {
    const { context, afterData } = await open();
    shown.push(afterData);
    await context.close();
  }
  const { page, probe } = await open();
  const sorts: number[] = [];
  for (let n = 0; n < SORTS; n++) {
    await page.waitForTimeout(DRAWN_AFTER_MS);
    sorts.push(await page.evaluate(sortOnce));
  }
  const filters: number[] = [];
  for (let n = 0; n < SORTS; n++) {
    await page.waitForTimeout(DRAWN_AFTER_MS);
    filters.push(await page.evaluate(filterOnce, n % 2 === 0 ? 'charging' : 'running'));
  }
  await page.locator('[data-state="running"]').click();
  await page.waitForTimeout(DRAWN_AFTER_MS);
  const bare = await page.evaluate(sortNames, MACHINES);
  const read = await page.evaluate(readLive);
  await probe.longTasks();
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 900);
    await page.waitForTimeout(30);
  }
  const scrolled = await probe.longTasks();
  const updates = await watchUpdates(page, probe, UPDATES, store);
  const tasks = updates.map(({ mainThread }) => mainThread.task);
  rows.push(
    {
      what: `overview, ${whole(MACHINES)} machines: first rows after the data`,
      measured: `${whole(median(shown))} ms`,
      reach: '<= 500 ms',
      reached: median(shown) <= 500,
      notes: [`each visit, ms: ${list(shown)}`],
    },
    {
      what: `overview, ${whole(MACHINES)} machines: a column sorted`,
      measured: `${whole(median(sorts))} ms`,
      reach: '<= 100 ms',
      reached: median(sorts) <= 100,
      reference: `${whole(bare)} ms for sorting as many names alone`,
      notes: [`from the press to the frame after, ms: ${list(sorts)}`],
    },
    {
      what: `overview, ${whole(MACHINES)} machines: a state filtered`,
      measured: `${whole(median(filters))} ms`,
      reach: '<= 100 ms',
      reached: median(filters) <= 100,
      reference: `${whole(bare)} ms for sorting as many names alone`,
      notes: [`from the press to the frame that has other rows, ms: ${list(filters)}`],
    },
    {
      what: `overview, ${whole(MACHINES)} machines: longest task while scrolling`,
      measured: scrolled.length === 0 ? '< 50 ms' : `${whole(Math.max(...scrolled))} ms`,
      reach: '<= 50 ms',
      reached: scrolled.length === 0,
      notes: [`tasks of 50 ms and more, ms: ${list(scrolled)}`],
    },
    {
      what: `overview, ${whole(MACHINES)} machines: main thread per update, every machine reports`,
      measured: `${whole(median(tasks))} ms`,
      reach: '<= 100 ms',
      reached: median(tasks) <= 100,
      reference: `${whole(read)} ms for reading the answer at once`,
      notes: [
        `each update, ms: ${list(tasks)}`,
        `by the thread's own processor time, ms: ${list(updates.map(({ mainThread }) => mainThread.processor))}`,
        `of the clock's in scripts, ms: ${list(updates.map(({ mainThread }) => mainThread.script))}; in style and layout: ${list(updates.map(({ mainThread }) => mainThread.layout))}`,
      ],
    },
  );
  return rows;

  async function open() {
    const context = await newVisitor(browser, portal.address, cookie);
    const page = await context.newPage();
    const probe = await probePage(context, page, ROW);
    const answered = liveAnswer(page);
    // Each press turns the order round, so that the first row is another.
    await page.goto('/overzicht?sorteer=machine');
    const answeredAt = await answered;
    await page.waitForFunction(() => window.benchNotes.firstMarkerAt !== undefined);
    await page.waitForTimeout(DRAWN_AFTER_MS);
    return { context, page, probe, afterData: ((await probe.firstMarkerAt()) ?? Number.NaN) - answeredAt };
  }
};

/** Runs in the page: presses a column and waits for the frame that has other rows. */
async function sortOnce(): Promise<number> {
  const first = (): string | undefined =>
    document.querySelector<HTMLElement>('[data-serial]')?.dataset.serial;
  const before = first();
  const began = performance.now();
  document.querySelector<HTMLElement>('th[data-column="machine"] button')?.click();
  while (first() === before && performance.now() - began < 10_000)
    await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - began;
}

/** Runs in the page: presses a state of the strip and waits for the frame that has other rows. */
async function filterOnce(state: string): Promise<number> {
  const first = (): string | undefined =>
    document.querySelector<HTMLElement>('[data-serial]')?.dataset.serial;
  const before = first();
  const began = performance.now();
  document.querySelector<HTMLElement>(`button[data-state="${state}"]`)?.click();
  while (first() === before && performance.now() - began < 10_000)
    await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - began;
}

/** Runs in the page: the least that sorting by name can cost, ms. */
function sortNames(count: number): number {
  const names = Array.from({ length: count }, (_, n) => `Graafmachine ${(n * 7_919) % count}`);
  const { compare } = new Intl.Collator('nl', { sensitivity: 'base', numeric: true });
  const began = performance.now();
  names.sort(compare);
  return performance.now() - began;
}

/** Runs in the page: what reading a whole answer of live data costs the main thread, ms. */
async function readLive(): Promise<number> {
  const text = await (await fetch('/api/live')).text();
  const began = performance.now();
  JSON.parse(text);
  return performance.now() - began;
}

async function fillMonth({ owner }: BenchPortal): Promise<void> {
  await owner.query(
    `insert into day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj)
     select w.stream_id, day, w.organization_id, 0, 100, 18000000, 7200000, 600000, 162000000000, 0, 90000000000, 1200000, 28800000,
       28800000, 28800000, 28000000, 0, 18000000, 162000000000, 0
     from ownership w, generate_series(current_date - 31, current_date, '1 day') as day on conflict do nothing`,
  );
  await owner.query(
    `insert into rollup (stream_id, bucket, count, running_ms, out_mj, in_mj, charged_mj, distance_mm, run_known_ms, run_out_mj, run_in_mj)
     select w.stream_id, date_trunc('day', now()) - interval '29 days' - n * interval '5 minutes', 30, 200000, 1800000000, 0, 0, 0, 200000,
       1800000000, 0
     from ownership w, generate_series(1, 96) as n`,
  );
  await owner.query('vacuum analyze day_figures');
  await owner.query('vacuum analyze rollup');
}
