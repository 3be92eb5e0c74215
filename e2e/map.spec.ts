import type { Page } from '@playwright/test';
import { expect, mapMarker, signIn, test } from './fixtures.ts';

const UTRECHT = { LATITUDE: 52.09, LONGITUDE: 5.12 };
const ZWOLLE = { LATITUDE: 52.51, LONGITUDE: 6.09 };
const GRONINGEN = { LATITUDE: 53.21, LONGITUDE: 6.56 };

const popup = (page: Page, name: string) => page.getByRole('dialog', { name });
const panel = (page: Page) => page.getByRole('region', { name: 'Machines in de buurt' });
const openPanel = async (page: Page, isMobile: boolean) => {
  if (isMobile) await panel(page).getByRole('button', { name: 'Machines in de buurt' }).click();
};
const centreOf = async (page: Page, name: string) => {
  const box = (await mapMarker(page, name).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height };
};

test('the map fills the view, has its two layers and orange markers, and no zoom control (MAP-01, MAP-02, MAP-04) @phone', async ({
  page,
  portal,
  isMobile,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Midden' })).report({ LATITUDE: 52.1326, LONGITUDE: 5.2913 });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, email);
  const map = (await page.getByRole('region', { name: 'Kaart met machines' }).boundingBox())!;
  const view = page.viewportSize()!;
  expect([map.x, map.width, Math.round(map.y + map.height)]).toEqual([0, view.width, view.height]);
  expect(map.y).toBeLessThanOrEqual(64);
  // The marker at the centre (52.1326, 5.2913) points at the middle of the map.
  const point = await centreOf(page, 'Midden, Uit');
  expect(Math.abs(point.x - view.width / 2)).toBeLessThan(2);
  expect(Math.abs(point.y - (map.y + map.height / 2))).toBeLessThan(2);
  // The map opens zoomed in on the machine's town. Without a position it opens on the whole country (map-follow.spec.ts).
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/street/14/'))).toBe(true);
  await expect(page.locator('.leaflet-control-zoom')).toHaveCount(0);
  const icon = (await mapMarker(page, 'Midden, Uit').boundingBox())!;
  expect([icon.width, icon.height]).toEqual([30, 30]);

  await expect(page.getByRole('radio', { name: 'Default View' })).toBeChecked();
  const layers = (await page.getByRole('group', { name: 'Kaartlaag' }).boundingBox())!;
  expect(layers.x).toBeLessThan(40);
  expect(layers.y).toBeGreaterThan(view.height * (isMobile ? 0.7 : 0.8));
  await page.getByText('Satellite', { exact: true }).click();
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/satellite/14/'))).toBe(true);
  await expect(page.getByRole('status').filter({ hasText: 'Kaart niet bereikbaar' })).toBeVisible();
});

test("the map requests the user's position once, and shows it as a blue marker with the popup 'You are here' (MAP-03) @phone", async ({
  page,
  portal,
  context,
}) => {
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 52.2, longitude: 5.2 });
  await page.addInitScript(() => {
    const ask = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);
    navigator.geolocation.getCurrentPosition = (...args) => {
      (window as unknown as { asked: number }).asked =
        ((window as unknown as { asked?: number }).asked ?? 0) + 1;
      ask(...args);
    };
  });
  const { email, machine } = await portal.fleet();
  await (await machine()).report(ZWOLLE);
  await signIn(page, email);
  await page.getByRole('button', { name: 'You are here' }).click();
  await expect(page.locator('.leaflet-popup').getByText('You are here')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
});

test('the popup shows the facts of a machine, and links to its page (MAP-04, MAP-05, MAP-06) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { report, serial } = await machine({
    alias: '<b>Rups</b> & "zoon"',
    brand: 'Stroomer',
    model: 'EX-26',
    capacities: [130, 130, 130],
  });
  await report({ ...UTRECHT, Soc1: 81.4, soc2: 79, MotorSpeed: 900 });
  await signIn(page, email);
  await mapMarker(page, /Rups/).click();
  const dialog = popup(page, '<b>Rups</b> & "zoon"');
  await expect(dialog.getByRole('heading', { name: '<b>Rups</b> & "zoon"' })).toBeVisible();
  await expect(dialog).toContainText('Stroomer EX-26');
  await expect(dialog).toContainText(`#${serial}`);
  await expect(dialog).toContainText('Draait');
  await expect(dialog.getByText(/^Laatst gezien: (vandaag|\d\d-\d\d-\d\d), \d\d:\d\d$/)).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await expect(dialog).toContainText(/Accu 1.*81%.*Accu 2.*79%.*Accu 3.*--/s);
  // The popup is 13rem wide.
  expect((await page.locator('.leaflet-popup-content-wrapper').boundingBox())!.width).toBe(208);
  // Delays the script of the next page, so that the person leaves before the map has written its last movement into the URL.
  await page.route('**/assets/machine-page-*.js', async (route) => {
    await page.waitForTimeout(600);
    await route.continue();
  });
  await page.mouse.move(20, 300);
  await page.mouse.wheel(0, -200);
  // Presses the link by keyboard, because the zooming map moves the popup away from the mouse.
  await dialog.getByRole('link', { name: 'Ga naar dashboard' }).press('Enter');
  await expect(page.getByText('Afbeelding onbeschikbaar')).toBeVisible();
  await expect(page).toHaveURL(`/machine/${serial}`);
});

test('a machine that was last seen on another day shows that date and is stale everywhere (MAP-06, LIVE-07) @phone', async ({
  page,
  portal,
  isMobile,
}) => {
  const { email, machine } = await portal.fleet();
  const silent = await machine({ alias: 'Stil' });
  await silent.report({
    GMT_UNIX: Date.UTC(2026, 0, 5, 13, 7) / 1000,
    ...UTRECHT,
    Soc1: 40,
    MotorSpeed: 900,
  });
  await signIn(page, email);
  await mapMarker(page, 'Stil, Stil, laatst Draait').click();
  await expect(popup(page, 'Stil').getByText('Laatst gezien: 05-01-26, 14:07')).toBeVisible();
  await expect(popup(page, 'Stil')).toContainText(/Gegevens zijn .* oud/);
  await page.keyboard.press('Escape');
  await openPanel(page, isMobile);
  await expect(panel(page).getByRole('button', { name: /Stil/ })).toHaveAttribute('data-stale', 'true');
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  await expect(
    page.getByRole('navigation', { name: 'Machines' }).getByRole('link', { name: /Stil/ }),
  ).toContainText('Laatst gezien: 05-01-26, 14:07');
});

test('markers and an open popup follow the live data without closing (MAP-07, LIVE-02) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Rijdt' });
  const second = Math.floor(Date.now() / 1000);
  // The first reading is older than 5 minutes, because a position that jumps within 5 minutes would not count at first.
  await report({ GMT_UNIX: second - 400, ...UTRECHT, Soc1: 50 });
  await signIn(page, email);
  await mapMarker(page, /Rijdt/).click();
  const dialog = popup(page, 'Rijdt');
  await expect(dialog).toContainText('50%');
  await dialog.evaluate((element) => {
    (element as HTMLElement & { same?: boolean }).same = true;
  });
  await report({ GMT_UNIX: second, LATITUDE: 52.3, LONGITUDE: 5.4, Soc1: 49, MotorSpeed: 900 });
  await expect(dialog).toContainText('49%', { timeout: 20_000 });
  await expect(dialog).toContainText('Draait');
  expect(await dialog.evaluate((element) => (element as HTMLElement & { same?: boolean }).same)).toBe(true);
  // The map follows the machine.
  await expect
    .poll(() => new URL(page.url()).searchParams.get('kaart'), { timeout: 20_000 })
    .toMatch(/^52\.3\d*,5\.4\d*,/);
  await expect(mapMarker(page, /Rijdt/)).toBeInViewport();
});

test('the list of machines on the map is sorted by distance if the browser shares its location (MAP-08, MAP-09) @phone', async ({
  page,
  portal,
  context,
  isMobile,
}) => {
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 52.09, longitude: 5.1332 });
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Groningen' })).report(GRONINGEN);
  await (await machine({ alias: 'Zwolle' })).report(ZWOLLE);
  await (await machine({ alias: 'Utrecht' })).report(UTRECHT);
  await signIn(page, email);
  await openPanel(page, isMobile);
  // Great circle, radius 6371 km; computed apart from the product (Python): 901.8 m, 80.086 km, 157.392 km.
  await expect(panel(page).getByRole('listitem')).toHaveText([
    /Utrecht.*902 m/,
    /Zwolle.*80,1 km/,
    /Groningen.*157,4 km/,
  ]);
});

test('a click on a machine in the list flies the map to it at zoom 17, opens its popup and, on a phone, collapses the list (MAP-10) @phone', async ({
  page,
  portal,
  isMobile,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Groningen' })).report(GRONINGEN);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, email);
  await openPanel(page, isMobile);
  await panel(page)
    .getByRole('button', { name: /^Groningen/ })
    .click();
  await expect(popup(page, 'Groningen')).toBeVisible();
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/street/17/'))).toBe(true);
  expect(asked.some((path) => path.startsWith('/tiles/street/18/'))).toBe(false);
  if (isMobile) {
    await expect(panel(page).getByRole('button', { name: 'Machines in de buurt' })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
  }
});

test('a handle of 2rem opens the list of nearby machines on a small screen, and the map cannot be dragged under the open list (MAP-11) @phone-only', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Midden' })).report({ LATITUDE: 52.1326, LONGITUDE: 5.2913 });
  await signIn(page, email);
  const handle = panel(page).getByRole('button', { name: 'Machines in de buurt' });
  await expect(handle).toHaveAttribute('aria-expanded', 'false');
  const collapsed = (await panel(page).boundingBox())!;
  expect([collapsed.height, collapsed.y + collapsed.height]).toEqual([32, page.viewportSize()!.height]);
  await handle.click();
  await expect(handle).toHaveAttribute('aria-expanded', 'true');
  const drag = async () => {
    const before = await centreOf(page, 'Midden, Uit');
    await page.mouse.move(60, 300);
    await page.mouse.down();
    await page.mouse.move(160, 330, { steps: 5 });
    await page.mouse.up();
    await page.mouse.dblclick(60, 300);
    const after = await centreOf(page, 'Midden, Uit');
    return Math.hypot(after.x - before.x, after.y - before.y);
  };
  expect(await drag()).toBe(0);
  await handle.click();
  await expect(handle).toHaveAttribute('aria-expanded', 'false');
  expect(await drag()).toBeGreaterThan(50);
});

test('the list of nearby machines is at the bottom right of a wide screen, 16rem wide and at most 16rem high (MAP-12) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  for (let n = 0; n < 9; n++) await (await machine()).report({ LATITUDE: 52 + n / 10, LONGITUDE: 5.5 });
  await signIn(page, email);
  const box = (await panel(page).boundingBox())!;
  const view = page.viewportSize()!;
  expect(box.width).toBe(256);
  expect(view.width - box.x - box.width).toBeLessThan(32);
  expect(view.height - box.y - box.height).toBeLessThan(48);
  const list = (await panel(page).getByRole('list').locator('..').boundingBox())!;
  expect(list.height).toBeLessThanOrEqual(256);
});
