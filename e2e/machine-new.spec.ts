import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { accessoryInput } from './new-machine.ts';

test('the form of a new machine has all fields, and marks the required ones (MEDIT-01, MEDIT-14)', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Maak Een Nieuwe Machine');
  await expect(page.getByLabel('Organisatie').locator('option').first()).toHaveText('Kies Een Organisatie');
  for (const name of [
    'influx_Serienummer',
    'machine_Serienummer',
    'machine_Merk',
    'machine_Naam',
    'machine_Model',
    'macaddress',
  ])
    await expect(page.locator(`input[name=${name}]`)).toHaveAttribute('required', '');
  await expect(page.getByLabel('MAC-adres')).toHaveAttribute('placeholder', '000 00 AS0 A0000');
  await expect(page.getByLabel('Urenstand bij aanvang')).toHaveValue('0');
  await expect(page.getByRole('combobox', { name: 'Vergelijkbare Machine' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Importeer' })).toBeVisible();
  for (const name of ['hulpstuk', 'hulpstuknummer'])
    await expect(page.locator(`input[name=${name}]`)).not.toHaveAttribute('required', '');
  await expect(page.getByRole('link', { name: 'Handleiding' })).toHaveAttribute(
    'href',
    '/machine/handleiding',
  );
  await page.getByRole('button', { name: 'Voeg Accu Toe' }).click();
  await expect(page.getByLabel('Capaciteit van accu 2 in kWh')).toBeFocused();
  await page.getByRole('button', { name: 'Verwijder accu 1' }).click();
  await expect(page.getByLabel('Capaciteit van accu 2 in kWh')).toHaveCount(0);
});

test('accessories are added, removed and imported, by keyboard too, in a panel 610 px high (MEDIT-03, MEDIT-04) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const other = await machine({ brand: 'Hitachi', model: 'ZX-17' });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set accessories = '[{"naam":"Bak","nummer":1},{"naam":" ","nummer":2},{"naam":"Vork","nummer":3}]'
     from stream where stream.id = machine.stream_id and stream.serial = $1`,
    [other.serial],
  );
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  const panel = page.getByRole('region', { name: 'Hulpstukken' });
  const rows = panel.getByRole('listitem');
  expect((await panel.boundingBox())?.height).toBe(610);
  const number = page.getByLabel('Nummer', { exact: true });
  await number.fill('5');
  await page.getByRole('button', { name: 'Voeg Hulpstuk Toe' }).click();
  await expect(rows).toHaveCount(0); // an empty name is ignored
  await accessoryInput(page).fill('Sloophamer <b>');
  for (const wrong of ['12abc', '1e9', '']) {
    await number.fill(wrong);
    await number.press('Enter');
    await expect(page.getByText('Het nummer is een geheel getal')).toBeVisible();
    await expect(rows).toHaveCount(0);
  }
  await number.fill('-1');
  await number.press('Enter');
  await expect(rows).toHaveText(['Sloophamer <b>-1']);
  await expect(accessoryInput(page)).toBeFocused();
  await expect(accessoryInput(page)).toHaveValue('');
  for (let at = 0; at < 20; at += 1) {
    await accessoryInput(page).fill(`Bak ${at}`);
    await number.fill(String(at));
    await number.press('Enter');
  }
  await expect(rows).toHaveCount(21);
  expect((await panel.boundingBox())?.height).toBe(610);
  expect(await panel.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  await page.getByRole('button', { name: 'Delete hulpstuk Bak 19' }).click();
  await expect(rows).toHaveCount(20);

  const from = page.getByRole('combobox', { name: 'Hulpstukken overnemen van' });
  await from.fill('hitachi zx-17');
  await page
    .getByRole('option', { name: /Hitachi ZX-17/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Importeer' }).click();
  await expect(rows).toHaveText(['Bak1', 'Vork3']);
  await expect(page.getByText('De lijst is vervangen door 2 hulpstukken.')).toBeVisible();
});

test('a long list of machines scrolls inside its box, so that the last machine can be clicked (MEDIT-04) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  for (let at = 0; at < 15; at += 1) await machine({ brand: 'Lang', model: `L-${at}` });
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  const from = page.getByRole('combobox', { name: 'Hulpstukken overnemen van' });
  await from.fill('lang l-');
  await page.getByRole('option', { name: /Lang L-14/ }).click();
  await expect(from).toHaveValue(/^Lang L-14/);
  await expectAccessible(page, 'a machine is chosen');
  await page.getByRole('button', { name: 'Hulpstukken overnemen van wissen' }).press('Enter');
  await expect(from).toHaveValue('');
});
