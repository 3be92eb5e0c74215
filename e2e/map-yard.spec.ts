/** Machines at one spot of the map, and a map that is unchanged when a person returns to it. */
import type { Page } from '@playwright/test';
import { type E2ePortal, expect, expectAccessible, signIn, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';

const YARD = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const map = (page: Page) => page.getByRole('region', { name: 'Kaart met machines' });

test('machines at one spot share a bubble, whose list leads to each of them by keyboard, and the map is unchanged after a visit to another page (15.3a, 15.3b, 15.3e, 15.3i) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Draaiend' })).report({ ...YARD, Soc1: 80, MotorSpeed: 900 });
  const charging = await machine({ alias: 'Ladend' });
  await charging.report({ ...YARD, Soc1: 50, IsCharging1: 1, ChargingCurrent: 9 });
  await (await machine({ alias: 'Leeg' })).report({ ...YARD, Soc1: 8 });
  await signIn(page, email);
  await page.goto('/?kaart=52.1,5.3,9');
  await map(page)
    .getByRole('button', { name: '3 machines: 1 draait, 1 laadt, 1 uit, batterij laag: 1', exact: true })
    .focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: '3 machines op één plek' });
  await expect(list.getByRole('button', { name: /^Ladend/ })).toContainText('50%');
  await list.getByRole('button', { name: /^Draaiend/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const popup = page.getByRole('dialog', { name: 'Ladend' });
  await expect(popup.getByRole('link', { name: 'Navigeer erheen' })).toHaveAttribute(
    'href',
    /52\.100000,5\.300000/,
  );
  await expect(popup.getByRole('button', { name: 'Kopieer coördinaten' })).toBeVisible();
  await expect(popup.getByRole('button', { name: 'Alle 3 machines hier' })).toBeVisible();
  await page.getByText('Satellite', { exact: true }).click();
  // Accepts any centre, because the popup may still move the map a little.
  const inAddress = new RegExp(`/\\?kaart=[^&]*%2C9&laag=satellite&machine=${charging.serial}$`);
  await expect(page).toHaveURL(inAddress);

  const asLeft = async () => {
    await expect(popup).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Satellite' })).toBeChecked();
  };
  await popup.getByRole('link', { name: 'Ga naar dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Ladend' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Terug' }).click();
  await asLeft();
  await expect(page).toHaveURL(inAddress);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Machines', exact: true })
    .click();
  await expect(page.getByRole('heading', { name: 'Machines', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === '/');
  await asLeft();
  await page.keyboard.press('Escape');
  await expect(popup).toHaveCount(0);
});

test("the strip of machine states filters the map and the list beside it, and 'Toon alle machines' moves the map so that it shows all machines (15.3f, 15.3g, 15.3h) @long", async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Laadt' })).report({
    LATITUDE: 53.2,
    LONGITUDE: 6.5,
    Soc1: 50,
    IsCharging1: 1,
    ChargingCurrent: 9,
  });
  await (await machine({ alias: 'Stil' })).report({
    GMT_UNIX: Date.UTC(2026, 0, 5, 13, 7) / 1000,
    LATITUDE: 51.4,
    LONGITUDE: 4.3,
    Soc1: 40,
  });
  await signIn(page, email);
  await page.goto('/?kaart=40,-3,12');
  const pins = map(page).locator('.leaflet-marker-icon');
  await page.getByRole('button', { name: 'Toon alle machines' }).click();
  for (const [name, charge] of [
    ['Laadt, Laden', '50%'],
    ['Stil, Stil, laatst Uit', '40%'],
  ] as const) {
    const pin = map(page).getByRole('button', { name, exact: true });
    await expect(pin).toBeInViewport();
    await expect(pin).toHaveAccessibleDescription(charge);
    await expect(pin.locator(`[data-charge="${charge}"]`)).toBeVisible();
  }
  await expect(page).not.toHaveURL(/kaart=40/);

  const rows = page.getByRole('region', { name: 'Machines in de buurt' });
  await expect(rows.getByRole('listitem')).toHaveText([
    /^Laadt.*50%.*Laden/,
    /^Stil.*40%.*Laatst gezien: 05-01-26, 14:07/,
  ]);
  await expect(rows.getByRole('button', { name: 'Deel je locatie voor afstanden' })).toBeVisible();
  await page.getByRole('button', { name: '1 Laden', exact: true }).click();
  await expect(page).toHaveURL(/staat=laden/);
  await expect(pins).toHaveCount(1);
  await expect(rows.getByRole('listitem')).toHaveText([/^Laadt/]);
  await page.getByRole('button', { name: '1 Laden', exact: true }).click();
  await expect(pins).toHaveCount(2);
});

/** Makes an organization with `count` machines of different statuses, `inYard` of them in one yard. @returns its user's e-mail address */
async function aFleet(portal: E2ePortal, count: number, inYard: number): Promise<string> {
  const { email, machine } = await portal.fleet();
  const states = {
    Soc1: '(n * 37) % 101',
    IsCharging1: 'case when n % 5 = 0 then 1 else 0 end',
    ChargingCurrent: 'case when n % 5 = 0 then 40 else 0 end',
    MotorSpeed: 'case when n % 3 = 0 then 900 else 0 end',
  };
  if (count === 0) return email;
  const { serial, report } = await machine({ alias: 'Eerste' });
  await report({ LATITUDE: 51.5, LONGITUDE: 4, Soc1: 12 });
  if (count === 1) return email;
  await addMachines(portal, serial, count - 1, "'Werf ' || n", {
    // The golden ratio spreads the machines evenly, at the same positions in each run.
    LATITUDE: `case when n <= ${inYard} then ${YARD.LATITUDE} else 51.2 + 2 * mod(n * 0.6180339, 1) end`,
    LONGITUDE: `case when n <= ${inYard} then ${YARD.LONGITUDE} else 4 + 2.8 * mod(n * 0.7548777, 1) end`,
    ...states,
  });
  return email;
}

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;
const FLEETS = [
  { count: 0, inYard: 0 },
  { count: 1, inYard: 0 },
  { count: 121, inYard: 120 },
  { count: 10_000, inYard: 500 },
] as const;

for (const size of SIZES) {
  for (const { count, inYard } of FLEETS) {
    test(`the map has no accessibility violation with ${count} machines, ${inYard} in one yard, at ${size.width} px (15.3d) @long`, async ({
      page,
      portal,
      expectConsole,
    }) => {
      expectConsole(/does not fit in this browser/);
      test.setTimeout(120_000);
      await page.setViewportSize(size);
      await signIn(page, await aFleet(portal, count, inYard));
      if (count === 0) await expect(page.getByRole('region', { name: 'Nog geen machines' })).toBeVisible();
      else await expect(map(page).locator('.leaflet-marker-icon').first()).toBeVisible({ timeout: 15_000 });
      await expectAccessible(page, 'the whole country');
      for (const zoom of [9, 13, 19]) {
        await page.goto(`/?kaart=${YARD.LATITUDE},${YARD.LONGITUDE},${zoom}`);
        await expect(map(page)).toBeVisible();
        if (inYard > 0)
          await expect(map(page).locator('.leaflet-marker-icon').first()).toBeVisible({ timeout: 15_000 });
        await expectAccessible(page, `zoom ${zoom}`);
      }
      if (inYard === 0) return;
      await map(page)
        .getByRole('button', { name: new RegExp(`^${inYard} machines`) })
        .click();
      const list = page.getByRole('dialog', { name: `${inYard} machines op één plek` });
      await expect(list.getByRole('listitem').first()).toBeVisible();
      await expectAccessible(page, 'the list');
      await list.getByRole('button', { name: /^Werf 2 / }).click();
      await expect(page.getByRole('dialog', { name: 'Werf 2', exact: true })).toBeVisible();
      await expectAccessible(page, 'a machine of the yard');
    });
  }
}

test('the keyboard alone reaches each of 120 machines in one yard (15.3b) @long', async ({
  page,
  portal,
}) => {
  const email = await aFleet(portal, 121, 120);
  await signIn(page, email);
  const bubble = map(page).getByRole('button', { name: /^120 machines/ });
  for (let tabs = 0; tabs < 40; tabs++) {
    if (await bubble.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(bubble).toBeFocused();
  const list = page.getByRole('dialog', { name: '120 machines op één plek' });
  for (const opened of [1, 2, 60, 119, 120]) {
    await page.keyboard.press('Enter');
    await expect(list).toBeFocused();
    // The close button comes after the rows, so one Tab reaches the first row.
    await page.keyboard.press('Tab');
    for (let n = 1; n <= opened; n++) {
      await expect(list.getByRole('button', { name: new RegExp(`^Werf ${n} `) })).toBeFocused();
      if (n < opened) await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: `Werf ${opened}`, exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(bubble).toBeFocused();
  }
});
