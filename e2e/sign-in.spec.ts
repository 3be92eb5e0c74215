import { expect, PASSWORD, signIn, test } from './fixtures.ts';

test('a visitor signs in at /signin, gets to the requested page, and Back does not return to /signin (APP-01, APP-02, AUTH-02)', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await page.goto('about:blank');
  await page.goto('/organization/?x=1#code');
  await expect(page).toHaveURL('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/organization/?x=1#code');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test('Back from /signin does not return to the protected page (APP-02)', async ({ page }) => {
  await page.goto('about:blank');
  await page.goto('/machine/');
  await expect(page).toHaveURL('/signin');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test("'Loading...' shows until authentication and live data are loaded (APP-01)", async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  await page.evaluate(() => localStorage.clear());
  let release = (): void => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/api/live', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  release();
  await expect(page.getByRole('banner')).toBeVisible();
});

test('the sign-in page has the tabs Inloggen and Registreren, and requires an e-mail address and a password (AUTH-01)', async ({
  page,
}) => {
  await page.goto('/signin');
  await expect(page.getByRole('tab', { name: 'Inloggen' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tab', { name: 'Registreren' })).toBeVisible();
  const email = page.getByLabel('E-mailadres');
  await expect(email).toHaveAttribute('type', 'email');
  await expect(email).toHaveAttribute('required', '');
  await expect(page.getByLabel('Wachtwoord', { exact: true })).toHaveAttribute('required', '');
  let asked = 0;
  await page.route('**/api/auth/login', (route) => {
    asked += 1;
    return route.continue();
  });
  await email.fill('no address');
  await page.getByRole('button', { name: 'Inloggen' }).click();
  expect(asked).toBe(0);
});

test("a failed sign-in shows the server's message, or a fallback message for a response without one (AUTH-05) @long", async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401|500/); // the browser's messages about the refused calls
  const { email } = await portal.fleet();
  await page.goto('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
    'Login failed. Please check your credentials.',
  );
  await expect(page).toHaveURL('/signin');
  // The page shows the same message for a response without a message, such as an error 500.
  await page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, body: 'oops' }));
  const answer = page.waitForResponse('**/api/auth/login');
  await page.keyboard.press('Enter');
  await answer;
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
    'Login failed. Please check your credentials.',
  );
});

test('a signed-in person who opens /signin gets to the map (AUTH-02) @long', async ({ page, portal }) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  await page.goto('/signin');
  await expect(page).toHaveURL('/');
});

test('Logout goes to /signin and leaves nothing of the session in the browser (APP-07)', async ({
  page,
  portal,
  context,
  expectConsole,
}) => {
  // A tab may request live data before it learns that the session has ended.
  expectConsole(/401 \(Unauthorized\) \S+\/api\/live/);
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Geheime machine' });
  await report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 50 });
  await signIn(page, email);
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.getByRole('banner')).toBeVisible();
  // Waits for pending requests for tiles, which would be refused after the session has ended.
  for (const tab of [page, second]) await tab.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/signin');
  // Another tab of the same browser is signed out too.
  await expect(second).toHaveURL('/signin');
  const left = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(left).not.toMatch(/Geheime|E2E-|klant/);
  expect(await page.evaluate(() => localStorage.getItem('liveData'))).toBeNull();
  // The cookie that identifies this browser for rate limits stays; no page can read it.
  const cookies = (await context.cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }));
  expect(cookies).toEqual([{ name: 'werkstroom-device', httpOnly: true }]);
  await page.goBack();
  await expect(page.getByText('Geheime machine')).toHaveCount(0);
});
