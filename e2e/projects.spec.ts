/** Projects: drawn, looked at, changed, ended (14.1). */
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, type Machine, test } from './fixtures.ts';

const PLACE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

/** Three minutes of work at one place, up to now. */
async function works({ report }: Machine, at: Record<string, number> = PLACE): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for (let ago = 180; ago >= 0; ago -= 30)
    await report({ ...at, GMT_UNIX: now - ago, MotorSpeed: 900, BatteryVoltage: 400, BatteryCurrent: 50 });
}

/** Clicks on the map: px from its middle. */
async function clickMap(page: Page, points: readonly (readonly [x: number, y: number])[]): Promise<void> {
  const map = page.getByRole('region', { name: 'Kaart om gebieden op te tekenen' });
  const box = (await map.boundingBox())!;
  for (const [x, y] of points) {
    await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { steps: 3 });
    await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
  }
}

test('14.1k a project is drawn on the map, shows who is there, is changed without a mouse, ended and deleted', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('manager');
  await works(await machine({ alias: 'Rups Kade' }));
  await enter(page, email);
  await page.goto('/projecten');
  await expect(page.getByText('Er zijn nog geen projecten')).toBeVisible();
  await page.getByRole('link', { name: 'Maak een nieuw project' }).click();
  await page.getByLabel('Naam', { exact: true }).fill('=Kade Noord');
  await page.getByLabel('Nummer').fill('2026-014');
  await page.getByLabel('Opdrachtgever').fill('Gemeente Utrecht');
  await expect(page.getByRole('img', { name: 'Rups Kade', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Teken een vlak' }).click();
  await expect(page.getByText('Klik op de kaart voor elke hoek')).toBeVisible();
  await clickMap(page, [
    [-90, -70],
    [90, -70],
    [90, 70],
    [-90, 70],
    [-90, -70],
  ]);
  const areas = page.getByRole('list', { name: 'Gebieden' });
  await expect(areas).toContainText('Gebied 1: vlak met 4 hoeken');
  await expectAccessible(page, 'new project');
  await page.getByRole('button', { name: 'Maak Project' }).click();

  await expect(page.getByRole('heading', { name: '=Kade Noord', level: 1 })).toBeVisible();
  await expect(page.getByText('Het project is gemaakt.')).toBeVisible();
  const there = page.getByRole('list', { name: 'Nu op het project' });
  await expect(there).toContainText(/Rups Kadeop positie, sinds vandaag, \d\d:\d\d/, { timeout: 15_000 });
  const table = page.getByRole('region', { name: 'Uren en energie', exact: true });
  await expect(table.getByRole('row', { name: 'Totaal' })).toContainText('00:03');
  await expect(table).toContainText('voorlopig');
  await expectAccessible(page, 'project');

  await page.getByRole('button', { name: 'Wijzig' }).press('Enter');
  await page.getByRole('button', { name: 'Delete gebied 1' }).press('Enter');
  await page.getByText('Cirkel intypen').press('Enter');
  await page.getByLabel('Breedte- en lengtegraad').fill('52,1 5,9');
  await page.getByLabel('Straal in meter').fill('5');
  await page.getByLabel('Straal in meter').press('Enter');
  await expect(page.getByText('Deze cirkel heeft een straal van minder dan 10 m.')).toBeVisible();
  await page.getByLabel('Straal in meter').fill('80');
  await page.getByLabel('Straal in meter').press('Enter');
  await expect(areas).toContainText('Gebied 1: cirkel, straal 80 m, 2,0 ha');
  await page.getByLabel('Laatste dag').fill('2020-01-01');
  await page.getByRole('button', { name: 'Opslaan' }).press('Enter');
  await expect(page.getByText('Laatste dag ligt voor de eerste dag.')).toBeVisible();
  // Whoever goes away is asked; what was typed is still there.
  await page.getByRole('link', { name: 'Terug' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Nee' }).click();
  await page.getByLabel('Laatste dag').fill('');
  await expectAccessible(page, 'change of a project');
  await page.getByRole('button', { name: 'Opslaan' }).press('Enter');
  await expect(page.getByText('Het project is gewijzigd.')).toBeVisible();
  await expect(page.getByText('Er zijn nu geen machines.')).toBeVisible({ timeout: 15_000 });

  await page.getByRole('button', { name: 'Zet een machine op het project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Machine').selectOption({ label: /^Rups Kade/ });
  await dialog.getByRole('button', { name: 'Zet op het project' }).click();
  await expect(page.getByRole('list', { name: 'Met de hand' })).toContainText('Rups Kadevanaf');
  await expect(there).toContainText('Rups Kademet de hand', { timeout: 15_000 });

  await page.getByRole('button', { name: 'Wijzig' }).click();
  await page.getByRole('button', { name: 'Beëindig' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText(/· \d\d-\d\d-20\d\d tot en met \d\d-\d\d-20\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Wijzig' }).click();
  await page.getByRole('button', { name: 'Delete =Kade Noord' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Het project is verwijderd.')).toBeVisible();
  await expect(page.getByText('Er zijn nog geen projecten')).toBeVisible();
});
