import type { Browser, Page } from '@playwright/test';

/** Of Chromium's trace format; times in microseconds. `tdur`: the thread's own processor time. */
type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
};

/**
 * The longest task of the page's main thread while `work` runs, by the thread's own processor time, ms: what others
 * took of the processor meanwhile is not in it, as it is in the tasks that the page itself can see. Tracing costs
 * time of its own.
 */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work().catch(async (error) => {
    await browser.stopTracing();
    throw error;
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  // A spare renderer idles beside the page's.
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mainThreads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('The trace has no task.');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
}
