import { expect, expectAccessible, signIn, test } from './fixtures.ts';

/** The pages with the most content. every-screen.spec.ts (`npm run test:all`) has every page. */
const PAGES = [
  '/overzicht',
  '/machine/',
  '/lmb-logging/',
  '/organization/',
  '/rapporten',
  '/rapporten/inzet',
  '/Users/',
  '/logboek',
  '/projecten',
  '/projecten/nieuw',
  '/projecten/terreinen',
  '/projecten/terreinen/nieuw',
  '/account/',
];

test('the pages with the most content have no accessibility violation (APP-05)', async ({ page, portal }) => {
  const { email, machine } = await portal.fleet('admin');
  const now = Math.floor(Date.now() / 1000);
  const at = { LATITUDE: 52.1, LONGITUDE: 5.3 };
  await (await machine({ alias: 'Werkt', capacities: [90, 90] })).report({
    ...at,
    Soc1: 80,
    Soc2: 12,
    MotorSpeed: 900,
  });
  await (await machine({ alias: 'Laadt' })).report({
    ...at,
    LATITUDE: 52.6,
    Soc1: 40,
    IsCharging1: 1,
    ChargingCurrent: 9,
  });
  await (await machine({ alias: 'Stil' })).report({
    ...at,
    LATITUDE: 51.6,
    GMT_UNIX: now - 90_000,
    Soc1: 3,
  });

  await page.goto('/signin');
  await expectAccessible(page, '/signin');
  await page.getByRole('tab', { name: 'Registreren' }).click();
  await expectAccessible(page, 'Registreren');
  await signIn(page, email);
  for (const name of ['Werkt, Draait', 'Stil, Stil, laatst Uit']) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, `popup ${name}`);
    await page.keyboard.press('Escape');
  }
  for (const name of ['Menu', 'Machines']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('navigation', { name })).toBeVisible();
    await expectAccessible(page, `menu ${name}`);
    await page.keyboard.press('Escape');
  }
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, path);
    // No element is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), path).toBe(
      true,
    );
  }
});
