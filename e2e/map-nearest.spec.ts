/** The machines nearest to a project, a town, coordinates or another machine, and which of them are free. */
import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, signIn, test } from './fixtures.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Machines in de buurt' });
const rows = (page: Page) => panel(page).locator('li[aria-posinset]');
const field = (page: Page) => panel(page).getByRole('searchbox', { name: /^Vanaf/ });
const openPanel = async (page: Page, isMobile: boolean) => {
  if (isMobile) await panel(page).getByRole('button', { name: 'Machines in de buurt' }).click();
};

/** Types a text into the search for a place, and chooses the first result. */
async function from(page: Page, text: string): Promise<void> {
  const clear = panel(page).getByRole('button', { name: 'Vanaf wissen' });
  if (await clear.isVisible()) await clear.click();
  await field(page).fill(text);
  await panel(page).getByRole('list', { name: 'Gevonden plaatsen' }).getByRole('button').first().click();
  await expect(clear).toBeVisible();
}

test('the map lists the machines nearest to a town, coordinates, a machine and a project, with their charge and whether they are free (53.23) @phone', async ({
  page,
  portal,
  isMobile,
}) => {
  const { email, machine } = await portal.fleet('manager');
  await (await machine({ alias: 'Zwaluw' })).report({ LATITUDE: 52.52, LONGITUDE: 6.1, Soc1: 91 });
  await (await machine({ alias: 'Utrechter' })).report({
    LATITUDE: 52.09,
    LONGITUDE: 5.12,
    Soc1: 62,
    MotorSpeed: 900,
  });
  const kade = await machine({ alias: 'Kade 1' });
  await kade.report({ LATITUDE: 52.0, LONGITUDE: 4.71, Soc1: 33 });
  await (await machine({ alias: 'Nergens' })).report({
    LATITUDE: 51.0,
    LONGITUDE: 5.9,
    GMT_UNIX: Math.floor(Date.now() / 1000) - 9000,
  });
  await signIn(page, email);
  const area = { centre: { lat: 52.001, lon: 4.711 }, radiusMetres: 300 };
  const data = { projectName: 'Gouwekade', firstDay: '2026-01-01', lastDay: null, areas: [area] };
  const made = await page.request.post('/api/project/create', { data, headers: SCRIPT_HEADERS });
  const { _id } = await made.json();
  await page.request.post('/api/project/assign', {
    data: { _id, serial: kade.serial, from: new Date(Date.now() - 3_600_000).toISOString(), until: null },
    headers: SCRIPT_HEADERS,
  });

  // Opens the map after the assignment, because it requests the projects only when it opens.
  await page.goto('/');
  await openPanel(page, isMobile);
  await from(page, 'zwolle');
  await expect(page).toHaveURL(/vanaf=plaats-Zwolle/);
  await expect(rows(page)).toHaveText([
    /Zwaluw.*1,3 km.*91%.*Uit.*vrij/,
    /Utrechter.*80,8 km.*62%.*Draait/,
    /Kade 1.*1\d\d,\d km.*33%.*Uit, op Gouwekade/,
    /Nergens.*Laatst gezien/,
  ]);
  await expectAccessible(page, 'nearest from a town');

  await from(page, '52,01 4,71');
  await expect(rows(page).first()).toHaveText(/Kade 1.*1,1 km/);
  await from(page, 'N 52.01 E 4.71');
  await expect(page).toHaveURL(/vanaf=52.01%2C4.71/);
  await from(page, 'utrechter');
  await expect(rows(page)).toHaveText([/Kade 1/, /Zwaluw/, /Nergens/]);
  await from(page, 'gouwe');
  await expect(rows(page).first()).toHaveText(/Kade 1.*0 m/);

  await panel(page).getByRole('button', { name: 'Alleen vrije' }).click();
  await expect(rows(page)).toHaveText([/Zwaluw.*vrij/]);
  // The address restores the list.
  await page.reload();
  await openPanel(page, isMobile);
  await expect(panel(page)).toContainText('Vanaf Gouwekade');
  await expect(rows(page)).toHaveText([/Zwaluw.*vrij/]);
  await panel(page).getByRole('button', { name: 'Vanaf wissen' }).click();
  await expect(field(page)).toBeVisible();

  // Choosing an origin also closes the open popup, so that two parameters of the address change at once.
  await page.goto(`/?machine=${kade.serial}`);
  await openPanel(page, isMobile);
  await from(page, 'zwolle');
  await expect(page).toHaveURL(/vanaf=plaats-Zwolle/);
  await expect(page).not.toHaveURL(/machine=/);
  await expect(rows(page).first()).toHaveText(/Zwaluw/);
});

test('the list of nearest machines reports a text that matches no place, and projects that failed to load (53.23) @long', async ({
  page,
  portal,
  isMobile,
  expectConsole,
}) => {
  expectConsole(/500/);
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Een' })).report({ LATITUDE: 52.52, LONGITUDE: 6.1 });
  await (await machine({ alias: 'Twee' })).report({ LATITUDE: 52.53, LONGITUDE: 6.1 });
  await signIn(page, email);
  await openPanel(page, isMobile);
  await field(page).fill('Nergenshuizen');
  await expect(panel(page)).toContainText('Niets gevonden. Typ een project, een machine, een grotere plaats');
  await field(page).fill('152,01 4,71');
  await expect(panel(page)).toContainText('Deze coördinaten bestaan niet');
  await expectAccessible(page, 'no place');
  await page.route('**/api/fleet/figures', (route) =>
    route.fulfill({ status: 500, json: { message: 'Het lukt even niet.' } }),
  );
  await page.reload();
  await openPanel(page, isMobile);
  await panel(page).getByRole('button', { name: 'Alleen vrije' }).click();
  await expect(panel(page).getByRole('alert')).toBeVisible({ timeout: 20_000 });
  await expect(panel(page)).not.toContainText('Geen vrije machines');
  await page.unroute('**/api/fleet/figures');
  await panel(page)
    .getByRole('button', { name: /Opnieuw/ })
    .click();
  await expect(rows(page)).toHaveText([/Een/, /Twee/]);
});
