import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { createUserWithMachine, openMachine, panelRegion, uploadPastReadings } from './one-machine.ts';

for (const [size, viewport] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`a manager enters a charging tariff, and the page of report factors shows its prices, on a ${size} (53.32) @long`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize(viewport);
    const { email } = await portal.fleet('manager');
    await signInByApi(page, email);
    await page.goto('/rapporten/factoren');
    await expect(page.getByText('Zonder laadtarief tonen rapporten geen laadkosten.')).toBeVisible();
    await page.getByRole('button', { name: 'Voeg een laadtarief toe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nieuw laadtarief' });
    await dialog.getByLabel('Prijs per kWh').fill('veel');
    await dialog.getByLabel('Geldt vanaf').fill('01-01-2026');
    await dialog.getByRole('button', { name: 'Opslaan' }).click();
    await expect(dialog.getByText('Prijs per kWh is een bedrag, zoals 0,245.')).toBeVisible();
    await dialog.getByLabel('Prijs per kWh').fill('0,24505');
    await dialog.getByText('’s Nachts geldt een andere prijs').click();
    await dialog.getByLabel('Nachtprijs per kWh').fill('0,18');
    await dialog.getByLabel('Begin van de nacht').selectOption('22:00');
    await expectAccessible(page, 'dialog');
    await dialog.getByRole('button', { name: 'Opslaan' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Het laadtarief is opgeslagen.' })).toBeVisible();
    const list = page.getByRole('list', { name: 'Laadtarieven' });
    await expect(list.getByRole('listitem')).toContainText(
      'Dag € 0,24505, nacht € 0,18 per kWh (22:00 tot 07:00 en in het weekend)Vanaf 01-01-2026',
    );
    await expectAccessible(page, 'factors');
  });

test("a report with start and end hours offers the period 'Afgelopen nacht', and a report of whole days states that it has no hours (53.33) @long", async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('manager');
  await signInByApi(page, email);
  await page.goto('/rapporten/laadbeurten');
  const period = page.getByLabel('Periode');
  await period.selectOption('Afgelopen nacht');
  await expect(page).toHaveURL(/periode=afgelopen-nacht/);
  await expect(
    page.getByText('Van gisteren 18:00 tot vandaag 06:00. Volgt de werkweek als die is ingesteld.'),
  ).toBeVisible();
  await period.selectOption('Zelf kiezen');
  await expect(page.getByLabel('Begin')).toHaveValue(/^\d\d-\d\d-\d{4} 18:00$/);
  await page.getByLabel('Begin').fill('31-12-2025 22:30');
  await page.getByLabel('Begin').press('Tab');
  await expect(page).toHaveURL(/van=2025-12-31/);
  await page.getByLabel('Einde').fill('01-01-2026 07:15');
  await page.getByLabel('Einde').press('Tab');
  await expect(page).toHaveURL(/van=2025-12-31&tot=2026-01-01&vanuur=22%3A30&totuur=07%3A15/);
  await page.goto('/rapporten/dagstaten');
  await expect(page.getByText('Dit rapport gaat over hele dagen.')).toBeVisible();
  await expect(page.getByRole('option', { name: 'Afgelopen nacht' })).toHaveCount(0);
  await page.getByLabel('Periode').selectOption('Vandaag');
  await expect(page).toHaveURL(/periode=vandaag/);
  await expectAccessible(page, 'report');
});

test('pointing at the speed graph shows the place on the map, which has a scale (53.34) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { alias: 'Rups', capacities: [100] });
  await uploadPastReadings(it, { from: 1_800, to: 60, step: 60 }, (n) => ({
    LATITUDE: 52 + n / 1000,
    LONGITUDE: 5.123456,
    Speed: n,
    MotorSpeed: 900,
  }));
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const gps = panelRegion(page, 'GPS Tracking');
  await expect(gps.getByText(/^\d+ k?m$/)).toBeVisible();
  await page.getByRole('switch', { name: 'Route On/Off' }).click();
  const speed = gps.getByRole('region', { name: 'Snelheid' });
  await expect(speed).toContainText(
    /Zelf gereden: hoogste \d\d,0 km\/u, gemiddeld \d\d,\d km\/u onderweg, de hoogste op/,
  );
  const slider = gps.getByRole('slider', { name: 'Punt op de route' });
  const graph = speed.getByRole('img');
  await graph.scrollIntoViewIfNeeded();
  const box = (await graph.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await expect(slider).toHaveJSProperty('value', '0');
  await expect(speed).toContainText(/\d\d:\d\d:\d\d: \d,0 km\/u/);
  await expectAccessible(page, 'route');
});
