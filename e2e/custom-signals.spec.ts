import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  expectPageFitsScreen,
  MACHINE_POSITION,
  openMachine,
  panelRegion,
  uploadPastReadings,
} from './one-machine.ts';

test('a person chooses custom signals by keyboard, sees them in a graph and a table, and the address keeps the choice (12.C3) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`Teller ${n + 1}`, n]));
  await uploadPastReadings(it, { from: 1_200, to: 600, step: 60 }, (n) => ({
    ...MACHINE_POSITION,
    ...many,
    Soc1: 80,
    Oliedruk: 3 + n / 4,
  }));
  // This reading comes after a gap of 10 minutes. Its two impossible values (1e308) are refused.
  await it.report({ ...MACHINE_POSITION, Soc1: 80, Oliedruk: 1e308, Verkeerd: 1e308, Olietemperatuur: 45 });
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const own = panelRegion(page, 'Eigen signalen');
  await expect(own.getByText('Kies signalen (0 van 27)')).toBeVisible();
  await expect(own.getByRole('checkbox', { name: 'Verkeerd' })).toHaveCount(0);
  await own.getByRole('searchbox', { name: 'Zoek een signaal' }).fill('olie');
  await expect(own.getByRole('checkbox')).toHaveCount(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const pressure = own.getByRole('region', { name: 'Oliedruk' });
  await expect(pressure).toContainText('Laagst 3, gemiddeld 4,25, hoogst 5,5.');
  await expect(pressure.getByRole('img', { name: /^Oliedruk, .* Laagst 3, gemiddeld 4,25/ })).toBeVisible();
  await own.getByRole('checkbox', { name: 'Olietemperatuur' }).click();
  await expect(own.getByRole('region', { name: 'Olietemperatuur' })).toContainText('Laagst 45, gemiddeld 45');
  await expect(page).toHaveURL(/signal=Oliedruk&signal=Olietemperatuur/);
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'eigen signalen');

  // At most eight signals are shown.
  const garbage = [
    '__proto__',
    '<b>',
    'Soc1',
    'x'.repeat(500),
    'Teller 1',
    'Teller 2',
    'Teller 2',
    'Teller 3',
  ];
  const asked = new URLSearchParams([...garbage, 'Teller 4', 'Teller 5'].map((name) => ['signal', name]));
  await openMachine(page, it.serial, `?${asked}`);
  await expect(own.locator('section')).toHaveCount(4);
  await own.getByText('Kies signalen (4 van 27)').click();
  await own.getByRole('searchbox', { name: 'Zoek een signaal' }).fill('teller 2');
  for (const n of [20, 21, 22, 23]) {
    const box = own.getByRole('checkbox', { name: `Teller ${n}` });
    await box.click();
    await expect(box).toBeChecked();
  }
  await expect(own).toContainText('Meer dan 8 tegelijk kan niet.');
  await expect(own.getByRole('checkbox', { name: 'Teller 24' })).toBeDisabled();
});

test("the page of a machine without custom signals has no panel 'Eigen signalen' (12.C3) @long", async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  await it.report({ ...MACHINE_POSITION, Soc1: 80, SocDisp: 79 });
  await signInByApi(page, it.email);
  const asked = page.waitForResponse(/influx\/signals/);
  await openMachine(page, it.serial);
  expect((await asked).status()).toBe(200);
  await expect(panelRegion(page, 'Verloop')).toBeVisible();
  await expect(panelRegion(page, 'Eigen signalen')).toHaveCount(0);
});
