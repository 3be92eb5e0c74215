/**
 * Home with 10,000 machines, 500 of them in one yard, in Chromium (docs/performance.md). Measures:
 *
 * - First markers: from the last byte of the live response to the frame that shows markers, for a browser that has never visited.
 * - Updates: the main thread's time from poll to poll, and its longest task. Between two polls every machine moves some 40 m.
 * - The longest task of a journey: from the whole country to the list of the yard's bubble, to a machine in that list, and back.
 */
import type { Browser, Page } from '@playwright/test';
import { benchMachineSignals } from './fleet.ts';
import {
  MARKER_SELECTOR,
  type MeasuredVisit,
  measureLongestTaskMs,
  measurePageUpdates,
  openMeasuredVisit,
  RENDER_WAIT_MS,
  startBrowser,
  waitForNextLiveResponse,
} from './pages.ts';
import { startBenchPortal } from './portal.ts';
import { type Bench, timeRow, wholeNumber } from './report.ts';

const MACHINES = Number(process.env.HOME_MACHINES ?? 10_000);
const IN_YARD = 500;
const YARD = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const JOURNEYS = 3;
const VISITS = 5;
const UPDATES = 8;
const MAX_TASK_MS = 50;

export const homePageBench: Bench = async (context) => {
  const browser = await startBrowser(context);
  const portal = await startBenchPortal(context);
  context.log(`Making ${wholeNumber(MACHINES)} machines`);
  const loggers = await portal.machines(MACHINES);
  let step = 0;
  const signals = (machine: number, at: number) => ({
    ...benchMachineSignals(machine, at),
    ...(machine < IN_YARD && YARD),
  });
  const store = () => portal.report(loggers, step++, Date.now(), signals);
  await store();
  const cookie = await portal.signIn();

  async function openHome(): Promise<{ visit: MeasuredVisit; markersMs: number }> {
    const visit = await openMeasuredVisit(browser, portal.address, cookie, MARKER_SELECTOR);
    const answered = waitForNextLiveResponse(visit.page);
    await visit.page.goto('/');
    const answeredAt = await answered;
    const markersMs = (await visit.firstMarkerAt()) - answeredAt;
    await visit.page.waitForTimeout(RENDER_WAIT_MS);
    return { visit, markersMs };
  }
  const markersMs: number[] = [];
  for (let n = 0; n < VISITS; n++) {
    const opened = await openHome();
    markersMs.push(opened.markersMs);
    await opened.visit.close();
  }
  context.log(`First markers: ${markersMs.map(wholeNumber).join(' ')} ms`);
  const yard: number[] = [];
  for (let n = 0; n < JOURNEYS; n++) yard.push(await longestOfJourney(browser, portal.address, cookie));
  context.log(`Longest tasks into the yard and out: ${yard.map(wholeNumber).join(' ')} ms`);
  const { visit } = await openHome();
  const updates = await measurePageUpdates(visit, UPDATES, store);
  const longest = updates.map(({ longTasks }) => Math.max(0, ...longTasks));
  const what = `map of ${wholeNumber(MACHINES)} machines`;
  return [
    timeRow(`${what}: time from the data to the first markers`, markersMs, 1_500, {
      details: [`Chromium ${browser.version()}`],
    }),
    timeRow(
      `${what}: main thread's time per update in which every machine moved`,
      updates.map(({ task }) => task),
      250,
      {
        details: [
          `by processor time, ms: ${updates.map(({ processor }) => wholeNumber(processor)).join(' ')}`,
        ],
      },
    ),
    timeRow(`${what}: longest task of an update (0: no task of 50 ms or more)`, longest, MAX_TASK_MS),
    timeRow(
      `${what}, ${IN_YARD} in one yard: longest task while zooming in, opening the yard's list and zooming out`,
      [Math.max(...yard)],
      MAX_TASK_MS,
      {
        details: [`by processor time, each journey, ms: ${yard.map(wholeNumber).join(' ')}`],
      },
    ),
  ];
};

const FIRST_ZOOM = 7;
/** Number of zoom steps. Leaflet rounds the centre to whole px, so that after more steps the yard would be out of sight. */
const STEPS = 5;
const ZOOMED_MS = 450;

async function longestOfJourney(browser: Browser, address: string, cookie: string): Promise<number> {
  const { page, close } = await openMeasuredVisit(browser, address, cookie, MARKER_SELECTOR);
  await page.goto(`/?kaart=${YARD.LATITUDE},${YARD.LONGITUDE},${FIRST_ZOOM}`);
  await page.locator(MARKER_SELECTOR).first().waitFor();
  await page.waitForTimeout(RENDER_WAIT_MS);
  const longest = await measureLongestTaskMs(browser, page, () => journey(page));
  await close();
  return longest;
}

/** Zooms in from zoom 7, presses the yard's bubble until it shows its list, opens a machine in the list, and zooms out again. */
async function journey(page: Page): Promise<void> {
  const map = page.getByRole('region', { name: 'Kaart met machines' });
  await map.focus();
  for (let n = 0; n < STEPS; n++) await zoomBy(page, 'NumpadAdd');
  const list = page.getByRole('dialog', { name: /machines op één plek/ });
  while (!(await list.isVisible())) {
    // At first the bubble also counts machines near the yard, so only the first digit of its number is certain.
    await map.getByRole('button', { name: new RegExp(`^${IN_YARD / 100}\\d\\d machines`) }).click();
    await page.waitForTimeout(ZOOMED_MS);
  }
  await list.getByRole('listitem').nth(2).getByRole('button').click();
  await page.getByRole('dialog', { name: 'Graafmachine 2' }).waitFor();
  await page.waitForTimeout(ZOOMED_MS);
  await page.keyboard.press('Escape');
  await map.focus();
  for (let n = 0; n < STEPS; n++) await zoomBy(page, 'NumpadSubtract');
}

async function zoomBy(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForTimeout(ZOOMED_MS);
  await page.waitForFunction(() => !document.querySelector('.leaflet-zoom-anim'));
}
