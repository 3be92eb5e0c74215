/** The machine page at every width, its chart by keyboard, and its route with stops and play. */
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { dateAndSecond, formatDistance, hoursText } from '#shared/domain/nl.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { distanceMetres as metresOf } from '#shared/domain/test/oracle/path.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  expectPageFitsScreen,
  openMachine,
  openSection,
  panelRegion,
} from './one-machine.ts';
import { recordReadings } from './record.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns one reading per minute of a machine that drives for `driven` minutes, stands still for 8 and drives for `driven` minutes again,
 * until two minutes ago.
 */
function drivenAbout(driven: number): readonly Reading[] {
  const end = Math.floor(Date.now() / MINUTE) * MINUTE - 2 * MINUTE;
  return Array.from({ length: 2 * driven + 9 }, (_, n) => {
    const moved = n - Math.min(8, Math.max(0, n - driven));
    return {
      time: end - (2 * driven + 8 - n) * MINUTE,
      signals: { LATITUDE: 52 + moved / 1000, LONGITUDE: 5, MotorSpeed: 900, Soc1: 90 - n / 100, Speed: 5 },
    };
  });
}

test('the keyboard moves through the chart, picks a stop of the route, and plays the route to its end (15.5k, 15.5l, 15.5m) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  const readings = drivenAbout(5);
  await recordReadings(
    portal,
    it.serial,
    readings.map((reading) => ({ ...reading, receivedAt: reading.time })),
  );
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const course = panelRegion(page, 'Verloop');
  const cursor = course.getByRole('slider', { name: 'Moment in de grafiek' });
  await expect(cursor).toHaveAttribute('aria-valuetext', 'Wijs een moment aan in de grafiek.');
  await cursor.focus();
  await page.keyboard.press('Home');
  const [first, last] = [readings[0]!, readings.at(-1)!];
  await expect(cursor).toHaveAttribute(
    'aria-valuetext',
    `${dateAndSecond(first.time)}: Accu 1 90% (gemeten)`,
  );
  await page.keyboard.press('ArrowRight');
  await expect(cursor).toHaveAttribute(
    'aria-valuetext',
    /: Accu 1 90% \(gemiddeld van \d\d:\d[05] tot \d\d:\d[05]\)$/,
  );
  await expect(course).toContainText(/Accu 1 90% \(gemiddeld van/);
  await page.keyboard.press('ArrowLeft');
  await expect(cursor).toHaveAttribute('aria-valuetext', /\(gemeten\)$/);
  await page.keyboard.press('End');
  await expect(cursor).toHaveAttribute('aria-valuetext', `${dateAndSecond(last.time)}: Accu 1 90% (gemeten)`);
  await page.keyboard.press('Escape');
  await expect(cursor).not.toBeFocused();
  await expect(course).toContainText('Wijs een moment aan in de grafiek.');

  await page.getByRole('switch', { name: 'Route On/Off' }).click();
  const gps = panelRegion(page, 'GPS Tracking');
  await expect(gps).toContainText(`Afstand ${formatDistance(metresOf(readings))}, 1 stop van 8 min.`);
  for (const name of ['Begin van de route', 'Einde van de route', /^Stop \d.*, 8 min$/])
    await expect(gps.getByRole('img', { name })).toBeVisible();
  await gps.getByText('Stops', { exact: true }).click();
  await gps.getByRole('button', { name: /tot .* 8 min$/ }).press('Enter');
  const point = gps.getByRole('slider', { name: 'Punt op de route' });
  await expect(point).toHaveValue('5');
  await expect(course).toContainText(`${dateAndSecond(readings[5]!.time)}: Accu 1 90%`);
  await gps.getByRole('button', { name: 'Speel de route af' }).press('Enter');
  await expect(point).toHaveValue(String(readings.length - 1));
  await expect(gps.getByRole('button', { name: 'Speel de route af' })).toBeVisible();
});

test('a route that plays can be paused, continued and restarted, and moves in jumps if the browser prefers reduced motion (15.5m) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  const readings = drivenAbout(650);
  await recordReadings(
    portal,
    it.serial,
    readings.map((reading) => ({ ...reading, receivedAt: reading.time })),
  );
  await signInByApi(page, it.email);
  await openMachine(page, it.serial, '?route=on');
  const point = page.getByRole('slider', { name: 'Punt op de route' });
  const value = async () => Number(await point.inputValue());
  const [play, hold] = ['Speel de route af', 'Pauzeer de route'].map((name) =>
    page.getByRole('button', { name }),
  );
  // The route plays from its start.
  await play!.click();
  await expect.poll(value).toBeGreaterThan(20);
  await hold!.click();
  const held = await value();
  expect(held).toBeLessThan(readings.length - 1);
  await page.waitForTimeout(500);
  expect(await value()).toBe(held);
  await play!.click();
  await expect.poll(value).toBeGreaterThan(held);
  // Moving the slider stops playing.
  await point.press('Home');
  await expect(play!).toBeVisible();
  expect(await value()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await play!.click();
  await expect.poll(value).toBeGreaterThan(0);
  expect((await value()) % Math.ceil(readings.length / 30)).toBe(0);
});

test('a chart of seven days has bars on a phone, and a press on a bar shows that day (15.5j) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  const now = Date.now();
  // The machine runs an hour a day.
  const readings = Array.from({ length: 8 * 24 * 15 }, (_, n) => {
    const time = now - 8 * DAY + n * 4 * MINUTE;
    const hours = new Date(time).getUTCHours() + new Date(time).getUTCMinutes() / 60;
    return { time, receivedAt: time, signals: { MotorSpeed: hours >= 9 && hours < 10 ? 900 : 0, Soc1: 50 } };
  });
  await recordReadings(portal, it.serial, readings);
  const { pool } = await portal.database();
  await computeUntilUpToDate(pool, (await findStream(pool, it.serial)) as number);
  await page.setViewportSize({ width: 390, height: 844 });
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  await openSection(page, 'Verloop');
  const course = panelRegion(page, 'Verloop');
  await course.getByRole('button', { name: 'Laatste 7 dagen' }).click();
  const bars = course.getByRole('list', { name: 'Draaiuren per dag' }).getByRole('button');
  await expect(bars).toHaveCount(7);
  await expect(bars.nth(2)).toHaveAccessibleName(/: 1 u 0 min$/);
  await bars.nth(2).press('Enter');
  await expect(bars.nth(2)).toHaveAttribute('aria-pressed', 'true');
  await expect(course.getByRole('region')).toContainText('Draaiuren1 u 0 min');
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'seven days on a phone');
  await course.getByRole('button', { name: 'Toon het verloop' }).click();
  await expect(course.getByRole('img', { name: /draaide 1 u 0 min/ })).toBeVisible();
  await expect(page).toHaveURL(/start=.*&end=/);
  await page.setViewportSize({ width: 820, height: 1180 });
  await course.getByRole('button', { name: 'Laatste 7 dagen' }).click();
  await expect(course.getByRole('img', { name: /^Laadniveau/ })).toBeVisible();
  await expect(bars).toHaveCount(0);
});

test('the page fits every width, light and dark, without accessibility violations, and shows chart and map side by side from 1280 px (15.5i) @long', async ({
  page,
  portal,
}) => {
  const {
    serial: works,
    email,
    machine,
  } = await createUserWithMachine(portal, {
    alias: 'Drie accu’s, een zwijgt',
    capacities: [40, 40, 20],
  });
  const readings = drivenAbout(20).map(({ time, signals }, n) => ({
    time,
    receivedAt: time,
    signals: { ...signals, Soc2: 80, ...(n < 20 && { Soc3: 70 }), BatteryCurrent: 50, BatteryVoltage: 400 },
  }));
  await recordReadings(portal, works, readings);
  const stale = await machine({ alias: 'Oud' });
  await recordReadings(
    portal,
    stale.serial,
    readings.map((reading) => ({ ...reading, time: reading.time - 3 * DAY, receivedAt: reading.receivedAt })),
  );
  const empty = await machine({ alias: 'Leeg' });
  await signInByApi(page, email);
  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [serial, search, words] of [
      [works, '?route=on', 'accu 3 zwijgt'],
      [stale.serial, '', 'gegevens te oud'],
      [empty.serial, '', 'nog geen gegevens'],
    ] as const) {
      await openMachine(page, serial, search);
      await expect(panelRegion(page, 'Batterij Status')).toContainText(new RegExp(`--:--.*${words}`));
      await expect(panelRegion(page, 'Vandaag en gisteren').locator('[aria-busy="false"]')).toBeVisible();
      const where = `${words} ${width}`;
      for (const name of ['Verloop', 'GPS Tracking']) await openSection(page, name);
      if (serial === works) {
        await expect(panelRegion(page, 'Verloop').getByRole('img')).toBeVisible();
        await expect(panelRegion(page, 'GPS Tracking')).toContainText(`1 stop van ${hoursText(8 / 60)}`);
      }
      await expectPageFitsScreen(page);
      await expectAccessible(page, where);
      const [chart, map] = [
        await panelRegion(page, 'Verloop').boundingBox(),
        await panelRegion(page, 'GPS Tracking').boundingBox(),
      ];
      expect(map!.y === chart!.y, where).toBe(width >= 1280);
      if (width >= 1280) expect(map!.x).toBeGreaterThan(chart!.x + chart!.width);
    }
  }
});
