import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, signInByApi, test } from './fixtures.ts';

test('a beheerder sets the work week with a night shift and holidays, and reads the errors of invalid input (16.1c) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email, organization } = await portal.fleet('manager');
  await signInByApi(page, email);
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

  await holidays.getByRole('button', { name: 'Verwijder Bouwvak' }).click();
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page.getByRole('dialog')).toContainText('Weet je zeker dat je deze pagina wilt verlaten');
});

test('a beheerder gives a machine an own work week of whole days, and removes it (53.6) @long', async ({
  page,
  portal,
}) => {
  const { email, organization, machine: make } = await portal.fleet('manager');
  await make({ alias: 'Kraan Nacht' });
  await signInByApi(page, email);
  await page.goto(`/organization/${organization.name}/werkweek`);
  await expect(page.getByText('Iedereen werkt volgens deze werkweek.')).toBeVisible();
  await page.getByLabel('Eigen werkweek voor een').selectOption('machine');
  await page.getByLabel('Welke machine').selectOption('Kraan Nacht');
  await page.getByRole('button', { name: 'Geef eigen werkweek' }).click();
  await expect(page.getByRole('heading', { name: 'Werkweek van machine Kraan Nacht' })).toBeVisible();
  await expect(page.getByText('Nu geldt de werkweek van de organisatie.')).toBeVisible();
  for (const day of ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag']) {
    await page.getByLabel(`${day} van`).fill('0');
    await page.getByLabel(`${day} tot`).fill('24:00');
  }
  await page.getByLabel('vrijdag van').focus();
  await expect(page.getByText('De hele dag.')).toHaveCount(5);
  await page.getByRole('button', { name: 'Bewaar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Bewaard.' })).toBeVisible();
  await page.getByRole('link', { name: 'Terug' }).click();
  const list = page.getByRole('list', { name: 'Eigen werkweken' });
  await expect(list.getByText('Maandag tot en met vrijdag de hele dag.')).toBeVisible();
  await list.getByRole('link').click();
  await page.getByRole('button', { name: 'Verwijder de eigen werkweek' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Iedereen werkt volgens deze werkweek.')).toBeVisible();
});

test("the form for a machine's own work week is prefilled with the work week of the machine's label (53.6)", async ({
  page,
  portal,
}) => {
  const { email, organization, machine: make } = await portal.fleet('manager');
  const { serial } = await make({ alias: 'Kraan Nacht' });
  await signInByApi(page, email);
  const ask = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers: SCRIPT_HEADERS });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const { _id } = await ask('/api/label/create', { labelName: 'Nachtploeg', labelColour: 'blue' });
  await ask('/api/label/assign', { _id, serial });
  await ask('/api/workweek/own/set', {
    name: organization.name,
    by: 'label',
    target: String(_id),
    workDays: Array.from({ length: 7 }, () => ({ from: '22:15', to: '05:45' })),
    nationalHolidays: false,
    ownHolidays: [],
  });
  await page.goto(`/organization/${organization.name}/werkweek/machine/${serial}`);
  await expect(page.getByText('Nu geldt de werkweek van label Nachtploeg.')).toBeVisible();
  await expect(page.getByLabel('zondag van')).toHaveValue('22:15');
  await expect(page.getByLabel('maandag tot')).toHaveValue('05:45');
});
