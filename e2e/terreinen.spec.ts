/** Terreinen on the map and in place names, and a rule for departures at night (53.11 to 53.13). */

import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type E2ePortal, expect, expectAccessible, signInByApi, test } from './fixtures.ts';

const PLACE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

test('a planner draws, changes and deletes a terrein (a yard), whose name is shown for places inside it (53.11)', async ({
  page,
  portal,
  expectConsole,
}) => {
  // Expects the messages of a refused name, and of a request for live data that a page load aborts.
  expectConsole(/409|Geen verbinding met het portaal/);
  const { email, machine } = await portal.fleet('manager');
  const rups = await machine({ alias: 'Rups Werf' });
  await rups.report({ ...PLACE, GMT_UNIX: Math.floor(Date.now() / 1000) });
  await signInByApi(page, email);
  await page.goto('/projecten');
  await page.getByRole('link', { name: 'Terreinen' }).click();
  await expect(page.getByText('Er zijn nog geen terreinen')).toBeVisible();
  await page.getByRole('link', { name: 'Maak een nieuw terrein' }).click();
  await page.getByLabel('Naam', { exact: true }).fill('Werf Zuid');
  await page.getByLabel('Soort').selectOption('Werf');
  await page.getByRole('button', { name: 'Maak Terrein' }).click();
  await expect(page.getByText('Teken minstens één gebied.')).toBeVisible();
  await page.getByText('Cirkel intypen').click();
  await page.getByLabel('Middelpunt').selectOption('Plaats van Rups Werf');
  await page.getByRole('button', { name: 'Voeg cirkel toe' }).click();
  await expect(page.getByRole('list', { name: 'Gebieden' })).toContainText('Gebied 1: cirkel, straal 100 m');
  await expectAccessible(page, 'terreinen');
  await page.getByRole('button', { name: 'Maak Terrein' }).click();
  await expect(page.getByText('Het terrein is gemaakt.')).toBeVisible();
  await expectAccessible(page, 'terreinen');

  await page.goto('/overzicht');
  await expect(page.getByText('Werf Zuid').first()).toBeVisible();

  await page.goto('/projecten/terreinen/nieuw');
  await page.getByLabel('Naam', { exact: true }).fill('WERF ZUID');
  await page.getByText('Cirkel intypen').click();
  await page.getByLabel('Middelpunt').selectOption('Plaats van Rups Werf');
  await page.getByRole('button', { name: 'Voeg cirkel toe' }).click();
  await page.getByRole('button', { name: 'Maak Terrein' }).click();
  await expect(page.getByText("Er is al een terrein 'WERF ZUID'.")).toBeVisible();
  await page.getByLabel('Naam', { exact: true }).fill('Depot Zuid');
  await page.getByLabel('Soort').selectOption('Depot');
  await page.getByRole('button', { name: 'Maak Terrein' }).click();
  await page.getByRole('link', { name: 'Terrein Depot Zuid' }).click();
  await expect(page.getByRole('heading', { name: 'Depot Zuid', level: 1 })).toBeVisible();
  await expectAccessible(page, 'terreinen');
  await page.getByRole('button', { name: 'Wijzig' }).click();
  await page.getByLabel('Naam', { exact: true }).fill('Depot Oost');
  await page.getByRole('button', { name: 'Opslaan' }).click();
  await expect(page.getByText('Het terrein is gewijzigd.')).toBeVisible();
  await page.getByRole('button', { name: 'Wijzig' }).click();
  await page.getByRole('button', { name: 'Verwijder Depot Oost' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Het terrein is verwijderd.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Terreinen' })).not.toContainText('Depot Oost');
});

/** Signs in a planner whose organization has the terrein 'Werf Noord'. */
async function enterWithTerrein(page: Page, portal: E2ePortal): Promise<void> {
  const { email } = await portal.fleet('manager');
  await signInByApi(page, email);
  const areas = [{ centre: { lat: 52.1, lon: 5.3 }, radiusMetres: 100 }];
  const data = { terreinName: 'Werf Noord', terreinKind: 'yard', areas };
  const made = await page.request.post('/api/terrein/create', { data, headers: SCRIPT_HEADERS });
  expect(made.status()).toBe(200);
}

test('a rule for departures from a yard outside working hours is made in four clicks (53.12)', async ({
  page,
  portal,
}) => {
  await enterWithTerrein(page, portal);
  await page.goto('/projecten');
  await page.getByRole('link', { name: 'Terreinen' }).click();
  await page.getByRole('link', { name: 'Meld vertrek buiten werktijd van Werf Noord' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Wanneer')).toHaveValue('outside');
  await expect(dialog.getByLabel('Hoe erg')).toHaveValue('urgent');
  await expectAccessible(page, 'terreinen');
  await dialog.getByRole('button', { name: 'Opslaan en aanzetten' }).click();
  await expect(dialog).toHaveCount(0);
  const card = page.getByRole('listitem').filter({ hasText: 'Vertrokken buiten werktijd' });
  await expect(card).toContainText(
    'Meld het buiten werktijd als een machine van terrein Werf Noord vertrekt.',
  );
  await expect(card).toContainText('Dringend voor alle beheerders');
});

test('the page of alert rules offers a rule for departures from a terrein outside working hours (53.12)', async ({
  page,
  portal,
}) => {
  await enterWithTerrein(page, portal);
  await page.goto('/meldingen/regels');
  await page.getByRole('button', { name: 'Aanpassen: Vertrokken buiten werktijd' }).click();
  const dialog = page.getByRole('dialog');
  const list = dialog.getByRole('button', { name: 'Terreinen' });
  await list.click();
  await expect(dialog.getByRole('checkbox', { name: 'Werf Noord' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('checkbox', { name: 'Werf Noord' })).toBeHidden();
  await expect(list).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('switch', { name: 'Vertrokken buiten werktijd aanzetten' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Vertrokken buiten werktijd' })).toContainText(
    'Meld het buiten werktijd als een machine van terrein Werf Noord vertrekt.',
  );
  await expect(page.getByRole('button', { name: 'Aanpassen: Vertrokken buiten werktijd' })).toHaveCount(0);
});
