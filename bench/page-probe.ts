import type { BrowserContext, Page } from '@playwright/test';

/** Measures a page from inside, without a hand in its code. */
export type PageProbe = {
  /** When the first marker's frame began, ms since 1970; undefined: not yet. */
  firstMarkerAt(): Promise<number | undefined>;
  /** Tasks of 50 ms and more on the main thread since the last call, ms. */
  longTasks(): Promise<number[]>;
  /** Main thread so far, ms. */
  mainThread(): Promise<MainThread>;
};

export type MainThread = {
  /** In tasks, by the clock. */
  readonly task: number;
  /** In tasks, by the thread's own processor time: what others took meanwhile is not in it. */
  readonly processor: number;
  /** Of `task`, in scripts. */
  readonly script: number;
  /** Of `task`, in style and layout. */
  readonly layout: number;
};

/** What came between two states. */
export const between = (from: MainThread, to: MainThread): MainThread => ({
  task: to.task - from.task,
  processor: to.processor - from.processor,
  script: to.script - from.script,
  layout: to.layout - from.layout,
});

type Notes = { firstMarkerAt?: number; longTasks: number[] };
declare global {
  interface Window {
    benchNotes: Notes;
  }
}

/** @param marker a selector */
export async function probePage(context: BrowserContext, page: Page, marker: string): Promise<PageProbe> {
  await page.addInitScript(takeNotes, marker);
  const byClock = await metricsOf(context, page, 'timeTicks');
  const byProcessor = await metricsOf(context, page, 'threadTicks');
  return {
    firstMarkerAt: () => page.evaluate(() => window.benchNotes.firstMarkerAt),
    longTasks: () => page.evaluate(() => window.benchNotes.longTasks.splice(0)),
    async mainThread() {
      const ms = await byClock();
      return {
        task: ms('TaskDuration'),
        processor: (await byProcessor())('TaskDuration'),
        script: ms('ScriptDuration'),
        layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
      };
    },
  };
}

/** Reads Chromium's own counters of the page, in ms. */
async function metricsOf(context: BrowserContext, page: Page, timeDomain: 'timeTicks' | 'threadTicks') {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN);
  };
}

/** Runs in the page, before any of its own scripts. */
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
