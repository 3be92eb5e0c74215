import type { Locator, Page } from '@playwright/test';
import { type E2ePortal, expect, signIn, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';

const COUNT = 300;

/** Makes a user with machines 'Rij 000' to 'Rij 299', in this order in the quick menu and in the list of nearby machines. */
async function longFleet(portal: E2ePortal) {
  const { email, machine } = await portal.fleet();
  const first = await machine({ alias: 'Rij 000', brand: 'Volta', model: 'EX-1' });
  // The first reading is older than 5 minutes, because a position that jumps within 5 minutes would not count at first.
  await first.report({ GMT_UNIX: Math.floor(Date.now() / 1000) - 400, LATITUDE: 52, LONGITUDE: 5, Soc1: 50 });
  const last = await machine({ alias: `Rij ${COUNT - 1}`, brand: 'Volta', model: 'EX-1' });
  await last.report({ LATITUDE: 52.299, LONGITUDE: 5, Soc1: 50 });
  await addMachines(portal, first.serial, COUNT - 2, "'Rij ' || lpad(n::text, 3, '0')", {
    LATITUDE: '52 + n / 1000.0',
    LONGITUDE: '5',
  });
  return { email, first, last };
}

const row = (list: Locator, n: number) =>
  list
    .getByRole('listitem')
    .filter({ hasText: `Rij ${String(n).padStart(3, '0')}` })
    .locator('a, button');

const LISTS: { name: string; ids: string; rem: number; open: (page: Page) => Promise<Locator> }[] = [
  {
    name: 'the quick menu',
    ids: 'APP-09, APP-10',
    rem: 4.25,
    open: async (page) => {
      await page.getByRole('button', { name: 'Machines', exact: true }).click();
      return page.getByRole('navigation', { name: 'Machines' }).getByRole('list');
    },
  },
  {
    name: 'the nearby panel',
    ids: 'MAP-13',
    rem: 3.25,
    open: async (page) => page.getByRole('region', { name: 'Machines in de buurt' }).getByRole('list'),
  },
];

for (const { name, ids, rem, open } of LISTS) {
  test(`${name} renders only visible rows, and a row keeps the focus when the order changes (${ids}) @long`, async ({
    page,
    portal,
    context,
    isMobile,
  }) => {
    test.skip(isMobile, 'a phone has no keyboard');
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 51.9, longitude: 5 });
    const { email, first, last } = await longFleet(portal);
    await signIn(page, email);
    const list = await open(page);
    const box = list.locator('..');
    const rows = list.getByRole('listitem');
    await expect(rows.first()).toContainText('Rij 000');
    expect(await rows.count()).toBeLessThan(40);
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(COUNT));
    await expect(rows.nth(3)).toHaveAttribute('aria-posinset', '4');
    expect(await box.evaluate((e) => e.scrollHeight)).toBe(COUNT * rem * 16);

    // A row keeps the focus when its machine moves to another place in the list.
    await row(list, 0).focus();
    if (rem === 3.25) {
      await first.report({ GMT_UNIX: Math.floor(Date.now() / 1000) + 1, LATITUDE: 53.5, LONGITUDE: 5 });
      await expect(row(list, 0).locator('..')).toHaveAttribute('aria-posinset', '300', { timeout: 15_000 });
      await expect(row(list, 0)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(row(list, 299)).toBeFocused();
      await expect(row(list, 299)).toBeInViewport();
    } else {
      await page.keyboard.press('End');
      await row(list, 299).focus();
      await last.report({ GMT_UNIX: Math.floor(Date.now() / 1000) + 1, MotorSpeed: 900 });
      await expect(row(list, 299).locator('..')).toHaveAttribute('aria-posinset', '1', { timeout: 20_000 });
      await expect(row(list, 299)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(row(list, 0)).toBeFocused();
      await expect(row(list, 0)).toBeInViewport();
    }
  });
}

test('the note about an empty fleet lets clicks through to the map @long', async ({
  page,
  portal,
  context,
}) => {
  await context.grantPermissions(['geolocation']);
  const { email } = await portal.fleet();
  await context.setGeolocation({ latitude: 52.1326, longitude: 5.2913 });
  await signIn(page, email);
  const note = page.getByRole('region', { name: 'Nog geen machines' });
  await expect(note).toBeVisible();
  const place = (await note.boundingBox())!;
  await page.getByRole('button', { name: 'You are here' }).click();
  await expect(page.locator('.leaflet-popup').getByText('You are here')).toBeVisible();
  const map = page.getByRole('region', { name: 'Kaart met machines' });
  // A touch at the middle of the note goes through to the map.
  expect(
    await map.evaluate(
      (m, { x, y, width, height }) => m.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
      place,
    ),
  ).toBe(true);
});
