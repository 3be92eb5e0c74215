import { expect, signIn, test } from './fixtures.ts';

/** Names that would run as code if they were not treated as text (docs/security.md). */
const EVIL = [
  '<img src=x onerror="window.hacked=1">',
  '"><svg/onload=window.hacked=1>',
  "{{constructor.constructor('window.hacked=1')()}}",
] as const;

test('names with markup are shown as text in popup, menu, list, page and charts: stored XSS by names (CVE-2025-62172, CVE-2026-91130, traccar edba441a6) (MAP-05, MLIST-01, MDET-02, APP-09) @long', async ({
  page,
  portal,
}) => {
  // The machine has no photo and no manual.
  const { email, machine } = await portal.fleet();
  const { serial, report } = await machine({ alias: EVIL[0], brand: EVIL[1], model: EVIL[2] });
  await report({ LATITUDE: 52.09, LONGITUDE: 5.12, Soc1: 80, MotorSpeed: 900, Soc2: 70 });
  await signIn(page, email);

  await page
    .getByRole('button', { name: /onerror/ })
    .first()
    .click();
  await expect(page.locator('.leaflet-popup')).toContainText(EVIL[0]);
  await expect(page.locator('.leaflet-popup')).toContainText(EVIL[1]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Machines' })).toContainText(EVIL[1]);
  await page.goto(`/machine/?zoek=${serial}`);
  await expect(page.getByRole('heading', { name: EVIL[2] })).toBeVisible();
  await page.goto(`/machine/${serial}`);
  await expect(page.getByText(EVIL[0]).first()).toBeVisible();
  await expect(page.getByText(EVIL[2]).first()).toBeVisible();

  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0);
});
