import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { uploadDbc } from './upload-dbc.ts';

test('a logger that uploads to a former address of the portal is listed, and its page asks for a new configuration (55.15) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial, alias, loggerSerial } = await machine();
  const { pool } = await portal.database();
  await signInByApi(page, email);
  await uploadDbc(page, serial, 'BO_ 1 BMS: 1 X\n SG_ Soc1 : 0|8@1+ (1,0) [0|100] "%" X\n');
  const made = await page.request.get(`/api/machine/config/create?serienummer=${serial}`, {
    headers: SCRIPT_HEADERS,
  });
  expect(made.status()).toBe(200);
  await pool.query(
    `update logger_config c set address = 'https://oud.voorbeeld.nl', settings_digest = '' from writer w
     where w.id = c.writer_id and w.logger_serial = $1`,
    [loggerSerial],
  );
  await page.goto('/machine/');
  const task = page.locator('details').filter({ hasText: 'Oud adres van het portaal' });
  await task.locator('summary').click();
  const card = task.getByRole('listitem').filter({ hasText: loggerSerial });
  await expect(card).toContainText('https://oud.voorbeeld.nl');
  await expectAccessible(page, 'task');
  await page.setViewportSize({ width: 390, height: 844 });
  await card.getByRole('link', { name: alias }).click();
  const config = page.getByRole('region', { name: 'Configuratie van de logger' });
  await expect(config).toContainText('noemt het oude adres van het portaal: https://oud.voorbeeld.nl');
  await config.getByRole('button', { name: 'Maak nieuwe configuratie' }).click();
  await expect(config).not.toContainText('oude adres');
  // A current configuration is replaced only after a confirmation.
  await config.getByRole('button', { name: 'Maak nieuwe configuratie' }).click();
  const dialog = page.getByRole('dialog', { name: 'Wil je een nieuwe configuratie maken' });
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(config.getByRole('status')).toContainText('Het configuratiebestand is gemaakt.');
});
