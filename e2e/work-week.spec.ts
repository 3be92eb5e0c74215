import { enter, expect, test } from './fixtures.ts';

test('16.1c a beheerder sets the work week, with a night shift and holidays, and is told what cannot be @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email, organization } = await portal.fleet('manager');
  await enter(page, email);
  await page.goto('/projecten');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Werkweek' }).click();
  await expect(page).toHaveURL(`/organization/${organization.name}/werkweek`);
  await expect(
    page.getByText(/De (?:volgende dienst|dienst die nu loopt): .* van 07:00 tot 17:00/),
  ).toBeVisible();
  const save = page.getByRole('button', { name: 'Bewaar' });

  await page.getByLabel('vrijdag van').fill('22:00');
  await page.getByLabel('vrijdag tot').fill('08:00');
  await expect(page.getByText('Eindigt op zaterdag.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'zaterdag' }).check();
  await save.click();
  await expect(page.getByText('Zaterdag begint voordat de dienst van vrijdag klaar is.')).toBeVisible();
  await expect(page.getByLabel('zaterdag van')).toBeFocused();
  await page.getByLabel('zaterdag van').fill('8');

  await page.getByRole('button', { name: 'Voeg vrije dagen toe' }).click();
  const holidays = page.getByRole('list', { name: 'Eigen vrije dagen' });
  await holidays.getByLabel('Naam').fill('Bouwvak');
  await holidays.getByLabel('Eerste dag').fill('19-07-2027');
  await holidays.getByLabel('Laatste dag').fill('06-08-2027');
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: 'Bewaard.' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('vrijdag tot')).toHaveValue('08:00');
  await expect(page.getByLabel('zaterdag van')).toHaveValue('08:00');
  await expect(holidays.getByLabel('Laatste dag')).toHaveValue('06-08-2027');

  await holidays.getByRole('button', { name: 'Delete Bouwvak' }).click();
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page.getByRole('dialog')).toContainText('Weet je zeker dat je deze pagina wilt verlaten');
});
