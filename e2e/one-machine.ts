import type { Page } from '@playwright/test';
import { type E2ePortal, expect, type Machine } from './fixtures.ts';

export const MACHINE_POSITION = { LATITUDE: 52.123456, LONGITUDE: 5.3 };
const now = (): number => Math.floor(Date.now() / 1000);

type Details = Parameters<Awaited<ReturnType<E2ePortal['fleet']>>['machine']>[0];

/** Makes a user with one machine, which has no photo and no manual. */
export async function createUserWithMachine(portal: E2ePortal, details?: Details) {
  const fleet = await portal.fleet();
  return { ...fleet, ...(await fleet.machine(details)) };
}

/**
 * Uploads readings of the past in order: one per `step` seconds, from `from` to `to` seconds ago.
 * @param signals returns the signals of the n-th reading
 */
export async function uploadPastReadings(
  { report }: Pick<Machine, 'report'>,
  { from, to, step }: { from: number; to: number; step: number },
  signals: (n: number) => Record<string, number>,
): Promise<void> {
  const end = now();
  for (let ago = from, n = 0; ago >= to; ago -= step, n += 1)
    await report({ GMT_UNIX: end - ago, ...signals(n) });
}

export const panelRegion = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const openMachine = (page: Page, serial: string, search = '') =>
  page.goto(`/machine/${serial}${search}`);

/** The heading of a section of the machine page, which opens it on a phone. */
export const sectionButton = (page: Page, name: string) =>
  panelRegion(page, name).getByRole('button', { name }).first();

/** Opens a section of the machine page where it is closed, as most are on a phone. */
export async function openSection(page: Page, name: string): Promise<void> {
  await expect(panelRegion(page, name)).toBeVisible();
  const closed = panelRegion(page, name).locator('h2 [aria-expanded="false"]');
  if ((await closed.count()) > 0) await closed.click();
}

/** Opens every section of the machine page that is closed. */
export async function openSections(page: Page): Promise<void> {
  const closed = page.locator('h2 [aria-expanded="false"]');
  await expect(async () => {
    if ((await closed.count()) > 0) await closed.first().click();
    expect(await closed.count()).toBe(0);
  }).toPass();
}

/** Expects that the page is not wider than the screen. Does not compare with the window, which a phone widens for a wide page. */
export async function expectPageFitsScreen(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
}
