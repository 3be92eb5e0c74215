import type { Page } from '@playwright/test';
import {
  type E2ePortal,
  expect,
  PASSWORD,
  signIn,
  signInByApi,
  test,
  UNREACHABLE_MESSAGES,
} from './fixtures.ts';
import { ChangingBuildServer, copyBuildAsVersion } from './versions.ts';

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ expectConsole }) => expectConsole(ASKED_TWICE));

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };
/**
 * Warnings that Chromium logs because it requests a `modulepreload` file twice from a service worker if the first
 * response was very quick. The page keeps the preloads, because a first visit, without a worker, would be slower
 * otherwise.
 */
const ASKED_TWICE =
  /cross-world service worker resource mismatch|was preloaded using link preload but not used/;

const banner = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Geen verbinding met het portaal.' });
const marker = (page: Page, alias: string) =>
  page.getByRole('region', { name: 'Kaart met machines' }).getByRole('button', { name: new RegExp(alias) });

/** Waits until the worker has stored the whole new version of the app, which the next page load then shows. */
async function installed(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state), {
      timeout: 60_000,
    })
    .toBe('activated');
}

const copies = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

/** Returns the stored versions of the app that are complete: the page '/' is the last file that the service worker stores of a version. */
const wholeCopies = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const whole: string[] = [];
    for (const name of await caches.keys())
      if (await caches.match('/', { cacheName: name, ignoreVary: true })) whole.push(name);
    return whole;
  });

/** Makes the browser check for a new version of the service worker. Resolves also if the check fails. */
const update = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update().catch(() => undefined);
  });

/**
 * Waits until no other worker is being installed or waiting. Tests load no page before that: because Playwright
 * inspects workers, Chromium ends a worker in the middle of a request when the next one begins, and the page
 * load would get no response.
 */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const { active, installing, waiting } = (await navigator.serviceWorker.getRegistration())!;
          return [active?.state, installing?.state, waiting?.state];
        }),
      { timeout: 60_000 },
    )
    .toEqual(['activated', undefined, undefined]);
}

/** Loads a page until only one version is stored: a load deletes an old version if no page of that version is open. */
async function untilOneCopy(page: Page, address: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(`${address}/machine/`);
      return copies(page);
    })
    .toHaveLength(1);
}

test('a reload without a network shows the last known fleet with its age, also on new pages, and recovers (15.8a, 15.9c) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Overal' });
  await report({ ...AT, Soc1: 50, MotorSpeed: 900 });
  await signIn(page, email);
  await expect(marker(page, 'Overal')).toBeVisible();
  await installed(page);

  await page.context().setOffline(true);
  await page.reload();
  await expect(marker(page, 'Overal')).toBeVisible();
  await expect(banner(page)).toContainText(/Gegevens van \d\d:\d\d/);
  await page.goto('/overzicht');
  await expect(page.getByRole('link', { name: 'Overal' }).first()).toBeVisible();
  await expect(banner(page)).toBeVisible();

  await report({ ...AT, Soc1: 44, MotorSpeed: 900 });
  await page.context().setOffline(false);
  await expect(banner(page)).toHaveCount(0);
  await expect(page.getByText('44%').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Opnieuw proberen' })).toHaveCount(0);
});

/** Opens the portal behind a server that can replace the portal's pages by those of another version. */
async function upToDate(page: Page, portal: E2ePortal) {
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Versie' });
  await report({ ...AT, Soc1: 50 });
  const changing = new ChangingBuildServer(portal.address);
  await changing.serve('dist');
  await page.goto(`${changing.address}/signin`);
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Inloggen', exact: true }).click();
  await expect(marker(page, 'Versie')).toBeVisible();
  await installed(page);
  return { changing, email };
}

/** Returns the version of the loaded page: the URL of its first module script, which differs per version. */
const versionOf = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.querySelector('script[type=module]')?.getAttribute('src'));

test('an update leaves open pages alone, the next load is the new version, and the old files are deleted (15.9d) @long', async ({
  page,
  portal,
  context,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  const { changing } = await upToDate(page, portal);
  const old = await versionOf(page);
  const [first] = await copies(page);
  const next = await copyBuildAsVersion('v2');
  await changing.serve(next.folder);
  await update(page);
  await expect.poll(() => copies(page), { timeout: 60_000 }).toHaveLength(2);
  await settled(page);
  // The open page gets its chunks from the service worker, because the server no longer has those of the old version.
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Organisatie Codes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Organisatie Codes' })).toBeVisible();
  expect(await versionOf(page)).toBe(old);
  expect(await copies(page)).toContain(first);

  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Organisatie Codes' })).toBeVisible();
  expect(await versionOf(page)).not.toBe(old);
  await untilOneCopy(page, changing.address);
  expect(await copies(page)).not.toContain(first);
  await context.setOffline(true);
  await page.goto(`${changing.address}/overzicht`);
  await expect(page.getByRole('link', { name: 'Versie' }).first()).toBeVisible();
  await changing.close();
  await next.close();
});

test('the service worker rejects a new version with an incomplete or foreign file, and installs it at the next try (15.9e) @long', async ({
  page,
  portal,
  context,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  const { changing } = await upToDate(page, portal);
  const old = await versionOf(page);
  const [first] = await copies(page);
  const next = await copyBuildAsVersion('v2');
  // Serves a truncated file, as a faulty proxy does.
  changing.behave = (path) =>
    path.includes('overview-page-') ? { status: 200, body: 'export const half =' } : undefined;
  await changing.serve(next.folder);
  await update(page);
  await settled(page);
  await context.setOffline(true);
  await page.reload();
  await expect(marker(page, 'Versie')).toBeVisible();
  expect(await versionOf(page)).toBe(old);
  await context.setOffline(false);

  await settled(page);
  await page.goto(`${changing.address}/machine/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeVisible();
  const renewed = await versionOf(page);
  expect(renewed).not.toBe(old);
  await settled(page);
  expect(await wholeCopies(page)).toEqual([first]);

  changing.behaveAgain();
  await expect
    .poll(
      async () => {
        await update(page);
        return (await wholeCopies(page)).some((name) => name !== first);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await settled(page);
  await untilOneCopy(page, changing.address);
  await context.setOffline(true);
  await page.goto(`${changing.address}/overzicht`);
  await expect(page.getByRole('link', { name: 'Versie' }).first()).toBeVisible();
  expect(await versionOf(page)).toBe(renewed);
  await changing.close();
  await next.close();
});

test('a portal without a service worker removes the service worker from browsers that have one (15.9f) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/404|bad HTTP response/);
  const { changing } = await upToDate(page, portal);
  changing.behave = (path) => (path === '/service-worker.js' ? { status: 404, body: 'none' } : undefined);
  await page.goto(`${changing.address}/machine/`);
  await page.reload();
  await expect
    .poll(
      () =>
        page.evaluate(async () => [
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ]),
      { timeout: 30_000 },
    )
    .toEqual([0, 0]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await changing.close();
});

test('a portal that never answers counts as unreachable (15.9g) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(UNREACHABLE_MESSAGES);
  const { changing } = await upToDate(page, portal);
  changing.behave = () => 'silence';
  await page.reload();
  await expect(marker(page, 'Versie')).toBeVisible();
  await expect(banner(page)).toBeVisible();
  changing.behaveAgain();
  await expect(banner(page)).toHaveCount(0);
  await changing.close();
});

test('the service worker stores no answers of the portal, and handles only requests for pages (15.9h) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('manager');
  const it = await machine({ alias: 'Bewaart' });
  await it.report(AT);
  await signIn(page, email);
  await installed(page);
  for (const path of ['/', `/machine/${it.serial}`, '/overzicht', '/rapporten/inzet']) await page.goto(path);
  const kept = await page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths;
  });
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
  // The worker lets this call through to the server.
  const file = await page.evaluate(async () => {
    const answer = await fetch('/api/health');
    return [answer.status, answer.headers.get('cache-control')];
  });
  expect(file).toEqual([200, 'no-store']);
  const { manifest, isInstallable } = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!.href;
    return { manifest: await (await fetch(address)).json(), isInstallable: isSecureContext };
  });
  expect(manifest).toMatchObject({ lang: 'nl', name: 'Werkstroom', start_url: '/', display: 'standalone' });
  expect(isInstallable).toBe(true);
});

test('signing out removes the service worker and its files, and the next sign-in installs them again (15.9i) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  await installed(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/signin/);
  await expect.poll(() => copies(page)).toEqual([]);
  await signInByApi(page, email);
  await page.goto('/');
  await installed(page);
  expect(await copies(page)).toHaveLength(1);
});
