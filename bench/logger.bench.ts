/**
 * An LMB logger's page with 100,000 points in Chromium, 1280 x 800 (docs/design.md section 11). Charts: from the last
 * byte of the data to the frame that shows all three. A slider step: what the main thread does for one press of an
 * arrow key, from the key to the picture: words, three cursors and the marker on the map.
 */
import type { Browser, Page } from '@playwright/test';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { newVisitor, startBrowser } from './bench-browser.ts';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { median, percentile } from './median.ts';
import { between, probePage } from './page-probe.ts';
import { POINTS, railAnswer } from './rail-answer.ts';
import { type Bench, whole } from './row.ts';

const VISITS = 5;
const STEPS = 60;
const CHARTS_MS = 300;
const STEP_MS = 17;
/** ms; until nothing of the visit's own moves any more. */
const SETTLED_MS = 1_500;
const ALIAS = 'Spoorkar Bench';
const DATA = '/api/berend/get/data';
/** The last of the three. */
const LAST_CHART = 'section[aria-label="Spoordata"] .u-over';

export const logger: Bench = async (place) => {
  const browser = await startBrowser(place);
  const portal = await startBenchPortal(place);
  const organizationId = await createOrganization(portal.pool, {
    name: 'spoor',
    clean: 'Spoor',
    isLmbCustomer: true,
  });
  await createStream(portal.pool, 'logger', { serial: '7000001', alias: ALIAS, organizationId });
  const cookie = await portal.signIn();
  const answer = JSON.stringify(railAnswer());

  const visits: Visit[] = [];
  for (let n = 0; n < VISITS; n++) {
    const visit = await visitLogger(browser, portal, cookie, answer);
    place.say(
      `charts after ${whole(visit.chartsMs)} ms, a step takes ${median(visit.stepsMs).toFixed(1)} ms`,
    );
    visits.push(visit);
  }
  const chartsMs = visits.map((visit) => visit.chartsMs);
  const stepsMs = visits.flatMap((visit) => visit.stepsMs);
  const processorMs = visits.flatMap((visit) => visit.processorMs);
  const figures = (values: readonly number[]) =>
    `median ${median(values).toFixed(1)}, p95 ${percentile(values, 0.95).toFixed(1)}, most ${percentile(values, 1).toFixed(1)}`;
  return [
    {
      what: `logger detail, ${whole(POINTS)} points: charts after the data`,
      measured: `${whole(median(chartsMs))} ms`,
      reach: `<= ${CHARTS_MS} ms`,
      reached: median(chartsMs) <= CHARTS_MS,
      notes: [`each visit, ms: ${chartsMs.map(whole).join('  ')}`, `Chromium ${browser.version()}`],
    },
    {
      what: `logger detail, ${whole(POINTS)} points: main thread per slider step`,
      measured: `${median(stepsMs).toFixed(1)} ms`,
      reach: `<= ${STEP_MS} ms`,
      reached: median(stepsMs) <= STEP_MS,
      notes: [
        `${stepsMs.length} steps, by the clock, ms: ${figures(stepsMs)}`,
        `by the thread's own processor time (what others took is not in it), ms: ${figures(processorMs)}`,
      ],
    },
  ];
};

type Visit = {
  readonly chartsMs: number;
  /** Of each step: by the clock, and by the thread's own processor time. */
  readonly stepsMs: readonly number[];
  readonly processorMs: readonly number[];
};

async function visitLogger(
  browser: Browser,
  { address }: BenchPortal,
  cookie: string,
  answer: string,
): Promise<Visit> {
  const context = await newVisitor(browser, address, cookie);
  const page = await context.newPage();
  const probe = await probePage(context, page, LAST_CHART);
  await page.route(`**${DATA}**`, (route) =>
    route.fulfill({ contentType: 'application/json', body: answer }),
  );
  await page.goto(`/lmb-logging/${encodeURIComponent(ALIAS)}`);
  await page.waitForFunction(() => window.benchNotes.firstMarkerAt !== undefined);
  const chartsMs = ((await probe.firstMarkerAt()) ?? Number.NaN) - (await lastByteAt(page));
  await page.waitForTimeout(SETTLED_MS);
  await page.getByRole('slider').focus();
  const stepsMs: number[] = [];
  const processorMs: number[] = [];
  for (let n = 0; n < STEPS; n++) {
    const before = await probe.mainThread();
    await page.keyboard.press('ArrowRight');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    const { task, processor } = between(before, await probe.mainThread());
    stepsMs.push(task);
    processorMs.push(processor);
  }
  await context.close();
  return { chartsMs, stepsMs, processorMs };
}

/** ms since 1970. */
const lastByteAt = (page: Page): Promise<number> =>
  page.evaluate((path) => {
    const [entry] = performance.getEntriesByType('resource').filter(({ name }) => name.includes(path));
    return performance.timeOrigin + (entry as PerformanceResourceTiming).responseEnd;
  }, DATA);
