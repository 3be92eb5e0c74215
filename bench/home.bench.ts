/**
 * Home with 10,000 machines, 500 of them in one yard, in Chromium, 1280 x 800 (docs/design.md section 11). First markers: from the last byte of
 * the live answer to the frame that shows markers, of a browser that was never here before. Updates: every machine has
 * a new reading, some 40 m further, between two polls; what the main thread does from poll to poll, and its longest
 * task. Into the yard: from the whole country to its bubble's list and a machine in it, and out;
 * reference: the same zooming on the map of somebody without machines.
 */
import type { Browser, Page } from '@playwright/test';
import { MARKER, newVisitor, startBrowser } from './bench-browser.ts';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { signalsOf } from './fleet.ts';
import { DRAWN_AFTER_MS, liveAnswer, watchUpdates } from './live-updates.ts';
import { median, percentile } from './median.ts';
import { probePage } from './page-probe.ts';
import { type Bench, whole } from './row.ts';
import { longestTask } from './task-trace.ts';

const MACHINES = 10_000;
const IN_YARD = 500;
const YARD = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const JOURNEYS = 3;
const VISITS = 5;
const UPDATES = 8;
const TRACED_UPDATES = 3;
const FIRST_MARKERS_MS = 1_500;
const UPDATE_MS = 250;
const LONGEST_TASK_MS = 50;

export const home: Bench = async (place) => {
  const browser = await startBrowser(place);
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  let step = 0;
  const signals = (machine: number, at: number) => ({
    ...signalsOf(machine, at),
    ...(machine < IN_YARD && YARD),
  });
  const store = () => portal.report(loggers, step++, Date.now(), signals);
  await store();
  const cookie = await portal.signIn();

  const visits: Visit[] = [];
  for (let n = 0; n < VISITS; n++) {
    const { visit, close } = await openHome(browser, portal, cookie);
    place.say(`first markers after ${whole(visit.markersMs)} ms`);
    visits.push(visit);
    await close();
  }
  place.say('Into the yard and out, again and again');
  const yard = await journeys(browser, portal, cookie, true);
  const empty = await journeys(browser, portal, await portal.signInWithoutMachines(), false);
  place.say(
    `longest task ${yard.processor.toFixed(1)} ms, without machines ${empty.processor.toFixed(1)} ms, by processor time`,
  );
  const { page, probe } = await openHome(browser, portal, cookie);
  place.say('Every machine moves, again and again');
  const updates = await watchUpdates(page, probe, UPDATES, store);
  const traced = await longestTask(browser, page, () => watchUpdates(page, probe, TRACED_UPDATES, store));

  const markersMs = visits.map((visit) => visit.markersMs);
  const tasks = updates.map(({ mainThread }) => mainThread.task);
  const longest = updates.map(({ longTasks }) => Math.max(0, ...longTasks));
  const list = (values: readonly number[]) => values.map(whole).join('  ');
  return [
    {
      what: `home, ${whole(MACHINES)} machines: first markers after the data`,
      measured: `${whole(median(markersMs))} ms`,
      reach: `<= ${whole(FIRST_MARKERS_MS)} ms`,
      reached: median(markersMs) <= FIRST_MARKERS_MS,
      notes: [
        `each visit, ms: ${list(markersMs)}`,
        `longest task while loading, ms: ${list(visits.map((visit) => visit.longestTask))}`,
        `Chromium ${browser.version()}`,
      ],
    },
    {
      what: `home, ${whole(MACHINES)} machines: main thread per update, every machine moved`,
      measured: `${whole(median(tasks))} ms`,
      reach: `<= ${UPDATE_MS} ms`,
      reached: median(tasks) <= UPDATE_MS,
      notes: [
        `each update, by the clock, ms: ${list(tasks)}`,
        `by the thread's own processor time (what others took is not in it), ms: ${list(updates.map(({ mainThread }) => mainThread.processor))}`,
        `of the clock's in scripts, ms: ${list(updates.map(({ mainThread }) => mainThread.script))}; in style and layout: ${list(updates.map(({ mainThread }) => mainThread.layout))}`,
      ],
    },
    {
      what: `home, ${whole(MACHINES)} machines: longest task of an update`,
      measured: median(longest) === 0 ? `< ${LONGEST_TASK_MS} ms` : `${whole(median(longest))} ms`,
      reach: `<= ${LONGEST_TASK_MS} ms`,
      reached: median(longest) <= LONGEST_TASK_MS,
      notes: [
        `longest of each update, ms (0: none of 50 or more): ${list(longest)}; of all ${whole(percentile(longest, 1))}`,
        `all tasks of 50 ms and more, ms: ${updates.map(({ longTasks }) => `[${longTasks.map(whole).join(' ')}]`).join(' ')}`,
        `longest of ${TRACED_UPDATES} traced updates by the thread's own processor time: ${whole(traced)} ms`,
      ],
    },
    {
      what: `home, ${whole(MACHINES)} machines, ${IN_YARD} in one yard: longest task of zooming in, its list, and out`,
      measured: `${yard.processor.toFixed(1)} ms`,
      reference: `${empty.processor.toFixed(1)} ms zooming without machines`,
      reach: `<= ${LONGEST_TASK_MS} ms`,
      reached: yard.processor <= LONGEST_TASK_MS,
      notes: [
        `by the thread's own processor time, of ${JOURNEYS} traced journeys`,
        `tasks of 50 ms and more by the clock, what others took of the processor included, ms: [${yard.longTasks.map(whole).join(' ')}]; without machines: [${empty.longTasks.map(whole).join(' ')}]`,
      ],
    },
  ];
};

type Journeys = { readonly processor: number; readonly longTasks: readonly number[] };

/** @param hasYard whether there is a bubble to open */
async function journeys(
  browser: Browser,
  { address }: BenchPortal,
  cookie: string,
  hasYard: boolean,
): Promise<Journeys> {
  const processor: number[] = [];
  const longTasks: number[] = [];
  for (let n = 0; n < JOURNEYS; n++) {
    const context = await newVisitor(browser, address, cookie);
    const page = await context.newPage();
    const probe = await probePage(context, page, MARKER);
    await page.goto(`/?kaart=${YARD.LATITUDE},${YARD.LONGITUDE},${FIRST_ZOOM}`);
    await (hasYard ? page.locator(MARKER).first() : page.getByText('Nog geen machines').first()).waitFor();
    await page.waitForTimeout(DRAWN_AFTER_MS);
    await probe.longTasks();
    processor.push(await longestTask(browser, page, () => journey(page, hasYard)));
    longTasks.push(...(await probe.longTasks()));
    await context.close();
  }
  return { processor: Math.max(...processor), longTasks };
}

const FIRST_ZOOM = 7;
/** Leaflet rounds the middle to whole px: further in the yard would be out of sight. */
const STEPS = 5;
const ZOOMED_MS = 450;

/** From zoom 7, by its bubble, which zooms in until it has a list, and out again. */
async function journey(page: Page, hasYard: boolean): Promise<void> {
  const map = page.getByRole('region', { name: 'Kaart met machines' });
  await map.focus();
  for (let n = 0; n < STEPS; n++) await zoomBy(page, 'NumpadAdd');
  if (hasYard) {
    const list = page.getByRole('dialog', { name: /machines op één plek/ });
    while (!(await list.isVisible())) {
      // Those that stand near it are in its bubble at first.
      await map.getByRole('button', { name: new RegExp(`^${IN_YARD / 100}\\d\\d machines`) }).click();
      await page.waitForTimeout(ZOOMED_MS);
    }
    await list.getByRole('listitem').nth(2).getByRole('button').click();
    await page.getByRole('dialog', { name: 'Graafmachine 2' }).waitFor();
    await page.waitForTimeout(ZOOMED_MS);
    await page.keyboard.press('Escape');
    await map.focus();
  }
  for (let n = 0; n < STEPS; n++) await zoomBy(page, 'NumpadSubtract');
}

async function zoomBy(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForTimeout(ZOOMED_MS);
  await page.waitForFunction(() => !document.querySelector('.leaflet-zoom-anim'));
}

type Visit = { readonly markersMs: number; readonly longestTask: number };

async function openHome(browser: Browser, { address }: BenchPortal, cookie: string) {
  const context = await newVisitor(browser, address, cookie);
  const page = await context.newPage();
  const probe = await probePage(context, page, MARKER);
  const answered = liveAnswer(page);
  await page.goto('/');
  const answeredAt = await answered;
  await page.waitForFunction(() => window.benchNotes.firstMarkerAt !== undefined);
  await page.waitForTimeout(DRAWN_AFTER_MS);
  const markersMs = ((await probe.firstMarkerAt()) ?? Number.NaN) - answeredAt;
  const visit: Visit = { markersMs, longestTask: Math.max(0, ...(await probe.longTasks())) };
  return { visit, page, probe, close: () => context.close() };
}
