import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, signIn, signInByApi, test } from './fixtures.ts';

test("the edit form is prefilled, needs no MAC address, and leads to the machine's page (MEDIT-07) @long", async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/404.*writer\/health/); // the old serial number is requested until the page of the renamed machine opens
  const { email, organization, machine } = await portal.fleet('admin');
  const one = await machine({ brand: 'Volta', model: 'EX-1', capacities: [90.5, 40] });
  await one.report({ LATITUDE: 52, LONGITUDE: 5 });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${one.serial}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Update Een Machine');
  await expect(page.getByLabel('Organisatie').locator('option:checked')).toHaveText(organization.clean);
  await expect(page.getByLabel('Influx serienummer')).toHaveValue(/^1\d{6}$/);
  await expect(page.getByLabel('Machine serienummer')).toHaveValue(one.serial);
  await expect(page.getByLabel('Capaciteit van accu 1 in kWh')).toHaveValue('90,5');
  await expect(page.getByLabel(/^MAC-adres/)).not.toHaveAttribute('required', '');
  const serial = `Nieuw ${project.name}`;
  await page.getByLabel('Machine serienummer').fill(serial);
  await page.getByLabel('Urenstand bij aanvang').fill('1250,5');
  for (let at = 0; at < 30; at += 1) {
    await page.getByLabel('Naam hulpstuk').fill(`Hulpstuk ${'é'.repeat(80)} ${at}`);
    await page.getByLabel('Nummer', { exact: true }).fill(String(at));
    await page.getByLabel('Nummer', { exact: true }).press('Enter');
  }
  await page.getByRole('button', { name: 'Machine Opslaan' }).dblclick();
  await expect(page).toHaveURL(`/machine/${encodeURIComponent(serial)}`);
  await expect(page.getByRole('status').filter({ hasText: 'opgeslagen' })).toBeVisible();
  await page.goto(`/machine/edit/${encodeURIComponent(serial)}`);
  await expect(page.getByLabel('Urenstand bij aanvang')).toHaveValue('1250,5');
  await expect(page.getByRole('region', { name: 'Hulpstukken' }).getByRole('listitem')).toHaveCount(30);
});

test('a person who saves a machine that another person changed meanwhile chooses which changes to keep (MEDIT-07) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial } = await machine({ alias: 'Oude naam', model: 'EX-1' });
  await signIn(page, email);
  const save = page.getByRole('button', { name: 'Machine Opslaan' });
  const dialog = page.getByRole('dialog', { name: 'Iemand anders heeft deze machine intussen gewijzigd' });
  const another = (alias: string, model: string) =>
    page.request.get(
      `/api/machine/edit?${new URLSearchParams({ machine_serial: serial, brand: 'Volta', model, alias, bedrijf: organization.name })}`,
      { headers: SCRIPT_HEADERS },
    );
  await page.goto(`/machine/edit/${serial}`);
  await page.getByLabel('Naam', { exact: true }).fill('Mijn naam');
  await another('Hun naam', 'EX-2');
  await save.click();
  await expect(dialog).toContainText('Gewijzigd: Naam, Model.');
  await expect(dialog).toContainText('Ook door jou gewijzigd: Naam.');
  await dialog.getByRole('button', { name: /^Houd mijn invoer/ }).click();
  await expect(page.getByLabel('Naam', { exact: true })).toHaveValue('Mijn naam');
  await expect(page.getByLabel('Model')).toHaveValue('EX-2');
  await another('Nog een naam', 'EX-3');
  await save.click();
  await dialog.getByRole('button', { name: /^Laad opnieuw/ }).click();
  await expect(page.getByLabel('Naam', { exact: true })).toHaveValue('Nog een naam');
  await page.getByLabel('Naam', { exact: true }).fill('Mijn naam');
  await save.click();
  await expect(page).toHaveURL(`/machine/${serial}`);
});

test('the edit page reports an unknown machine and a failing server (MEDIT-07, MEDIT-15) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/404.*bestaat-niet|400/);
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  await page.goto('/machine/edit/bestaat-niet');
  await expect(page.getByText('Deze machine bestaat niet.')).toBeVisible();
  for (const call of ['machine/writer/health', 'machine/files'])
    await page.route(`**/api/${call}/**`, (route) => route.fulfill({ status: 400, body: 'x' }));
  await page.goto(`/machine/edit/${serial}`);
  for (const sentence of ['De logger is niet geladen.', 'Error loading image.', 'Error loading manual.'])
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
  await page.unrouteAll();
  // The panel of the logger's health retries automatically.
  const files = page.getByRole('alert').filter({ hasText: /^Error loading (image|manual)\./ });
  await files.first().getByRole('button', { name: 'Opnieuw proberen' }).click();
  await expect(files).toHaveCount(0);
  await expect(page.getByText('No Image Was Found')).toBeVisible();
  await expect(page.getByText(/Logger \d{7} is gekoppeld/)).toBeVisible({ timeout: 20_000 });
});
