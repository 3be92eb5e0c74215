import type { Page, Route } from '@playwright/test';
import { expect, mapMarker, signIn, signInByApi, test, UNREACHABLE_MESSAGES } from './fixtures.ts';

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const BACK_WITHIN_MS = 10_000;
const AT_FAULT = 'Het portaal heeft een storing.';

const banner = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const CALLS = '**/api/**';

test('a reload while the portal answers with errors shows the last known fleet and its age, and recovers (15.8a, 15.8g) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  const { email, machine } = await portal.fleet();
  const it = await machine({ alias: 'Storing' });
  await it.report({ ...AT, Soc1: 50 });
  await signIn(page, email);
  await expect(mapMarker(page, 'Storing')).toBeVisible();
  await page.route(CALLS, (route) => route.fulfill({ status: 500, body: 'x' }));
  await page.reload();
  await expect(mapMarker(page, 'Storing')).toBeVisible();
  await expect(banner(page, AT_FAULT)).toContainText(/Gegevens van \d\d:\d\d/);
  await expect(page.getByText('Geen verbinding')).toHaveCount(0);
  await page.unroute(CALLS);
  await expect(banner(page, AT_FAULT)).toHaveCount(0);
});

/** Pages that request more than live data, by kind of person. */
const PLACES = {
  manager: [
    '/',
    '/overzicht',
    '/machine/',
    '/machine/:serial',
    '/organization/',
    '/Users/',
    '/logboek',
    '/projecten',
    '/rapporten/inzet',
    '/rapporten/factoren',
    '/account',
    '/test',
  ],
  admin: ['/machine/edit/:serial', '/machine/edit/:serial/definitie', '/machine/nieuw', '/lmb-logging/'],
  logger: ['/lmb-logging/', '/lmb-logging/:lmb'],
} as const;

for (const [kind, paths] of Object.entries(PLACES) as [keyof typeof PLACES, readonly string[]][])
  for (const [how, fail] of [
    ['out of reach', (route: Route) => route.abort()],
    ['gone behind a proxy', (route: Route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' })],
  ] as const)
    test(`every page of a ${kind} that was opened while the portal was ${how} is complete within 10 s (15.8e) @long`, async ({
      page,
      portal,
      expectConsole,
    }) => {
      expectConsole(UNREACHABLE_MESSAGES);
      const { email, machine, lmbLogger } = await portal.fleet(kind);
      const it = await machine({ alias: 'Heelt' });
      await it.report({ ...AT, Soc1: 50, MotorSpeed: 900 });
      const kar = await lmbLogger(`Kar ${kind} ${how.length}`);
      await kar.report(AT);
      await signIn(page, email);
      await expect(page.getByRole('region', { name: 'Kaart met machines' })).toBeVisible();
      // Leaving the map stores the copy of the live data, which the pages then show.
      for (const path of paths) {
        await page.route(CALLS, fail);
        await page.goto(path.replace(':serial', it.serial).replace(':lmb', encodeURIComponent(kar.alias)));
        const mark = page.getByRole('status').filter({ hasText: /Gegevens van/ });
        await expect(mark, path).toBeVisible();
        const title = await page.getByRole('heading', { level: 1 }).textContent();
        await page.unroute(CALLS);
        await expect(mark, path).toHaveCount(0, { timeout: BACK_WITHIN_MS });
        await expect(page.getByRole('button', { name: 'Opnieuw proberen' }), path).toHaveCount(0, {
          timeout: BACK_WITHIN_MS,
        });
        await expect(page.getByText(/niet geladen/), `${path} ${title}`).toHaveCount(0);
      }
    });

test('a page whose JavaScript chunk failed to load reloads when the portal is back (15.8f) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/ERR_|Failed to load|live data could not be fetched|Loading chunk|dynamically imported/);
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Chunk' })).report(AT);
  await signIn(page, email);
  await expect(mapMarker(page, 'Chunk')).toBeVisible();
  await portal.stop();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Organisatie Codes' }).click();
  await expect(page.getByText(/Loading chunk .*failed/)).toBeVisible();
  await portal.startAgain();
  await expect(page.getByRole('heading', { level: 1, name: 'Organisatie Codes' })).toBeVisible({
    timeout: BACK_WITHIN_MS,
  });
});

test('a person who signs in after another one on the same browser never sees the other’s fleet (15.8b) @long', async ({
  page,
  portal,
  context,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  expectConsole(/401/);
  const [anna, bram] = [await portal.fleet(), await portal.fleet()];
  await (await anna.machine({ alias: 'Van Anna' })).report(AT);
  await (await bram.machine({ alias: 'Van Bram' })).report(AT);
  await signIn(page, anna.email);
  await expect(mapMarker(page, 'Van Anna')).toBeVisible();
  // Replaces only the cookie, so that no page learns of the other person.
  await page.goto('about:blank');
  await signInByApi(page, bram.email);
  const tab = await context.newPage();
  await tab.goto('/');
  await expect(mapMarker(tab, 'Van Bram')).toBeVisible();
  await tab.route(CALLS, (route) => route.abort());
  await tab.reload();
  await expect(mapMarker(tab, 'Van Bram')).toBeVisible();
  await expect(tab.getByText('Van Anna')).toHaveCount(0);
  // A 401 ends the session, also if the page knew its user only from the stored copy.
  await tab.unroute(CALLS);
  await context.clearCookies();
  await expect(tab).toHaveURL(/\/signin/);
  await expect(
    tab.getByRole('alert').filter({ hasText: 'Je sessie is afgelopen. Log opnieuw in.' }),
  ).toBeVisible();
  await tab.route(CALLS, (route) => route.abort());
  await tab.goto('/');
  await expect(tab).toHaveURL(/\/signin/);
  expect(await tab.evaluate(() => localStorage.length)).toBe(0);
});

test('a browser without storage and service workers shows the portal (15.8c) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  await page.addInitScript(() => {
    const denied = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
      Object.defineProperty(window, name, { get: denied });
    // biome-ignore lint/suspicious/noExplicitAny: the type of a browser without it.
    for (const name of ['serviceWorker', 'locks']) delete (Navigator.prototype as any)[name];
  });
  expectConsole(/no copy is kept/);
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Privé' })).report(AT);
  await signIn(page, email);
  await expect(mapMarker(page, 'Privé')).toBeVisible();
  await page.reload();
  await expect(mapMarker(page, 'Privé')).toBeVisible();
});
