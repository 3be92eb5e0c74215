import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, mapMarker, signInByApi, test } from './fixtures.ts';

/** kB (1,000 bytes) of gzip, as docs/design.md section 11 has them. */
const SIGN_IN_KB = 180;
const HOME_KB = 320;

/** Returns the kB of JavaScript, as gzip, that a page loads until `shown` and the network rests. */
async function scriptKb(page: Page, path: string, shown: () => Promise<void>): Promise<number> {
  const sizes: Promise<number>[] = [];
  const measure = (response: Awaited<ReturnType<Page['waitForResponse']>>): void => {
    if (/javascript/.test(response.headers()['content-type'] ?? ''))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  };
  page.on('response', measure);
  await page.goto(path);
  await shown();
  await page.waitForLoadState('networkidle');
  page.off('response', measure);
  expect(sizes.length).toBeGreaterThan(0);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0) / 1_000;
}

test('sign-in loads at most 180 kB of JavaScript, and home 320 kB (53.26)', async ({
  browser,
  page,
  portal,
}, info) => {
  const { email, machine } = await portal.fleet();
  const { alias, report } = await machine();
  await report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 50 });
  const signIn = await scriptKb(page, '/signin', () => page.getByLabel('E-mail').waitFor());
  // A visitor whose browser has stored nothing of the portal.
  const context = await browser.newContext({ baseURL: portal.address, serviceWorkers: 'block' });
  const visitor = await context.newPage();
  await signInByApi(visitor, email);
  const home = await scriptKb(visitor, '/', () => mapMarker(visitor, alias).waitFor());
  await context.close();
  info.annotations.push({ type: 'kB', description: `sign-in ${signIn.toFixed(1)}, home ${home.toFixed(1)}` });
  expect(signIn).toBeLessThanOrEqual(SIGN_IN_KB);
  expect(home).toBeLessThanOrEqual(HOME_KB);
});
