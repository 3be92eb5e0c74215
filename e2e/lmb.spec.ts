import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';
import { recordRailDay } from './rail-day.ts';

const DAY = { from: '2025-04-12T06:30:00Z', minutes: 120 }; // 08:30 to 10:30 in Amsterdam

test('slider, chart cursors, map marker and texts of an LMB logger show the same time of the default day (LOG-03, LOG-04, LOG-05)', async ({
  page,
  portal,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Dag');
  await recordRailDay(portal, kar.serial, DAY);
  await signInByApi(page, email);
  await page.goto('/lmb-logging/Spoorkar Dag');
  await expect(page.getByRole('button', { name: 'Begin 12-04-25, 08:00' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Eind 12-04-25, 20:00' })).toBeVisible();
  const slider = page.getByRole('slider', { name: 'Tijdstip' });
  await expect(slider).toHaveAttribute('min', '0');
  await expect(slider).toHaveAttribute('max', '1000');
  await slider.fill('100'); // 09:12: the seventh ten minutes, driving; minute 42
  const moment = '12-04-25, 09:12:00';
  const fact = (name: string) =>
    page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).locator('dd');
  await expect(fact('Tijdstip')).toHaveText(moment);
  await expect(fact('Machinestatus')).toHaveText('Rijden');
  await expect(fact('Spoor')).toHaveText('Naast het spoor');
  await expect(fact('Spoorstand')).toHaveText('Omhoog');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^${moment}, snelheid .* km/u, machinestatus Rijden`),
  );
  await expect(page.getByRole('img', { name: `Spoorkar Dag op ${moment}` })).toBeVisible();
  // The slider is at a tenth of its range, so the cursor of every chart is at a tenth of the chart's width. All charts are equally
  // wide.
  const cursors = page.locator('.u-cursor-x');
  await expect(cursors).toHaveCount(3);
  const lefts = await page.evaluate(() =>
    [...document.querySelectorAll('.u-over')].map((plot) => {
      const { left, width } = plot.getBoundingClientRect();
      const cursor = plot.querySelector('.u-cursor-x')!.getBoundingClientRect();
      return { left, width, at: cursor.left - left };
    }),
  );
  expect(new Set(lefts.map(({ left, width }) => `${left} ${width}`)).size).toBe(1);
  for (const { width, at } of lefts) expect(Math.abs(at - width / 10)).toBeLessThanOrEqual(1.5);

  await slider.press('ArrowRight');
  await expect(fact('Tijdstip')).toHaveText('12-04-25, 09:12:43');
  // The last minute of the hour has a status code that is not in the legend.
  await slider.fill('124'); // 09:29:17
  await expect(fact('Machinestatus')).toHaveText('onbekend (7)');
  await expect(page.getByRole('list', { name: 'Legenda machinestatus' })).toContainText('onbekend (7)');
  await slider.fill('900');
  await expect(fact('Snelheid')).toHaveText('geen gegevens');

  await page.getByText('Tabel van de tijdvakken').click();
  const row = page.getByRole('row').filter({ hasText: 'onbekend (7)' }).first();
  await expect(row).toContainText('12-04-25, 09:29:00');
  await expectAccessible(page, 'logger detail');
});

test('the page of an LMB logger shows its live status, buttons for days and hours per status, and a link restores the range and the slider (15.6b, 15.6c) @long', async ({
  page,
  portal,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Nu');
  await recordRailDay(portal, kar.serial, DAY);
  await kar.report({ Machinestatus: 3, Speed: 2.5 });
  await signInByApi(page, email);
  await page.goto('/lmb-logging/');
  const card = page.getByRole('listitem').filter({ hasText: kar.alias });
  await expect(card).toContainText(/Werken2,5 km\/uLaatst gezien: /);
  await card.getByRole('link').click();
  await expect(page.getByText(/^Werken2,5 km\/uLaatst gezien: /)).toBeVisible();
  // Without a range in the address the page shows the default day.
  await expect(page.getByRole('button', { name: 'Begin 12-04-25, 08:00' })).toBeVisible();
  const hours = page.getByRole('region', { name: 'Uren per status' });
  await expect(hours.getByRole('definition')).toHaveText([
    '0 min',
    '0 min',
    '1 u 0 min',
    '58 min',
    '0 min',
    '2 min',
    '10 u 0 min',
  ]);
  const slider = page.getByRole('slider', { name: 'Tijdstip' });
  await slider.fill('0');
  await expect(slider).toHaveAttribute('aria-valuetext', '12-04-25, 08:00:00, nog geen metingen');
  await expect(page.getByText('nog geen metingen')).toHaveCount(5);
  await slider.fill('100');
  await expect(page).toHaveURL(/moment=2025-04-12T07%3A12%3A00Z/);
  await page.reload();
  await expect(slider).toHaveValue('100');

  const last = page.getByRole('button', { name: 'Laatste dag met gegevens' });
  await expect(last).toHaveAttribute('aria-pressed', 'false');
  await last.click();
  await expect(page).toHaveURL(/start=.*&end=/);
  await expect(last).toHaveAttribute('aria-pressed', 'true');
  await expect(page).not.toHaveURL(/moment=/);
  for (const day of ['Vandaag', 'Gisteren'])
    await expect(page.getByRole('button', { name: day, exact: true })).toBeVisible();
});

test('pointing at a chart moves the slider, zooming in requests more data, and zooming out requests none (LOG-03) @long', async ({
  page,
  portal,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Zoom');
  await recordRailDay(portal, kar.serial, DAY);
  await signIn(page, email);
  const asked: { points: number; from: string }[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/berend/get/data')
      asked.push({
        points: Number(url.searchParams.get('points')),
        from: url.searchParams.get('start') ?? '',
      });
  });
  await page.goto('/lmb-logging/Spoorkar Zoom');
  const slider = page.getByRole('slider');
  await expect(slider).toBeVisible();
  expect(asked).toHaveLength(1);
  expect(asked[0]!.points * 2).toBeLessThanOrEqual(960);
  const plot = page.locator('.u-over').nth(1);
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + 10);
  await expect(slider).toHaveValue(/^(249|250|251)$/);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(
    page.getByText(/Getoond: 12-04-25, (10:59|11:00).* tot 12-04-25, (13:59|14:00)/),
  ).toBeVisible();
  await expect.poll(() => asked.length).toBe(2);
  expect(Math.abs(Date.parse(asked[1]!.from) - Date.parse('2025-04-12T09:00:00Z'))).toBeLessThan(60_000);
  await page.getByRole('button', { name: 'Hele periode' }).click();
  await expect(page.getByText('Getoond: 12-04-25, 08:00:00 tot 12-04-25, 20:00:00')).toBeVisible();
  await page.waitForTimeout(600);
  expect(asked).toHaveLength(2);
});

test('an empty default day is replaced by the last day with data, and an empty range links to that day (LOG-04) @long', async ({
  page,
  portal,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Later');
  await recordRailDay(portal, kar.serial, { from: '2026-03-03T09:00:00Z', minutes: 30, hasPosition: false });
  await signInByApi(page, email);
  await page.goto('/lmb-logging/Spoorkar Later');
  await expect(page.getByRole('button', { name: 'Begin 03-03-26, 00:00' })).toBeVisible();
  await expect(page.getByText('Geen posities in deze periode')).toBeVisible();
  await expect(page.getByText('03-03-26, 10:00').first()).toBeVisible();

  await page.getByRole('button', { name: /^Begin/ }).click();
  await page.getByRole('dialog').getByLabel('Tijd').fill('20:00');
  await page.getByRole('button', { name: 'Klaar' }).click();
  await page.getByRole('button', { name: 'Update Data' }).click();
  await expect(page.getByText('Geen gegevens in deze periode')).toBeVisible();
  await expect(page.getByText('De laatste dag met gegevens is 03-03-2026.')).toBeVisible();
  await page.getByRole('button', { name: 'Toon die dag' }).click();
  await expect(page.getByRole('slider')).toBeVisible();

  await page.getByRole('button', { name: /^Begin/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '5 maart 2026', exact: true }).click();
  await page.getByRole('button', { name: 'Klaar' }).click();
  await page.getByRole('button', { name: 'Update Data' }).click();
  await expect(page.getByText('De begintijd ligt na de eindtijd.')).toBeVisible();
});

test('data that failed to load can be requested again (LOG-03) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/429/);
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Storing');
  await recordRailDay(portal, kar.serial, { ...DAY, minutes: 5 });
  await signIn(page, email);
  await page.route('**/api/berend/get/data**', (route) =>
    route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Even geduld.' } }),
  );
  await page.goto('/lmb-logging/Spoorkar Storing');
  await expect(page.getByText('Even geduld.')).toBeVisible();
  await page.unroute('**/api/berend/get/data**');
  await page.getByRole('button', { name: 'Opnieuw proberen' }).click();
  await expect(page.getByRole('slider')).toBeVisible();
});
