import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('machine details and the prices and CO2 factors of reports are entered on their forms and appear in reports (14.3v) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial } = await machine({ brand: 'Volta' });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await page.getByLabel('Kenteken of meldcode').fill('TBK-31-D');
  await page.getByLabel('SEB-categorie').selectOption('C: voertuig');
  const power = page.getByLabel('Continu vermogen (kW)');
  await power.fill('veel');
  const save = page.getByRole('button', { name: 'Machine Opslaan' });
  await save.click();
  await expect(power).toBeFocused();
  await expect(page.getByText('Continu vermogen (kW) is een getal van 0,1 tot 2.000.')).toBeVisible();
  await power.fill('85,5');
  await save.click();
  await expect(page).toHaveURL(`/machine/${serial}`);
  const info = page.getByRole('region', { name: 'Machine Info' });
  for (const text of ['TBK-31-D', 'C: voertuig', '85,5']) await expect(info).toContainText(text);

  await page.goto('/rapporten/factoren');
  await expect(page.getByText('Zonder factor blijft de kolom CO2 in rapporten leeg.')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const add = async (values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Opslaan' }).click();
  };
  await page.getByRole('button', { name: 'Voeg een factor voor CO2 toe' }).click();
  await dialog.getByLabel('Organisatie').selectOption(organization.clean);
  const co2 = { 'Kilogram CO2 per kWh': '0,268', 'Geldt vanaf': '01-01-2026', Bron: 'co2emissiefactoren.nl' };
  await add({ ...co2, 'Kilogram CO2 per kWh': 'weinig' });
  await expect(dialog.getByText('Factor is een getal, zoals 9,5.')).toBeVisible();
  await add(co2);
  await expect(page.getByRole('status').filter({ hasText: 'De factor is opgeslagen.' })).toBeVisible();
  const list = page.getByRole('list', { name: 'CO2 per kWh' });
  await expect(list.getByRole('listitem')).toContainText('0,268 kg CO2 per kWhVanaf 01-01-2026');
  const diesel = {
    'Vermogen vanaf (kW)': '56',
    'Vermogen tot (kW)': '130',
    'Liter diesel per uur': '9,5',
    'Vergeleken met': 'Shovel van 9 t, Stage V',
    'Geldt vanaf': '01-01-2026',
    Bron: 'Eigen tankbeurten 2025',
  };
  for (const _ of ['made', 'refused']) {
    await page.getByRole('button', { name: 'Voeg een klasse voor diesel toe' }).click();
    await dialog.getByLabel('Organisatie').selectOption(organization.clean);
    if (_ === 'refused') await expectAccessible(page, 'dialog');
    await add(diesel);
  }
  await expect(dialog.getByRole('alert')).toContainText('Deze klasse overlapt met een andere');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Machines van 56 tot 130 kW')).toBeVisible();
  await expectAccessible(page, 'factors');
  await list.getByRole('button', { name: /^Verwijder 0,268/ }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(list).toHaveCount(0);
});
