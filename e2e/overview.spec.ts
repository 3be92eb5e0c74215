import { storeTestReadings } from '#server/history/test/readings.ts';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const HERE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

test('the overview filters, searches and sorts, its link shows the same machines, and Back restores the same view (15.1k)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const low = await machine({ alias: 'Bijna leeg' });
  await low.report({ ...HERE, Soc1: 9, MotorSpeed: 900 });
  await (await machine({ alias: 'Vol' })).report({ ...HERE, Soc1: 97 });
  await (await machine({ alias: 'Aan de lader' })).report({
    ...HERE,
    Soc1: 40,
    IsCharging1: 1,
    ChargingCurrent: 20,
  });
  await signInByApi(page, email);
  await page.setViewportSize(WIDE);
  await page.goto('/overzicht');
  const names = page.getByRole('rowheader').getByRole('link');
  await expect(names).toHaveText(['Bijna leeg', 'Aan de lader', 'Vol']);
  await expect(page.getByRole('row', { name: /Bijna leeg/ })).toContainText('Batterij laag: 9%');

  const charge = page.getByRole('button', { name: 'Accu', exact: true });
  await charge.focus();
  await page.keyboard.press('Enter');
  const column = page.getByRole('columnheader', { name: 'Accu' });
  await expect(column).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Enter');
  await expect(names).toHaveText(['Vol', 'Aan de lader', 'Bijna leeg']);
  await expect(column).toHaveAttribute('aria-sort', 'descending');
  const attention = page.getByRole('button', { name: '1 Aandacht' });
  await attention.click();
  await expect(names).toHaveText(['Bijna leeg']);
  await attention.click();
  await page.getByLabel('Zoek een machine').fill(low.loggerSerial);
  await expect(names).toHaveText(['Bijna leeg']);
  await expect(page).toHaveURL(`/overzicht?sorteer=-accu&zoek=${low.loggerSerial}`);

  await names.click();
  await expect(page.getByRole('heading', { name: 'Batterij Status' })).toBeVisible();
  await page.goBack();
  await expect(names).toHaveText(['Bijna leeg']);
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('listitem').getByRole('heading', { name: 'Bijna leeg' })).toBeVisible();
  await expect(page.getByLabel('Volgorde')).toHaveValue('-accu');
  await page.getByLabel('Zoek een machine').fill('zzz');
  await page.getByRole('button', { name: 'Toon alle machines' }).click();
  await expect(page.getByRole('listitem').getByRole('link')).toHaveText([
    'Vol',
    'Aan de lader',
    'Bijna leeg',
  ]);
});

const HOUR = 3_600_000;
/** Returns the time of day in Amsterdam `hours` from now, such as '16:00'. */
const clockIn = (hours: number): string => wallClockOf(Date.now() + hours * HOUR).slice(11, 16);

test('the overview finds the machines whose charge will not last until a given time, from their use on this weekday (53.2)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { pool } = await portal.database();
  /** Stores readings of 12 hours of work from two hours before this time of day, one and two weeks ago. @param points charge used, %/h */
  const worked = async (serial: string, points: number): Promise<void> => {
    const { rows } = await pool.query<{ id: number }>('select id from stream where serial = $1', [serial]);
    const readings = [14, 7].flatMap((days) =>
      Array.from({ length: 145 }, (_, n) => ({
        time: Date.now() - (24 * days + 2) * HOUR + n * 300_000,
        signals: { Soc1: 100 - (points * n) / 12, MotorSpeed: 1500 },
      })),
    );
    await storeTestReadings(pool, rows[0]?.id as number, readings);
  };
  for (const [alias, points] of [
    ['Kort', 8],
    ['Lang', 1],
    ['Nieuw', 0],
  ] as const) {
    const one = await machine({ alias });
    if (points > 0) await worked(one.serial, points);
    await one.report({ ...HERE, Soc1: 62.5 });
  }
  await signInByApi(page, email);
  await page.setViewportSize(WIDE);
  await page.goto('/overzicht?sorteer=genoeg');
  const names = page.getByRole('rowheader').getByRole('link');
  await expect(names).toHaveText(['Kort', 'Lang', 'Nieuw']);
  await expect(page.getByRole('row', { name: /Kort/ })).toContainText(/tot ca\. .*\d\d:\d[05]/);
  await expect(page.getByRole('row', { name: /Lang/ })).toContainText('hele dag');
  await expect(page.getByRole('row', { name: /Nieuw/ })).toContainText(/\w+dag niet bekend/);

  // The machine 'Kort' has 40 % of usable charge, which lasts 5 hours at 8 % per hour: shorter than 7 hours.
  await page.getByLabel('Haalt niet').fill(clockIn(7));
  await expect(names).toHaveText(['Kort']);
  const soon = clockIn(3);
  await page.getByLabel('Haalt niet').fill(soon);
  await expect(
    page.getByText(
      /^2 van 3 machines halen (morgen )?\d\d:\d\d zoals gewoonlijk\. Van 1 is het niet bekend\.$/,
    ),
  ).toBeVisible();
  await expectAccessible(page, 'the overview without a machine that does not last');
  // Uses click() instead of check(), because the click changes the URL, and the URL then sets the checkbox.
  await page.getByLabel('Ook 1 onbekend').click();
  await expect(names).toHaveText(['Nieuw']);
  await page.getByLabel('Ook 1 onbekend').click();
  await page.getByRole('button', { name: 'Toon alle machines' }).click();
  await expect(names).toHaveText(['Kort', 'Lang', 'Nieuw']);

  await page.setViewportSize(PHONE);
  await page.getByLabel('Haalt niet').fill(clockIn(7));
  await expect(page.getByRole('listitem').getByRole('link')).toHaveText(['Kort']);
  await page.getByRole('link', { name: 'Kort' }).click();
  await expect(page.getByRole('region', { name: 'Batterij Status', exact: true })).toContainText(
    /Genoegtot ca\. .*\d\d:\d[05]tot 20%, zoals gewoonlijk op [a-z]+dag/,
  );
});

test('an overview without machines shows a message (15.1k) @long', async ({ page, portal }) => {
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/overzicht');
  await expect(page.getByText('Nog geen machines')).toBeVisible();
});

for (const count of [1, 120, 10_000]) {
  test(`an overview of ${count} machines renders few rows, reaches each by keyboard, and keeps its scroll position with Back (15.1l) @long`, async ({
    page,
    portal,
  }) => {
    test.setTimeout(120_000);
    const { email, machine } = await portal.fleet();
    const first = await machine({ alias: 'Machine 0' });
    await first.report({ ...HERE, Soc1: 50 });
    if (count > 1)
      await addMachines(portal, first.serial, count - 1, `'Machine ' || n`, {
        LATITUDE: '52 + n * 0.0001',
        LONGITUDE: '5',
        Soc1: '(n * 37) % 100',
        MotorSpeed: '(n % 3) * 200',
      });
    await signInByApi(page, email);
    for (const size of [PHONE, { width: 820, height: 1180 }, WIDE, { width: 1920, height: 1080 }]) {
      await page.setViewportSize(size);
      await page.goto('/overzicht?sorteer=machine');
      const links = page.getByRole('main').locator('[data-serial] a, li h2 a');
      await expect(links.first()).toHaveText('Machine 0', { timeout: 30_000 });
      expect(await links.count()).toBeLessThan(70);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await expectAccessible(page, `${count} at ${size.width}`);
      await links.first().focus();
      const reached = Math.min(count, 40);
      for (let n = 1; n < reached; n += 1) await page.keyboard.press('Tab');
      await expect(page.locator(':focus'), `at ${size.width}`).toHaveText(`Machine ${reached - 1}`);
      const top = await page.evaluate(() => window.scrollY);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Batterij Status' })).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('link', { name: `Machine ${reached - 1}`, exact: true })).toBeInViewport();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
    }
  });
}

test('the wall display turns its pages automatically, and Escape leaves it (15.1m) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const first = await machine({ alias: 'Machine 0' });
  await first.report({ ...HERE, Soc1: 50 });
  await addMachines(portal, first.serial, 23, `'Machine ' || n`, {
    LATITUDE: '52',
    LONGITUDE: '5',
    Soc1: '50',
  });
  await signInByApi(page, email);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto('/overzicht?muur&sorteer=machine');
  const wall = page.getByRole('dialog', { name: 'Overzicht, muurscherm' });
  await expect(wall.getByText('Pagina 1 van 3')).toBeVisible();
  await expectAccessible(page, 'wall');
  await expect(wall.getByRole('button').or(wall.getByRole('link'))).toHaveCount(0);
  await expect(wall.getByText('Pagina 2 van 3')).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/overzicht?sorteer=machine');
  await expect(wall).toHaveCount(0);
});
