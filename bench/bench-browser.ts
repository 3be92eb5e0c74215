import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { findBrowser } from '#scripts/browser.ts';
import { buildWebIfMissing } from '#scripts/build-web.ts';
import type { Workplace } from './workplace.ts';

/** The Chromium that the tests use, with the pages built. */
export async function startBrowser(place: Workplace): Promise<Browser> {
  await buildWebIfMissing();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args] });
  place.onClose(() => browser.close());
  return browser;
}

/** A browser that was never here before, on a desk; with `cookie`, signed in. */
export async function newVisitor(
  browser: Browser,
  address: string,
  cookie?: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    locale: 'nl-NL',
    timezoneId: 'Europe/Amsterdam',
    // It fetches what no page waits for.
    serviceWorkers: 'block',
  });
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: address }]);
  }
  return context;
}

/** What Leaflet calls each of its markers, a bubble included. */
export const MARKER = '.leaflet-marker-icon';
