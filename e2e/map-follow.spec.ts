/**
 * The map of a fleet that a planner works with: it opens on the fleet, follows a machine, and shows which
 * machines need attention.
 */
import type { Locator, Page } from '@playwright/test';
import { type E2ePortal, expect, expectAccessible, type Fleet, mapMarker, signIn, test } from './fixtures.ts';

const UTRECHT = { LATITUDE: 52.09, LONGITUDE: 5.12 };
const GRONINGEN = { LATITUDE: 53.21, LONGITUDE: 6.56 };
const MAASTRICHT = { LATITUDE: 50.86, LONGITUDE: 5.69 };
const MALAGA = { LATITUDE: 36.72, LONGITUDE: -4.42 };

const map = (page: Page) => page.getByRole('region', { name: 'Kaart met machines' });
const popup = (page: Page, name: string) => page.getByRole('dialog', { name });
const follow = (page: Page) => page.getByRole('button', { name: 'Volg', exact: true });

const centreOf = async (found: Locator) => {
  const box = (await found.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Returns the class names of the elements that cover a popup, or a text that the popup lies outside the map; '' if it is all visible. */
const coverOf = (page: Page, name: string): Promise<string> =>
  popup(page, name).evaluate((element) => {
    const box = element.getBoundingClientRect();
    const view = document.querySelector('.leaflet-container')!.getBoundingClientRect();
    if (box.left < view.left || box.right > view.right || box.top < view.top || box.bottom > view.bottom)
      return `outside the map: ${JSON.stringify(box)}`;
    const covers = [...document.querySelectorAll('[data-over-map]')].filter((other) => {
      const { left, right, top, bottom, width } = other.getBoundingClientRect();
      return width > 0 && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    });
    return covers.map(({ className }) => className).join();
  });
const expectClear = (page: Page, name: string) =>
  expect.poll(() => coverOf(page, name), { timeout: 20_000 }).toBe('');

/** Drags the map by `x` and `y` px, from a point that nothing covers. */
async function drag(page: Page, x: number, y: number): Promise<void> {
  const box = (await map(page).boundingBox())!;
  const from = { x: box.x + 20, y: box.y + 120 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + x, from.y + y, { steps: 6 });
  await page.mouse.up();
}

const isInView = async (page: Page, name: RegExp): Promise<boolean> => {
  const box = await mapMarker(page, name).boundingBox();
  const view = (await map(page).boundingBox())!;
  if (!box) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height];
  return x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
};

test('the first view of the map leaves out a machine that is far from the others, and a button shows that machine too (53.24) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Noord' })).report(GRONINGEN);
  await (await machine({ alias: 'Zuid' })).report(MAASTRICHT);
  for (const n of [0, 1, 2])
    await (await machine({ alias: `Midden ${n}` })).report({ ...UTRECHT, LONGITUDE: 5.12 + n / 5 });
  await (await machine({ alias: 'Spanje' })).report(MALAGA);
  await signIn(page, email);
  await expect(mapMarker(page, /Noord/)).toBeVisible();
  for (const name of [/Noord/, /Zuid/]) expect(await isInView(page, name)).toBe(true);
  const all = page.getByRole('button', { name: 'Toon alle machines' });
  await expect(all).toContainText('1 ver weg, buiten beeld');
  await all.click();
  await expect.poll(() => isInView(page, /Spanje/)).toBe(true);
  await expect(all).not.toContainText('buiten beeld');
  // The marker lies neither under the filter nor under the list.
  const isHit = async (): Promise<boolean> =>
    page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('.leaflet-marker-icon') !== null,
      await centreOf(mapMarker(page, /Spanje/)),
    );
  await expect.poll(isHit).toBe(true);
});

test('the map opens at the town of a single machine, at the Netherlands if no machine has a position, and at the machine that a link names (53.24) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/has no position/);
  const { email, machine } = await portal.fleet();
  const rups = await machine({ alias: 'Rups' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await rups.report({ Soc1: 60 });
  await signIn(page, email);
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/street/7/65/42'))).toBe(true);
  await rups.report({ ...GRONINGEN, Soc1: 60 });
  await expect.poll(() => isInView(page, /Rups/), { timeout: 20_000 }).toBe(true);
  await page.goto('/');
  await expect(mapMarker(page, /Rups/)).toBeVisible();
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/street/14/'))).toBe(true);
  await page.goto(`/?machine=${rups.serial}`);
  await expect(popup(page, 'Rups')).toBeVisible();
  await expectClear(page, 'Rups');
  await expect.poll(() => asked.some((path) => path.startsWith('/tiles/street/16/'))).toBe(true);
});

test('a chosen machine is followed while it drives, until the person drags the map, and again once the person presses Volg (53.22) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const rups = await machine({ alias: 'Rups' });
  await (await machine({ alias: 'Anker' })).report({ ...UTRECHT, LATITUDE: 52.0 });
  let second = Math.floor(Date.now() / 1000) - 3000;
  // 4 km in 400 s is too slow for a jump, after which a position would not count at first.
  let lon = UTRECHT.LONGITUDE;
  const drive = async (km: number) => {
    second += 400;
    lon += km / 68.4;
    await rups.report({ GMT_UNIX: second, ...UTRECHT, LONGITUDE: lon, Soc1: 80, MotorSpeed: 900 });
  };
  await drive(0);
  await signIn(page, email);
  await page.goto(`/?machine=${rups.serial}`);
  const dialog = popup(page, 'Rups');
  await expect(dialog).toBeVisible();
  await expectClear(page, 'Rups');
  await expect(follow(page)).toHaveCount(0);
  await drive(4);
  await expect
    .poll(() => new URL(page.url()).searchParams.get('kaart'), { timeout: 20_000 })
    .toMatch(/,5\.1[789]\d*,16$/);
  expect(await isInView(page, /Rups/)).toBe(true);
  await expectClear(page, 'Rups');

  await drag(page, -100, 40);
  await expect(follow(page)).toBeVisible();
  const before = page.url();
  await drive(4);
  await expect.poll(() => isInView(page, /Rups/), { timeout: 20_000 }).toBe(false);
  await expect(dialog).toBeAttached();
  expect(new URL(page.url()).searchParams.get('kaart')).toMatch(/,5\.1[789]\d*,16$/);
  expect(before).toContain('machine=');

  await follow(page).click();
  await expect.poll(() => isInView(page, /Rups/), { timeout: 20_000 }).toBe(true);
  await expectClear(page, 'Rups');
  await expect(follow(page)).toHaveCount(0);
});

test('a popup stays inside the view and clear of the filter and the list, also after a zoom and when it grows (53.22) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const places = {
    Noordwest: [53.0, 4.75],
    Noordoost: [53.1, 7.0],
    Zuidwest: [51.3, 3.6],
    Zuidoost: [51.0, 6.0],
  };
  for (const [alias, [LATITUDE, LONGITUDE]] of Object.entries(places))
    await (await machine({ alias, capacities: [90, 90, 90] })).report({
      LATITUDE: LATITUDE!,
      LONGITUDE: LONGITUDE!,
      Soc1: 50,
      Soc2: 51,
      Soc3: 52,
    });
  await signIn(page, email);
  const all = page.getByRole('button', { name: 'Toon alle machines' });
  const zoomOf = (): number => Number(new URL(page.url()).searchParams.get('kaart')?.split(',')[2]);
  await all.click();
  await expect.poll(zoomOf).toBeGreaterThan(0);
  const whole = zoomOf();
  for (const alias of Object.keys(places)) {
    await mapMarker(page, new RegExp(alias)).click();
    await expect(popup(page, alias).getByText('Plaats')).toBeVisible();
    await expectClear(page, alias);
    await map(page).press('+');
    await expect.poll(zoomOf).toBeGreaterThan(whole);
    await expectClear(page, alias);
    // The link is visible without scrolling.
    await expect(popup(page, alias).getByRole('link', { name: 'Navigeer erheen' })).toBeInViewport();
    await page.keyboard.press('Escape');
    await all.click();
    await expect.poll(zoomOf).toBe(whole);
  }
});

test('a popup fits a phone in landscape, and scrolls there (53.22) @phone-only', async ({ page, portal }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Liggend' })).report({ ...UTRECHT, Soc1: 50 });
  await signIn(page, email);
  await mapMarker(page, /Liggend/).click();
  await expectClear(page, 'Liggend');
  await popup(page, 'Liggend').getByRole('link', { name: 'Navigeer erheen' }).scrollIntoViewIfNeeded();
  await expect(popup(page, 'Liggend').getByRole('link', { name: 'Navigeer erheen' })).toBeInViewport();
});

test('the popup shows place, project and remaining time, and popup and machine page link to directions (53.22) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/has no position/);
  const { email, machine } = await portal.fleet('manager');
  const rups = await machine({ alias: 'Rups' });
  await rups.report({
    LATITUDE: 52.51,
    LONGITUDE: 6.09,
    Soc1: 50,
    IsCharging1: 1,
    ChargingCurrent: 50,
    ChargingVoltage: 400,
  });
  const still = await machine({ alias: 'Zonder plek' });
  await still.report({ Soc1: 50 });
  await signIn(page, email);
  await page.goto(`/?machine=${rups.serial}`);
  const dialog = popup(page, 'Rups');
  await expect(dialog).toContainText(/Plaats\s*Zwolle/);
  await expect(dialog).toContainText(/Project\s*op geen project/);
  await expect(dialog).toContainText(/Resterende laadtijd\s*\d+ u \d+ min/);
  const way = { name: 'Navigeer erheen' };
  await expect(dialog.getByRole('link', way)).toHaveAttribute('href', /52\.510000,6\.090000/);
  await expectAccessible(page, 'popup with facts');
  await page.goto(`/machine/${rups.serial}`);
  await expect(page.getByRole('link', way)).toHaveAttribute('href', /52\.510000,6\.090000/);
  await expect(page.getByRole('button', { name: 'Kopieer coördinaten' })).toBeVisible();
  await page.goto(`/machine/${still.serial}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Zonder plek' })).toBeVisible();
  await expect(page.getByRole('link', way)).toHaveCount(0);
});

/** Returns whether nothing covers a bubble at its four edges. */
const isUncovered = (bubble: Locator): Promise<boolean> =>
  bubble.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const edges = [
      [left + 2, y],
      [right - 2, y],
      [x, top + 2],
      [x, bottom - 2],
    ] as const;
    return edges.every(([atX, atY]) => element.contains(document.elementFromPoint(atX, atY)));
  });

/** Stores an open alert about a machine. */
async function openAlert(
  portal: E2ePortal,
  { organization }: Fleet,
  serial: string,
  kind: string,
  words: string,
) {
  const { pool } = await portal.database();
  await pool.query(
    `with rule as (
       insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
       select id, 'Regel ' || $2, $2, '{}', 'always', 'all', 'urgent', '{beheerder}', false, false, now() from organization where name = $1
       returning id, organization_id)
     insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, is_news, made_at)
     select rule.id, 1, organization_id, (select id from stream where serial = $3), $2, 'urgent', $4, now() - interval '1 hour',
       now() - interval '50 minutes', true, now() from rule`,
    [organization.name, kind, serial, words],
  );
}

test('a machine that needs attention has a label on its marker and a mark on its bubble, and the label of an open alert *moved* has the whole text of the alert (53.24) @phone', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const calm = await fleet.machine({ alias: 'Rustig' });
  await calm.report({ ...GRONINGEN, Soc1: 80 });
  const broken = await fleet.machine({ alias: 'Defect' });
  await broken.report({ ...MAASTRICHT, Soc1: 81 });
  await (await fleet.machine({ alias: 'Buur' })).report({ ...MAASTRICHT, LATITUDE: 50.861, Soc1: 82 });
  const gone = await fleet.machine({ alias: 'Weg' });
  await gone.report({ ...UTRECHT, Soc1: 83 });
  await openAlert(portal, fleet, broken.serial, 'speeding', 'reed 31 km/u');
  const move = '12,4 km verplaatst, wordt vervoerd, 45 km/u, 3 km van Amersfoort';
  await openAlert(portal, fleet, gone.serial, 'moved', move);
  await signIn(page, fleet.email);
  const moved = mapMarker(page, /^Weg/);
  await expect(moved).toHaveAttribute('data-attention', 'moved', { timeout: 20_000 });
  await expect(moved).toHaveAccessibleDescription(`83%, ${move}`);
  await expect(moved.locator(`[data-reason="${move}"]`)).toBeVisible();
  const bubble = mapMarker(page, /2 machines: .*aandacht: 1/);
  await expect(bubble).toHaveAttribute('data-attention', 'true');
  await expect(mapMarker(page, /^Rustig/)).toHaveAttribute('data-attention', 'none');
  expect(await isUncovered(bubble)).toBe(true);
  await bubble.click();
  const pin = mapMarker(page, /^Defect/);
  await expect(pin.locator('[data-reason="te snel"]')).toBeVisible();
  await expect(pin).toHaveAccessibleDescription('81%, reed 31 km/u');
  await page.goto(`/?machine=${gone.serial}`);
  await expect(popup(page, 'Weg')).toContainText(move);
  await expectClear(page, 'Weg');
  await expectAccessible(page, 'markers that want attention');
});
