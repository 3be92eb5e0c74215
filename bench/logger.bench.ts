/**
 * An LMB logger's page with 100,000 points in Chromium (docs/performance.md). Charts: from the last byte of the data to the frame
 * that shows all three. A slider step: the main thread's time for one press of an arrow key, until text, cursors and marker are drawn.
 */
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { createStream } from '#server/streams/streams.store.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MACHINE_STATUS_LEGEND, RAIL_GEAR_LEGEND, TRACK_LEGEND } from '#shared/domain/rail-legend.ts';
import { mainThreadDifference, openMeasuredVisit, RENDER_WAIT_MS, startBrowser } from './pages.ts';
import { startBenchPortal } from './portal.ts';
import { type Bench, timeRow, wholeNumber } from './report.ts';

const VISITS = 5;
const STEPS = 60;
const ALIAS = 'Spoorkar Bench';
const DATA = '/api/berend/get/data';
/** The last of the three charts. */
const LAST_CHART = 'section[aria-label="Spoordata"] .u-over';
/** Number of points of all charts together (docs/performance.md), and of positions of the path (the most that the server returns). */
const [POINTS, POSITIONS] = [100_000, 2_000];

export const loggerBench: Bench = async (context) => {
  const browser = await startBrowser(context);
  const portal = await startBenchPortal(context);
  const organizationId = await createOrganization(portal.pool, {
    name: 'spoor',
    clean: 'Spoor',
    isLmbCustomer: true,
  });
  await createStream(portal.pool, 'logger', { serial: '7000001', alias: ALIAS, organizationId });
  const cookie = await portal.signIn();
  const body = JSON.stringify(railAnswer());
  const [chartsMs, stepsMs]: [number[], number[]] = [[], []];
  for (let n = 0; n < VISITS; n++) {
    const visit = await openMeasuredVisit(browser, portal.address, cookie, LAST_CHART);
    const { page } = visit;
    await page.route(`**${DATA}**`, (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`/lmb-logging/${encodeURIComponent(ALIAS)}`);
    const shownAt = await visit.firstMarkerAt();
    const lastByteAt = await page.evaluate((path) => {
      const [entry] = performance.getEntriesByType('resource').filter(({ name }) => name.includes(path));
      return performance.timeOrigin + (entry as PerformanceResourceTiming).responseEnd;
    }, DATA);
    chartsMs.push(shownAt - lastByteAt);
    await page.waitForTimeout(RENDER_WAIT_MS);
    await page.getByRole('slider').focus();
    for (let step = 0; step < STEPS; step++) {
      const before = await visit.mainThread();
      await page.keyboard.press('ArrowRight');
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      stepsMs.push(mainThreadDifference(before, await visit.mainThread()).task);
    }
    await visit.close();
    context.log(`Charts after ${wholeNumber(chartsMs.at(-1) ?? 0)} ms`);
  }
  return [
    timeRow(
      `page of an LMB logger, ${wholeNumber(POINTS)} points: time from the data to the charts`,
      chartsMs,
      300,
    ),
    timeRow(
      `page of an LMB logger, ${wholeNumber(POINTS)} points: main thread's time per slider step`,
      stepsMs,
      17,
    ),
  ];
};

/** Returns more points than a page requests of the server: 70,000 speeds and 30,000 intervals of codes over twelve hours. */
function railAnswer(): LmbData {
  const at = (share: number) =>
    new Date(Date.parse('2025-04-12T06:00:00Z') + share * 12 * 3_600_000).toISOString();
  const series = (count: number, codeOf: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => ({
      _time: at(n / count),
      _value: codeOf(n),
      _start: at(n / count),
      _stop: at((n + 1) / count),
    }));
  const [status = [], tracks = [], gears = []] = [MACHINE_STATUS_LEGEND, TRACK_LEGEND, RAIL_GEAR_LEGEND].map(
    (legend) => legend.map((line) => ({ ...line })),
  );
  const [spoor, spoorstand] = [2, 3].map((codes) => series(POINTS / 10, (n) => n % codes)) as [
    LmbData['spoor'],
    LmbData['spoorstand'],
  ];
  const location = Array.from({ length: POSITIONS }, (_, n) => ({
    lat: 52.15 + n * 1e-4,
    lon: 5.38 + 0.02 * Math.sin(n / 60),
    time: at(n / POSITIONS),
  }));
  const speeds = series(0.7 * POINTS, (n) => 20 + 12 * Math.sin(n / 700) + (n % 5));
  return {
    spoor,
    spoorstand,
    legendas: { machinestatus: status, spoordata: [...tracks, ...gears] },
    speed: [{ name: 'speed', data: speeds, colors: [] }],
    machinestatus: [{ name: 'machinestatus', data: series(POINTS / 10, (n) => n % 5), colors: status }],
    spoordata: [
      { name: 'spoor', data: spoor, colors: tracks },
      { name: 'spoorstand', data: spoorstand, colors: gears },
    ],
    location,
    position: location.at(-1) ?? null,
    totals: { codes: [], noDataMs: 0 },
    lastDay: '2025-04-12',
  };
}
