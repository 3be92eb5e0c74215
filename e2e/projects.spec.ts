/** Projects are drawn, viewed, changed and ended (14.1). */
import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import type { Area } from '#shared/domain/area.ts';
import { expect, forgetSession, type Machine, signInByApi, test } from './fixtures.ts';

const PLACE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

/** Uploads three minutes of work at one place, until now. */
async function works({ report }: Machine, at: Record<string, number> = PLACE): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for (let ago = 180; ago >= 0; ago -= 30)
    await report({ ...at, GMT_UNIX: now - ago, MotorSpeed: 900, BatteryVoltage: 400, BatteryCurrent: 50 });
}

const HERE: Area = { centre: { lat: PLACE.LATITUDE, lon: PLACE.LONGITUDE }, radiusMetres: 100 };

/** Makes a project as the signed-in person. @returns its path */
async function newProject(page: Page, projectName: string, areas: readonly Area[]): Promise<string> {
  const data = { projectName, firstDay: '2026-01-01', lastDay: null, areas };
  const made = await page.request.post('/api/project/create', { data, headers: SCRIPT_HEADERS });
  return `/projecten/${(await made.json())._id}`;
}

/** Clicks on the map at points in px from its middle. */
async function clickMap(page: Page, points: readonly (readonly [x: number, y: number])[]): Promise<void> {
  const map = page.getByRole('region', { name: 'Kaart om gebieden op te tekenen' });
  await map.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const box = (await map.boundingBox())!;
  for (const [x, y] of points) {
    await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { steps: 3 });
    await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
  }
}

test('a project is drawn on the map, lists its machines, is changed by keyboard, ended and deleted (14.1k)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/); // a project that ends before it starts
  const { email, machine } = await portal.fleet('manager');
  const rups = await machine({ alias: 'Rups Kade' });
  await works(rups);
  await signInByApi(page, email);
  await page.goto('/projecten');
  await expect(page.getByText('Er zijn nog geen projecten')).toBeVisible();
  await page.getByRole('link', { name: 'Maak een nieuw project' }).click();
  await page.getByLabel('Naam', { exact: true }).fill('=Kade Noord');
  await page.getByLabel('Nummer').fill('2026-014');
  await page.getByLabel('Opdrachtgever').fill('Gemeente Utrecht');
  // Enters an early first day, because the machine's work may have begun before midnight.
  await page.getByLabel('Eerste dag').fill('01-01-2026');
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
  await page.getByRole('button', { name: 'Maak Project' }).click();

  await expect(page.getByRole('heading', { name: '=Kade Noord', level: 1 })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByText('Het project is gemaakt.')).toBeVisible();
  const there = page.getByRole('list', { name: 'Nu op het project' });
  await expect(there).toContainText(/Rups Kadeop positie, sinds (vandaag|\d\d-\d\d-\d\d), \d\d:\d\d/, {
    timeout: 15_000,
  });
  const table = page.getByRole('region', { name: 'Uren en energie', exact: true });
  await expect(table.getByRole('row', { name: 'Totaal' })).toContainText('00:03');
  await expect(table).toContainText('voorlopig');

  await page.getByRole('button', { name: 'Wijzig', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Verwijder gebied 1' }).press('Enter');
  await page.getByText('Cirkel intypen').press('Enter');
  await page.getByLabel('Breedte- en lengtegraad').fill('52,1 5,9');
  await page.getByLabel('Straal in meter').fill('5');
  await page.getByLabel('Straal in meter').press('Enter');
  await expect(page.getByText('Deze cirkel heeft een straal van minder dan 10 m.')).toBeVisible();
  await page.getByLabel('Straal in meter').fill('80');
  await page.getByLabel('Straal in meter').press('Enter');
  await expect(areas).toContainText('Gebied 1: cirkel, straal 80 m, 2,0 ha');
  // An invalid day is not sent as the earlier valid day (APP-12).
  await page.getByLabel('Laatste dag').fill('31-02-2026');
  await page.getByLabel('Laatste dag').press('Enter');
  await expect(page.getByLabel('Laatste dag')).toHaveJSProperty(
    'validationMessage',
    'Typ een dag als 01-11-2026.',
  );
  await page.getByLabel('Laatste dag').fill('1-1-2020');
  await page.getByRole('button', { name: 'Opslaan' }).press('Enter');
  await expect(page.getByText('Laatste dag ligt voor de eerste dag.')).toBeVisible();
  // Leaving asks for confirmation first, and the typed values stay.
  await page.getByRole('link', { name: 'Terug' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Nee' }).click();
  // Waits until the dialog is closed, because closing it moves the focus.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByLabel('Laatste dag').fill('');
  await expect(page.getByLabel('Laatste dag')).toHaveValue('');
  await page.getByRole('button', { name: 'Opslaan' }).press('Enter');
  await expect(page.getByText('Het project is gewijzigd.')).toBeVisible();
  await expect(page.getByText('Er zijn nu geen machines.')).toBeVisible({ timeout: 15_000 });

  await page.getByRole('button', { name: 'Voeg machine toe' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Machine').selectOption(rups.serial);
  await dialog.getByRole('button', { name: 'Zet op het project' }).click();
  await expect(page.getByRole('list', { name: 'Met de hand' })).toContainText('Rups Kadevanaf');
  await expect(there).toContainText('Rups Kademet de hand', { timeout: 15_000 });

  await page.getByRole('button', { name: 'Wijzig', exact: true }).click();
  await page.getByRole('button', { name: 'Beëindig' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText(/\d\d-\d\d-20\d\d tot en met \d\d-\d\d-20\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Wijzig', exact: true }).click();
  await page.getByRole('button', { name: 'Verwijder =Kade Noord' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Het project is verwijderd.')).toBeVisible();
  await expect(page.getByText('Er zijn nog geen projecten')).toBeVisible();
});

test('the page of a project stops requesting it once it is being deleted (14.1k) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/live data could not be fetched/); // setting the browser's clock ahead aborts a call
  const { email } = await portal.fleet('manager');
  await page.clock.install();
  await signInByApi(page, email);
  await page.goto(await newProject(page, 'Kade Noord', [HERE]));
  await page.getByRole('button', { name: 'Wijzig', exact: true }).click();
  // Makes the page's next poll due after the deletion but before its response. The fixture fails on an error in the console.
  await page.route('**/api/project/delete', async (route) => {
    const response = await route.fetch();
    await page.clock.fastForward(60_000);
    await page.evaluate(() => fetch('/health'));
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Verwijder Kade Noord' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Het project is verwijderd.')).toBeVisible();
});

test('a viewer sees a project without buttons to change it (14.1m) @long', async ({ page, portal }) => {
  const { email, colleague } = await portal.fleet('manager');
  await signInByApi(page, email);
  const itsPage = await newProject(page, 'Kade', []);
  await forgetSession(page);
  await signInByApi(page, await colleague('viewer'));
  await page.goto('/projecten');
  await expect(page.getByRole('link', { name: 'Project Kade' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Maak een nieuw project' })).toHaveCount(0);
  await page.goto(itsPage);
  await expect(page.getByText('Dit project heeft nog geen gebied')).toBeVisible();
  for (const name of ['Wijzig', 'Voeg machine toe'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await page.goto('/projecten/nieuw');
  await expect(page.getByText('Je hebt geen rechten voor ‘Nieuw Project’.')).toBeVisible();
});
