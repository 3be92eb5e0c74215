import { expect, signIn, test } from './fixtures.ts';

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const OUTAGE = /Geen verbinding met het portaal/;

test('the live data are polled every 5 s and stored in localStorage as liveData (LIVE-02) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { report, serial } = await machine({ alias: 'Bewaard' });
  await report({ ...AT, Soc1: 66 });
  const asked: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/live')) asked.push(Date.now());
  });
  await signIn(page, email);
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  const gaps = asked.slice(1).map((at, n) => at - asked[n]!);
  expect(gaps.at(-1)).toBeGreaterThan(4_000);
  expect(gaps.at(-1)).toBeLessThan(15_000);
  // The page stores the live data in localStorage when it is left, or earlier.
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('liveData') ?? 'null'));
  expect(Object.keys(stored)).toEqual([serial]);
  expect(stored[serial].liveData).toMatchObject({ Soc1: 66, ...AT });
});

test('the data stay on screen with a notice when the portal stops, and follow the restarted portal without a reload (LIVE-02, MAP-07) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/ERR_CONNECTION_REFUSED|Failed to load|live/i);
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Blijft' });
  await report({ GMT_UNIX: Math.floor(Date.now() / 1000) - 5, ...AT, Soc1: 50 });
  await signIn(page, email);
  await page
    .getByRole('button', { name: /Blijft/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Blijft' });
  await expect(dialog).toContainText('50%');
  await page.evaluate(() => {
    (window as unknown as { loaded: number }).loaded = 1;
  });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await portal.stop();
  await expect(page.getByRole('status').filter({ hasText: OUTAGE })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('status').filter({ hasText: OUTAGE })).toContainText(
    /Gegevens van (\d\d\/\d\d\/\d\d, )?\d\d:\d\d/,
  );
  await expect(dialog).toContainText('50%');
  await portal.startAgain();
  await report({ ...AT, Soc1: 49 });
  await expect(dialog).toContainText('49%', { timeout: 30_000 });
  await expect(page.getByRole('status').filter({ hasText: OUTAGE })).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { loaded?: number }).loaded)).toBe(1);
  // An outage is logged once, not at every poll.
  expect(warnings).toHaveLength(1);
});

test('a machine that falls silent becomes stale in the open browser after 10 minutes (LIVE-07)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/live data could not be fetched/); // a jump of the browser's clock aborts a call
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Valt stil' });
  await page.clock.install();
  await report({ ...AT, Soc1: 50, MotorSpeed: 900 });
  await signIn(page, email);
  const marker = page
    .getByRole('region', { name: 'Kaart met machines' })
    .getByRole('button', { name: /Valt stil/ });
  await expect(marker).toHaveAccessibleName('Valt stil, Draait');
  await page.clock.runFor(9 * 60_000);
  await expect(marker).toHaveAccessibleName('Valt stil, Draait');
  await page.clock.runFor(2 * 60_000);
  await expect(marker).toHaveAccessibleName('Valt stil, Stil, laatst Draait');
});

test('live data above 4 million characters are not kept in localStorage, and a log line and a notice say so once (LIVE-02) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/liveData|opgeslagen|stored|copy/i);
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Groot' })).report(AT);
  await page.route('**/api/live', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Record<string, { metadata: { hulpstukken: object[] } }>;
    for (const entry of Object.values(body)) {
      entry.metadata.hulpstukken = Array.from({ length: 60_000 }, (_, n) => ({
        naam: 'x'.repeat(60),
        nummer: n,
      }));
    }
    await route.fulfill({ response: answer, json: body });
  });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await signIn(page, email);
  await expect(page.getByRole('status').filter({ hasText: 'passen niet in deze browser' })).toBeVisible({
    timeout: 30_000,
  });
  expect(await page.evaluate(() => localStorage.getItem('liveData'))).toBeNull();
  expect(warnings).toHaveLength(1);
});

for (const [what, content] of [
  ['no JSON', '{"a":'],
  ['a list', '[1,2]'],
  ['something else', '{"X":{"metadata":null,"liveData":7}}'],
  ['markup', '{"X":{"metadata":{"alias":"<img src=x onerror=alert(1)>"},"liveData":{}}}'],
] as const) {
  test(`a stored copy of the live data that is ${what} is ignored (LIVE-02) @long`, async ({
    page,
    portal,
  }) => {
    const { email, machine } = await portal.fleet();
    await (await machine({ alias: 'Echt' })).report(AT);
    await signIn(page, email);
    await page.evaluate((text) => localStorage.setItem('liveData', text), content);
    await page.reload();
    await expect(page.getByRole('button', { name: /^Echt, / })).toBeVisible();
  });
}

test('a session that ends on the server sends the open page to /signin (AUTH-10, LIVE-02)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401/);
  const { email } = await portal.fleet();
  await signIn(page, email);
  const { pool } = await portal.database();
  await pool.query('delete from session where account_id = (select id from account where email = $1)', [
    email,
  ]);
  await expect(page).toHaveURL(/\/signin/, { timeout: 30_000 });
  expect(await page.evaluate(() => localStorage.getItem('liveData'))).toBeNull();
});

test('times are in Dutch and in the time zone of Amsterdam, whatever the settings of the browser (APP-12) @long', async ({
  browser,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  await (await machine({ alias: 'Tijd' })).report({ GMT_UNIX: Date.UTC(2026, 6, 1, 22, 30) / 1000, ...AT });
  const context = await browser.newContext({
    baseURL: portal.address,
    locale: 'en-US',
    timezoneId: 'Asia/Tokyo',
  });
  const page = await context.newPage();
  await signIn(page, email);
  await page.getByRole('button', { name: /^Tijd, / }).click();
  await expect(
    page.getByRole('dialog', { name: 'Tijd' }).getByText('Laatst gezien: 02-07-26, 00:30'),
  ).toBeVisible();
  await context.close();
});
