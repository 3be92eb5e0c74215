import { BY_SCRIPT } from '#server/test/by-script.ts';
import { expect, PASSWORD, signIn, test } from './fixtures.ts';

test('13.3a shots', async ({ page, portal, expectConsole }) => {
  expectConsole(/./);
  test.setTimeout(180_000);
  const { email } = await portal.fleet();
  const shot = async (name: string) => {
    for (const [w, h] of [[390, 844], [1280, 800]] as const) {
      await page.setViewportSize({ width: w, height: h });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/zx/${name}-${w}.png` });
    }
  };
  await page.request.post('/api/auth/forgot-password', { data: { email }, headers: BY_SCRIPT });
  await expect.poll(() => portal.mailsTo(email), { timeout: 30_000 }).toHaveLength(1);
  const mailed = new URL(/https?:\S*\/signin#reset=\S+$/m.exec(portal.mailsTo(email).at(-1)!.text)![0]);
  await page.goto(mailed.pathname + mailed.hash);
  await expect(page.getByRole('textbox', { name: 'Nieuw wachtwoord' })).toBeFocused();
  await shot('link');
  await page.getByRole('textbox', { name: 'Nieuw wachtwoord' }).fill('welkom01');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'veelgebruikt' })).toBeVisible();
  await shot('link-refused');
  await page.goto('about:blank');
  await page.goto(`${mailed.pathname}#reset=abc`);
  await expect(page.getByRole('alert').filter({ hasText: 'niet compleet' })).toBeVisible();
  await shot('link-ended');
  const first = await portal.firstAdministrator();
  await page.getByRole('button', { name: 'Annuleren' }).click();
  await signIn(page, first.email, first.password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kies een nieuw wachtwoord');
  await shot('must-change');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/signin');
  await page.getByRole('tab', { name: 'Registreren' }).click();
  await shot('register');
  await signIn(page, email, PASSWORD);
  await page.goto('/account');
  await page.getByRole('region', { name: 'Wachtwoord' }).scrollIntoViewIfNeeded();
  await shot('account');
});
