import { dataUrl, pdf, testPicture } from '#server/machine-files/test/images.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, signIn, signInByApi, test } from './fixtures.ts';

const PAGES = [
  ['/', 'Kaart'],
  ['/machine/', 'Machines'],
  ['/machine/handleiding', 'Handleiding'],
  ['/machine/nieuw', 'Maak Een Nieuwe Machine'],
  ['/machine/edit/:serial', 'Update Een Machine'],
  ['/machine/edit/:serial/definitie', 'Datadefinitie: :alias'],
  ['/machine/:serial', ':alias'],
  ['/lmb-logging/', 'LMB Logging'],
  ['/lmb-logging/nieuw', 'Maak Een Nieuwe LMB Logging Machine'],
  ['/lmb-logging/:lmb', ':lmb'],
  ['/organization/', 'Organisatie Codes'],
  ['/organization/nieuw', 'Maak Een Nieuwe Organisatie'],
  ['/Users/', 'Gebruikers'],
  ['/logboek', 'Logboek'],
  ['/account/', 'Mijn account'],
  ['/test', 'Teruggeleverde energie'],
] as const;

test('every route of the route table exists, with and without a trailing slash (APP-03)', {
  tag: '@long',
}, async ({ page, portal }) => {
  test.slow(); // some twenty pages
  const { email, machine, lmbLogger, organization } = await portal.fleet('admin');
  const { serial, alias, report } = await machine();
  await report({ LATITUDE: 52, LONGITUDE: 5 });
  const kar = await lmbLogger(`Kar ${organization.name}`);
  await kar.report({ LATITUDE: 52, LONGITUDE: 5 });
  await signIn(page, email);
  // Uploads a photo and a manual, because the browser would log a console error for each missing file.
  const photo = { serial, name: 'foto.png', file: dataUrl(await testPicture().png().toBuffer()) };
  const manual = { serial, name: 'handleiding.pdf', file: dataUrl(pdf()) };
  expect((await page.request.post('/api/img/upload', { data: photo, headers: SCRIPT_HEADERS })).ok()).toBe(
    true,
  );
  expect(
    (await page.request.post('/api/manual/upload', { data: manual, headers: SCRIPT_HEADERS })).ok(),
  ).toBe(true);
  const filled = (text: string): string =>
    text.replace(':serial', serial).replace(':alias', alias).replace(':lmb', kar.alias);
  for (const [pattern, name] of PAGES) {
    const path = filled(pattern);
    for (const spelling of new Set([path, `${path.replace(/\/$/, '')}/`, path.replace(/(.)\/$/, '$1')])) {
      await page.goto(spelling);
      await expect(
        page.getByRole('heading', { level: 1, name: filled(name), exact: true }),
        spelling,
      ).toBeAttached();
      if (path !== '/') await expect(page.getByRole('link', { name: 'Terug' })).toBeVisible();
    }
  }
});

test("an unknown path shows 'Unexpected Application Error!' on a page with the header and a link to the map (APP-04)", async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/nothing/here');
  await expect(page.getByText('Unexpected Application Error!')).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await page.getByRole('link', { name: 'Naar de kaart', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('the header has the menu at the left, the logo, and the forklift at the right (APP-05) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/organization/');
  const banner = page.getByRole('banner');
  const menu = await banner.getByRole('button', { name: 'Menu' }).boundingBox();
  const logo = await banner.getByRole('link', { name: /Werkstroom/ }).boundingBox();
  const forklift = await banner.getByRole('button', { name: 'Machines', exact: true }).boundingBox();
  expect(menu!.x).toBeLessThan(logo!.x);
  expect(logo!.x).toBeLessThan(forklift!.x);
  // The header stays when the page scrolls.
  await page.evaluate(() => {
    document.body.style.minHeight = '3000px';
    window.scrollTo(0, 1000);
  });
  expect((await banner.boundingBox())!.y).toBe(0);
  await banner.getByRole('link', { name: /Werkstroom/ }).click();
  await expect(page).toHaveURL('/');
});

test('the settings menu opens and closes by keyboard, has Logout as its last entry, and closes when a link is followed (APP-05, APP-06)', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('admin');
  await signIn(page, email);
  // The keyboard opens the menu, moves through its links and closes it.
  const button = page.getByRole('button', { name: 'Menu' });
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await button.press('Enter');
  await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: 'Home' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await expect(menu.getByRole('link').first()).toHaveText('Home');
  await expect(menu.getByRole('link').or(menu.getByRole('button')).last()).toHaveText('Logout');
  await menu.getByRole('link', { name: 'Machines', exact: true }).click();
  await expect(page).toHaveURL('/machine/');
  await expect(menu).toHaveCount(0);
});

test("a page that a role may not see shows 'Geen toegang' (APP-06, API-02) @long", async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('logger');
  await signIn(page, email);
  for (const path of [
    '/overzicht',
    '/machine/',
    '/machine/nieuw',
    '/Users/',
    '/logboek',
    '/organization/nieuw',
    '/lmb-logging/nieuw',
  ]) {
    await page.goto(path);
    await expect(page.getByText('Geen toegang')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Terug' })).toBeVisible();
  }
});

test('a chunk that fails to load gives a message and a reload button (APP-11) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/Failed to load|ERR_FAILED|Loading chunk|dynamically imported/);
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/organization/');
  await page.route('**/assets/fleet-map*.js', (route) => route.abort());
  await page.reload();
  // The page reloads automatically at most once a minute.
  await page.evaluate(() => sessionStorage.setItem('reloadedAt', String(Date.now())));
  await page.getByRole('link', { name: /naar de kaart/ }).click();
  await expect(page.getByText(/Loading chunk .*failed/)).toBeVisible();
  await page.unroute('**/assets/fleet-map*.js');
  await page.getByRole('button', { name: 'Opnieuw laden' }).click();
  await expect(page.getByRole('radio', { name: 'Default View' })).toBeChecked();
});
