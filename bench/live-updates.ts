import type { Page, Request } from '@playwright/test';
import { between, type MainThread, type PageProbe } from './page-probe.ts';

/** After an answer the page has this long to draw it before the next readings are stored. */
export const DRAWN_AFTER_MS = 1_500;

const isLive = (request: Request): boolean => new URL(request.url()).pathname === '/api/live';

/** When the last byte of the next answer with live data came in, ms since 1970; an answer 304 is none. */
export async function liveAnswer(page: Page): Promise<number> {
  for (;;) {
    const request = await page.waitForEvent('requestfinished', { predicate: isLive, timeout: 60_000 });
    if ((await request.response())?.status() !== 200) continue;
    const { startTime, responseEnd } = request.timing();
    return startTime + responseEnd;
  }
}

export type Update = {
  readonly mainThread: MainThread;
  /** Tasks of 50 ms and more, ms. */
  readonly longTasks: readonly number[];
};

/**
 * Updates of a page that polls: from one store of new readings to the next, one poll each. A store that a poll came
 * into the middle of would be two half updates: neither counts.
 * @param store stores a new reading of every machine
 * @throws when storing takes too long, again and again
 */
export async function watchUpdates(
  page: Page,
  probe: PageProbe,
  count: number,
  store: () => Promise<void>,
): Promise<Update[]> {
  let polls = 0;
  const countPoll = (request: Request): void => {
    if (isLive(request)) polls += 1;
  };
  page.on('request', countPoll);
  const updates: Update[] = [];
  let before: MainThread | undefined;
  for (let tries = 0; updates.length < count; tries++) {
    if (tries > 4 * count)
      throw new Error('Storing the readings takes longer than the time between two polls.');
    const pollsBefore = polls;
    const answered = liveAnswer(page);
    await store();
    const split = polls !== pollsBefore;
    const now = await probe.mainThread();
    const longTasks = await probe.longTasks();
    if (before && !split) updates.push({ mainThread: between(before, now), longTasks });
    before = split ? undefined : now;
    await answered;
    await page.waitForTimeout(DRAWN_AFTER_MS);
  }
  page.off('request', countPoll);
  return updates;
}
