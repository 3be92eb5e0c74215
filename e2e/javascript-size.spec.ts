import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, mapMarker, signInByApi, test } from './fixtures.ts';

/** Largest sizes of the JavaScript after gzip, in kB (1,000 bytes), from docs/performance.md. */
const SIGN_IN_KB = 180;
const HOME_KB = 320;

type Script = { readonly url: string; readonly kB: number };

/** Returns the JavaScript files that a page loads until `shown` resolves and the network is idle, with their sizes after gzip. */
async function scriptsOf(page: Page, path: string, shown: () => Promise<void>): Promise<Script[]> {
  const scripts: Promise<Script>[] = [];
  const measure = (response: Awaited<ReturnType<Page['waitForResponse']>>): void => {
    if (/javascript/.test(response.headers()['content-type'] ?? ''))
      scripts.push(
        response
          .body()
          .then((body) => ({ url: response.url(), kB: gzipSync(body, { level: 9 }).length / 1_000 })),
      );
  };
  page.on('response', measure);
  await page.goto(path);
  await shown();
  await page.waitForLoadState('networkidle');
  page.off('response', measure);
  expect(scripts.length).toBeGreaterThan(0);
  return Promise.all(scripts);
}

const sizeOf = (scripts: readonly Script[]): number => scripts.reduce((sum, { kB }) => sum + kB, 0);
const describeScripts = (scripts: readonly Script[]): string =>
  scripts.map(({ url, kB }) => `${kB.toFixed(1)} kB ${url}`).join('\n');

test('sign-in loads at most 180 kB of JavaScript, and home 320 kB (53.26)', async ({
  browser,
  page,
  portal,
}, info) => {
  const { email, machine } = await portal.fleet();
  const { alias, report } = await machine();
  await report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 50 });
  const signIn = await scriptsOf(page, '/signin', () => page.getByLabel('E-mail').waitFor());
  // Measures home in a browser that has not stored any file of the portal.
  const context = await browser.newContext({ baseURL: portal.address, serviceWorkers: 'block' });
  const visitor = await context.newPage();
  await signInByApi(visitor, email);
  const home = await scriptsOf(visitor, '/', () => mapMarker(visitor, alias).waitFor());
  await context.close();
  info.annotations.push({
    type: 'kB',
    description: `sign-in ${sizeOf(signIn).toFixed(1)}, home ${sizeOf(home).toFixed(1)}`,
  });
  expect(sizeOf(signIn), describeScripts(signIn)).toBeLessThanOrEqual(SIGN_IN_KB);
  expect(sizeOf(home), describeScripts(home)).toBeLessThanOrEqual(HOME_KB);
});
