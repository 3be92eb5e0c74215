import { expect, signIn, signInByApi, test } from './fixtures.ts';

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };

test('the quick menu lists running machines, then charging ones, then the others, each with battery and status (APP-08, APP-09)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const off = await machine({ alias: 'Uit', brand: 'Aaa', capacities: [50, 50] });
  const charging = await machine({ alias: 'Aan de lader', brand: 'Bbb' });
  const running = await machine({ alias: 'Aan het werk', brand: 'Ccc', model: 'Z9' });
  const runningToo = await machine({ alias: 'Ook aan het werk', brand: 'Ccc', model: 'A1' });
  await off.report({ ...AT, Soc1: 80, Soc2: 61, MotorSpeed: 150 });
  await charging.report({ ...AT, soc1: 40, IsCharging1: 1, ChargingCurrent: 1.5, MotorSpeed: 900 });
  await running.report({ ...AT, SOC: 55, MotorSpeed: 151, IsCharging1: 0.5, ChargingCurrent: 9 });
  await runningToo.report({ ...AT, MotorSpeed: 500, IsCharging1: 1, ChargingCurrent: 1 });
  await signIn(page, email);
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const rows = page.getByRole('navigation', { name: 'Machines' }).getByRole('link');
  await expect(rows).toHaveText([
    /Ook aan het werk.*Ccc A1.*--.*Draait/s,
    /Aan het werk.*Ccc Z9.*55%.*Draait/s,
    /Aan de lader.*Bbb EX-1.*40%.*Laden/s,
    /Uit.*Aaa EX-1.*71%.*Uit/s,
  ]);
  await rows.nth(2).click();
  await expect(page).toHaveURL(`/machine/${charging.serial}`);
  await expect(page.getByRole('navigation', { name: 'Machines' })).toHaveCount(0);
});

test('the quick menu closes on an outside click and on Escape (APP-10) @long', async ({ page, portal }) => {
  const { email, machine } = await portal.fleet();
  await machine();
  await signInByApi(page, email);
  await page.goto('/organization/');
  const open = page.getByRole('button', { name: 'Machines', exact: true });
  const list = page.getByRole('navigation', { name: 'Machines' });
  await open.click();
  await expect(list).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click({ force: true, position: { x: 1, y: 1 } });
  await expect(list).toHaveCount(0);
  await open.click();
  await expect(list).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(open).toBeFocused();
});

test('the quick menu is at most 10 seconds behind the live data (APP-10, LIVE-02) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Graver' });
  await report({ ...AT, Soc1: 50 });
  await signIn(page, email);
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const row = page.getByRole('navigation', { name: 'Machines' }).getByRole('link', { name: /Graver/ });
  await expect(row).toContainText('50%');
  await report({ GMT_UNIX: Math.floor(Date.now() / 1000) + 1, Soc1: 49, MotorSpeed: 900 });
  await expect(row).toContainText('49%', { timeout: 10_000 });
  await expect(row).toContainText('Draait');
});

test('LMB loggers of two organizations with the same name each lead an administrator to their own page (APP-09) @long', async ({
  page,
  portal,
}) => {
  const loggers = [];
  for (const _ of ['one', 'other']) {
    const { lmbLogger } = await portal.fleet('logger');
    const logger = await lmbLogger('Tweelingkar');
    await logger.report({ LATITUDE: 52.1, LONGITUDE: 5.4, Speed: 20 });
    loggers.push(logger.serial);
  }
  await signIn(page, (await portal.fleet('admin')).email);
  const seen: (string | undefined)[] = [];
  for (const at of [0, 1]) {
    await page.getByRole('button', { name: 'Machines', exact: true }).click();
    // Filters the list, because a long list renders only rows near the screen.
    await page.getByRole('searchbox', { name: 'Zoek een machine' }).fill('Tweelingkar');
    await page
      .getByRole('link', { name: /Tweelingkar/ })
      .nth(at)
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Tweelingkar' })).toBeVisible();
    await expect(page.getByText(/^#\d+ · /)).toBeVisible();
    seen.push(/\d+/.exec(await page.getByText(/^#\d+ · /).innerText())?.[0]);
    await page.goto('/');
  }
  expect(seen.sort()).toEqual(loggers);
});

test('the quick menu of an empty fleet shows a message (APP-09) @long', async ({ page, portal }) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Machines' })).toContainText('Nog geen machines');
});
