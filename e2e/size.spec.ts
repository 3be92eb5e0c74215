import type { Page } from '@playwright/test';
import { type E2ePortal, expect, signIn, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';

const MANY = 10_000;

/** Makes a user with ten thousand machines. @returns the user's e-mail address, and a function that moves all machines by some metres */
async function largeFleet(portal: E2ePortal) {
  const { email, machine } = await portal.fleet();
  const { serial } = await machine({ alias: 'Eerste' });
  await addMachines(portal, serial, MANY, "'Bulk ' || n", {
    LATITUDE: '51.2 + random() * 2',
    LONGITUDE: '4 + random() * 2.8',
    Soc1: '50',
  });
  const { pool } = await portal.database();
  const moveAll = () =>
    pool.query(
      `update latest l set time = now(), heard_at = now(), updated_at = default, signals = (signals::jsonb || jsonb_build_object(
         'LATITUDE', jsonb_build_array((signals #>> '{LATITUDE,0}')::float + 0.0003, extract(epoch from now())::bigint * 1000),
         'Soc1', jsonb_build_array(49, extract(epoch from now())::bigint * 1000)))::json
       from stream s where s.id = l.stream_id and s.serial like $1 || '-%'`,
      [serial],
    );
  return { email, moveAll };
}

/** Returns the longest time between two frames in ms, during the next `ms`. */
const longestFrame = (page: Page, ms: number): Promise<number> =>
  page.evaluate(
    (during) =>
      new Promise<number>((done) => {
        let worst = 0;
        let last = performance.now();
        const until = last + during;
        const frame = (now: number) => {
          worst = Math.max(worst, now - last);
          last = now;
          if (now < until) requestAnimationFrame(frame);
          else done(worst);
        };
        requestAnimationFrame(frame);
      }),
    ms,
  );

test('the map keeps moving, bubbles open and the quick menu finds machines while ten thousand machines move (MAP-13, LIVE-02, APP-08)', {
  tag: '@long',
}, async ({ page, portal }) => {
  const { email, moveAll } = await largeFleet(portal);
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await signIn(page, email);
  const bubbles = page
    .getByRole('region', { name: 'Kaart met machines' })
    .getByRole('button', { name: /\d+ machines/ });
  await expect(bubbles.first()).toBeVisible({ timeout: 15_000 });
  expect(await page.locator('.leaflet-marker-icon').count()).toBeLessThan(400);
  // One web worker processes the live data, another one the bubbles.
  expect(workers.filter((url) => /\/(live|marker)-worker/.test(url))).toHaveLength(2);
  const rows = page.getByRole('region', { name: 'Machines in de buurt' }).getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);

  // While everything moves and the map is dragged, no frame waits for long, even on a loaded test machine.
  const longest = longestFrame(page, 6_000);
  await moveAll();
  await page.mouse.move(500, 300);
  await page.mouse.down();
  for (let n = 0; n < 20; n++) await page.mouse.move(500 - n * 10, 300 + n * 4);
  await page.mouse.up();
  expect(await longest).toBeLessThan(1_000);

  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  const links = menu.getByRole('link');
  await expect(menu.getByRole('status')).toHaveText('10.001 machines');
  await expect(links.filter({ hasText: '49%' }).first()).toBeVisible({ timeout: 15_000 });
  await menu.getByRole('searchbox').pressSequentially('9999 volta bulk');
  await expect(links).toHaveText([/Bulk 9999/]);
  await expect(menu.getByRole('status')).toHaveText('1 van 10.001 machines');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);

  const before = await bubbles.count();
  await bubbles.first().click();
  await expect.poll(() => bubbles.count()).not.toBe(before);
});

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };

test('the quick menu finds machines by words of their name, brand and model, and by status, shows their number, and works by keyboard (APP-08, LIVE-07) @long', async ({
  page,
  portal,
  isMobile,
}) => {
  const { email, machine } = await portal.fleet();
  const running = await machine({ alias: 'Grote Béér', brand: 'Volvo', model: 'ECR25' });
  const charging = await machine({ alias: 'Kleine beer', brand: 'Cat', model: 'ZE1' });
  const silent = await machine({ alias: 'Rups', brand: 'Volvo', model: 'ECR18' });
  await running.report({ ...AT, MotorSpeed: 900 });
  await charging.report({ ...AT, IsCharging1: 1, ChargingCurrent: 9 });
  await silent.report({ ...AT, GMT_UNIX: Math.floor(Date.now() / 1000) - 3600 });
  await signIn(page, email);
  const open = page.getByRole('button', { name: 'Machines', exact: true });
  await open.click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  const field = menu.getByRole('searchbox', { name: 'Zoek een machine' });
  const rows = menu.getByRole('link');
  const count = menu.getByRole('status');
  await expect(count).toHaveText('3 machines');
  if (isMobile) await expect(field).not.toBeFocused();
  else await expect(field).toBeFocused();

  await field.fill('BEER');
  await expect(rows).toHaveText([/Grote Béér/, /Kleine beer/]);
  await expect(count).toHaveText('2 van 3 machines');
  await field.fill('ecr volvo');
  await expect(rows).toHaveText([/Grote Béér/, /Rups/]);
  await field.fill(`#${silent.serial}`);
  await expect(rows).toHaveText([/Rups/]);
  await field.fill('');

  for (const [filter, names] of [
    ['Draait', [/Grote Béér/]],
    ['Laden', [/Kleine beer/]],
    ['Uit', []],
    ['Stil', [/Rups/]],
    ['Alle', [/Grote Béér/, /Kleine beer/, /Rups/]],
  ] as const) {
    await menu.getByText(filter, { exact: true }).first().click();
    await expect(menu.getByRole('radio', { name: filter })).toBeChecked();
    await expect(rows).toHaveText([...names]);
  }

  await field.fill('beer rups');
  await expect(menu).toContainText('Geen enkele machine past hierbij');
  await expect(count).toHaveText('Geen van 3 machines');
  await menu.getByRole('button', { name: 'Toon alle machines' }).click();
  await expect(rows).toHaveCount(3);
  await expect(field).toBeFocused();

  await field.fill('volvo');
  await expect(rows).toHaveCount(2);
  await field.press('ArrowDown');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(open).toBeFocused();
});
