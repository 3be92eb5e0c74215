import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  MACHINE_POSITION,
  openMachine,
  panelRegion,
  uploadPastReadings,
} from './one-machine.ts';

test("the panel 'GPS Tracking' shows the live position and, by keyboard, each point of the route, which is part of the address (MDET-11, MDET-12, MDET-14) @long", async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { alias: 'Rups', capacities: [100] });
  await uploadPastReadings(it, { from: 1_800, to: 60, step: 60 }, (n) => ({
    ...(n % 5 === 4 ? {} : { LATITUDE: 52 + n / 1000 + 0.000001, LONGITUDE: 5.123456 }),
    Speed: n,
    Soc1: 90 - n,
    MotorSpeed: n < 10 ? 900 : 0,
  }));
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const gps = panelRegion(page, 'GPS Tracking');
  await expect(gps).toContainText('Lat52.028001');
  await expect(gps).toContainText('Lon5.123456');
  await expect(gps).toContainText(/Last Updatedvandaag, \d\d:\d\d|Last Updated\d\d-/);
  await it.report({ LATITUDE: 52.03, LONGITUDE: 5.13, Soc1: 50 });
  await expect(gps).toContainText('Lat52.030000', { timeout: 30_000 });
  // The marker is a button; its popup shows the same coordinates.
  await gps.getByRole('button', { name: 'Rups' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rups' })).toContainText('52.030000');
  await page.keyboard.press('Escape');

  const toggle = page.getByRole('switch', { name: 'Route On/Off' });
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/route=on&start=[^&]+Z&end=[^&]+Z$/);
  const slider = page.getByRole('slider', { name: 'Punt op de route' });
  await expect(slider).toBeVisible();
  await expectAccessible(page, 'machine page with its route');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^\d\d-\d\d-\d\d, \d\d:\d\d:\d\d, 0 km\/u, laadniveau 90%$/,
  );
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  // Four steps go from the first to the sixth reading, because the fifth one has no position.
  await expect(slider).toHaveAttribute('aria-valuetext', /, 5 km\/u, laadniveau 85%$/);
  await expect(gps).toContainText('Lat52.005001');
  // The chart shows the time of the chosen point of the route.
  await expect(panelRegion(page, 'Verloop')).toContainText(/\d\d:\d\d:\d\d: Accu 1 8\d%/);
  // Pointing at the left end of the chart picks the first point of the route.
  const chart = panelRegion(page, 'Verloop').getByRole('img');
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await expect(slider).toHaveJSProperty('value', '0');
  await slider.focus();
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowRight');
  await gps.getByRole('button', { name: 'Vorig punt' }).click();
  await expect(slider).toHaveAttribute('aria-valuetext', /, 3 km\/u, laadniveau 87%$/);
  await expect(gps.getByText('Last Updated')).toHaveCount(0);

  const { length: points } = await (await page.request.get(`/api/influx/gps/${it.serial}`)).json();
  expect(Number(await slider.getAttribute('max'))).toBeLessThan(points);
  await page.reload();
  await expect(toggle).toBeChecked();
  await expect(slider).toBeVisible();
  await toggle.click();
  await expect(page).toHaveURL(/machine\/[^?]+/);
  await expect(gps).toContainText('Last Updated');
});

test.describe('a browser in New York, in English', () => {
  test.use({ timezoneId: 'America/New_York', locale: 'en-US' });
  test('the machine page shows and accepts Dutch times of Amsterdam, and refuses impossible ones (APP-12, MDET-13) @long', async ({
    page,
    portal,
  }) => {
    const it = await createUserWithMachine(portal);
    await it.report({ ...MACHINE_POSITION, Soc1: 50 });
    await signInByApi(page, it.email);
    await openMachine(page, it.serial, '?start=2026-03-28T23:00Z&end=2026-03-29T22:00Z');
    const gps = panelRegion(page, 'GPS Tracking');
    const [begin, end] = [
      gps.getByRole('button', { name: /^Begin/ }),
      gps.getByRole('button', { name: /^Eind/ }),
    ];
    await expect(begin).toHaveText('29-03-26, 00:00');
    await expect(end).toHaveText('30-03-26, 00:00');
    await begin.click();
    const dialog = page.getByRole('dialog', { name: 'Begin' });
    await expect(dialog.getByText(/^maart 2026$/i)).toBeVisible();
    await expectAccessible(page, 'picker');
    const time = dialog.getByLabel('Tijd');
    await time.fill('25:00');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('Typ een tijd als 08:30.');
    await time.fill('930');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(begin).toHaveText('29-03-26, 09:30');
    await expect(begin).toBeFocused();
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-03-29T07:30Z');

    // A start after the end shows an error at the field and requests nothing.
    await begin.click();
    await dialog.getByRole('button', { name: 'Volgende maand' }).click();
    await dialog.getByRole('button', { name: /^2 april 2026/ }).click();
    await dialog.getByRole('button', { name: 'Klaar' }).click();
    await expect(gps.getByText('De begintijd ligt na de eindtijd.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-03-29T07:30Z');
    await end.click();
    await page.getByRole('dialog', { name: 'Eind' }).getByRole('button', { name: 'Volgende maand' }).click();
    await page
      .getByRole('dialog', { name: 'Eind' })
      .getByRole('button', { name: /^3 april 2026/ })
      .click();
    await page.getByRole('button', { name: 'Klaar' }).click();
    await expect(gps.getByText('De begintijd ligt na de eindtijd.')).toHaveCount(0);
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-04-02T07:30Z');

    const later = new Date(Date.now() + 3_600_000).toISOString();
    await openMachine(page, it.serial, `?start=2026-03-28T23:00Z&end=${later}`);
    await expect(gps.getByText('De eindtijd ligt in de toekomst.')).toBeVisible();
    await page.getByRole('button', { name: 'Laatste 24 uur' }).click();
    await expect(gps.getByText('De eindtijd ligt in de toekomst.')).toHaveCount(0);
    await expect(panelRegion(page, 'Verloop').getByRole('img')).toBeVisible();
  });
});
