import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, forgetSession, PASSWORD, signIn, signInByApi, test } from './fixtures.ts';
import { createUserWithMachine, MACHINE_POSITION, openMachine } from './one-machine.ts';

test('the switch for charging mails shows the stored subscription, and an error when a change is not stored (MDET-07, MAIL-01) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await createUserWithMachine(portal);
  await it.report({ ...MACHINE_POSITION, Soc1: 50 });
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const toggle = page.getByRole('switch', { name: 'Voor laadupdate' });
  await expect(toggle).not.toBeChecked();
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect(toggle).toBeChecked();
  await page.reload();
  await expect(toggle).toBeChecked();
  expectConsole(/503/);
  await page.route('**/api/mail/unsubscribe', (route) => route.fulfill({ status: 503, body: 'x' }));
  await toggle.click();
  await expect(page.getByText('De laadupdate is niet gewijzigd. Probeer het opnieuw.')).toBeVisible();
  await expect(toggle).toBeChecked();
});

test('the link of a charging mail asks once, after sign-in, whether the mails must stop (MAIL-02) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { alias: 'Kraan' });
  await it.report({ ...MACHINE_POSITION, Soc1: 50 });
  await signIn(page, it.email);
  await page.request.post('/api/mail/subscribe', {
    data: { serialNumber: it.serial },
    headers: SCRIPT_HEADERS,
  });
  await page.evaluate(() => localStorage.clear());
  await forgetSession(page);
  await openMachine(page, it.serial, '?afmelden=1');
  await page.getByLabel('E-mailadres').fill(it.email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Wil je geen mails meer over het laden van Kraan' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'afmelden');
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(`/machine/${it.serial}`);
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).toBeChecked();
  await openMachine(page, it.serial, '?afmelden=1');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Je krijgt geen mails meer over het laden van Kraan.')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
