import { type Browser, type BrowserContext, chromium, type Page, type Request } from '@playwright/test';
import { findBrowser } from '#scripts/browser.ts';
import { buildWebIfMissing } from '#scripts/build-web.ts';
import type { BenchContext } from './context.ts';

/** Starts the Chromium that the tests use. Builds the web pages first if dist/ is missing or outdated. */
export async function startBrowser(context: BenchContext): Promise<Browser> {
  await buildWebIfMissing();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args] });
  context.onClose(() => browser.close());
  return browser;
}

/** Time that the main thread of a page has spent in tasks so far, ms. */
export type MainThreadMs = {
  /** By the clock. */
  readonly task: number;
  /** By the thread's own processor time, which excludes the time that other programs took meanwhile. */
  readonly processor: number;
};

/** The first visit of a browser to a page, with measurements from inside the page. */
export type MeasuredVisit = {
  readonly page: Page;
  /** Waits for the first marker. Returns when the frame that shows it began, ms since 1970. */
  firstMarkerAt(): Promise<number>;
  /** Returns the durations in ms of the main thread's tasks of 50 ms and more since the last call. */
  longTasks(): Promise<number[]>;
  mainThread(): Promise<MainThreadMs>;
  close(): Promise<void>;
};

export const mainThreadDifference = (from: MainThreadMs, to: MainThreadMs): MainThreadMs => ({
  task: to.task - from.task,
  processor: to.processor - from.processor,
});

type Notes = { firstMarkerAt?: number; longTasks: number[] };
declare global {
  interface Window {
    benchNotes: Notes;
  }
}

/** Class of Leaflet's markers, bubbles included. */
export const MARKER_SELECTOR = '.leaflet-marker-icon';

/**
 * Opens an empty page of 1280 x 800 with an empty cache and the session of `cookie`.
 * @param marker CSS selector of the element to wait for
 */
export async function openMeasuredVisit(
  browser: Browser,
  address: string,
  cookie: string,
  marker: string,
): Promise<MeasuredVisit> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    locale: 'nl-NL',
    timezoneId: 'Europe/Amsterdam',
    // A service worker would also fetch files that the page does not wait for.
    serviceWorkers: 'block',
  });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  await page.addInitScript(takeNotes, marker);
  const byClock = await taskTime(context, page, 'timeTicks');
  const byProcessor = await taskTime(context, page, 'threadTicks');
  return {
    page,
    async firstMarkerAt() {
      await page.waitForFunction(() => window.benchNotes.firstMarkerAt !== undefined);
      return (await page.evaluate(() => window.benchNotes.firstMarkerAt)) ?? Number.NaN;
    },
    longTasks: () => page.evaluate(() => window.benchNotes.longTasks.splice(0)),
    mainThread: async () => ({ task: await byClock(), processor: await byProcessor() }),
    close: () => context.close(),
  };
}

/** Returns a function that reads Chromium's counter of the time that the page's main thread has spent in tasks, ms. */
async function taskTime(context: BrowserContext, page: Page, timeDomain: 'timeTicks' | 'threadTicks') {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** Records the first marker and the long tasks. Runs in the page, before the page's own scripts. */
function takeNotes(marker: string): void {
  const notes: Notes = { longTasks: [] };
  window.benchNotes = notes;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const watcher = new MutationObserver(() => {
    if (!document.querySelector(marker)) return;
    watcher.disconnect();
    requestAnimationFrame((at) => {
      notes.firstMarkerAt = performance.timeOrigin + at;
    });
  });
  watcher.observe(document, { childList: true, subtree: true });
}

/** Time in which a page renders a response before the next readings are stored. */
export const RENDER_WAIT_MS = 1_500;

const LIVE_PATH = '/api/live';
const isLive = (request: Request): boolean => new URL(request.url()).pathname === LIVE_PATH;

/**
 * Returns when the last byte of the next response with live data arrived, ms since 1970. A 304 response has no
 * live data.
 */
export async function waitForNextLiveResponse(page: Page): Promise<number> {
  for (;;) {
    const request = await page.waitForEvent('requestfinished', { predicate: isLive, timeout: 60_000 });
    if ((await request.response())?.status() !== 200) continue;
    const { startTime, responseEnd } = request.timing();
    return startTime + responseEnd;
  }
}

export type UpdateCost = MainThreadMs & {
  /** Durations in ms of the tasks of 50 ms and more. */
  readonly longTasks: readonly number[];
};

/**
 * Measures the updates of a page that polls for live data. Holds the page's polls back while readings are stored, so that each response
 * has a new reading of every machine.
 * @param store stores a new reading of every machine; takes less than the time limit of a poll
 */
export async function measurePageUpdates(
  visit: MeasuredVisit,
  count: number,
  store: () => Promise<void>,
): Promise<UpdateCost[]> {
  const { page } = visit;
  let stored: Promise<void> = Promise.resolve();
  await page.route(
    ({ pathname }) => pathname === LIVE_PATH,
    async (route) => {
      await stored;
      await route.continue();
    },
  );
  const updates: UpdateCost[] = [];
  while (updates.length <= count) {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    stored = promise;
    await store();
    const answered = waitForNextLiveResponse(page);
    await visit.longTasks();
    const before = await visit.mainThread();
    release();
    await answered;
    await page.waitForTimeout(RENDER_WAIT_MS);
    const now = await visit.mainThread();
    updates.push({ ...mainThreadDifference(before, now), longTasks: await visit.longTasks() });
  }
  return updates.slice(1); // A poll before the first store may have been under way.
}

/** Events of Chromium's trace format. `tdur`: the thread's own processor time, microseconds. */
type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
};

/**
 * Returns the processor time of the longest task of the page's main thread while `work` runs, ms. Reads a trace, because the durations
 * that a script in the page can measure include the time that other programs took.
 */
export async function measureLongestTaskMs(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  const failed = await work().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  if (failed) throw failed.error;
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mainThreads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('The trace has no task.');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
}
