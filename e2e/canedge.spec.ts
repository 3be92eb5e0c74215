import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { fillRequiredFields, submitButton } from './new-machine.ts';

test('a CANedge replaces the ReXgen of a machine, and uploads with the settings that its page shows (43.6) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email, machine } = await portal.fleet('admin');
  const { serial, loggerSerial } = await machine();
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await page.getByRole('button', { name: 'Vervang logger' }).click();
  const dialog = page.getByRole('dialog', { name: `Wil je logger ${loggerSerial} vervangen` });
  await dialog.getByLabel('Soort logger').selectOption('CANedge');
  const field = dialog.getByLabel('Device ID van de nieuwe logger');
  await field.fill('2f6913dx');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'hexadecimale cijfers' })).toBeVisible();
  await field.fill('2f6913db');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(
    page.getByText(`Logger 2F6913DB vervangt logger ${loggerSerial}. Maak zijn instellingen`),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Netwerk van de logger' })).toHaveCount(0);

  const config = page.getByRole('region', { name: 'Configuratie van de logger' });
  await config.getByRole('button', { name: 'Ga verder' }).click();
  await expect(config.getByText('De instellingen zijn gemaakt.')).toBeVisible();
  await expect(config.getByRole('link', { name: 'Download Config Bestand' })).toHaveCount(0);
  await config.getByRole('button', { name: 'Toon instellingen voor de CANedge' }).click();
  const shown = config.getByRole('region', { name: 'Instellingen voor de CANedge' });
  await expect(shown.getByRole('term')).toHaveText([
    'Endpoint',
    'Port',
    'Bucket',
    'Region',
    'AccessKey',
    'SecretKey',
  ]);
  const { server } = JSON.parse(await shown.locator('pre').innerText()).connect.s3;
  for (const value of [server.endpoint, server.secretkey])
    await expect(shown.getByText(value).first()).toBeVisible();
  await expectAccessible(page, 'canedge');

  const device = new S3Client({
    endpoint: `${server.endpoint}:${server.port}`,
    region: server.region,
    forcePathStyle: true,
    credentials: { accessKeyId: server.accesskey, secretAccessKey: server.secretkey },
  });
  const put = (Key: string, Body = 'MF4') =>
    device.send(new PutObjectCommand({ Bucket: server.bucket, Key, Body }));
  await put('2F6913DB/00000004/00000001-63BEF5CD.MF4');
  const state = {
    id: '2F6913DB',
    fw_ver: '01.09.01',
    cfg_name: 'config-01.09.json',
    space_used_mb: '36/7572',
  };
  await put('2F6913DB/device.json', JSON.stringify(state));
  await expect(put('2F6913DC/00000004/00000001-63BEF5CD.MF4')).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  await page.reload();
  const health = page.getByRole('region', { name: 'Toestand van de logger' });
  await expect(health).toContainText('00000001-63BEF5CD.MF4');
  for (const fact of ['device.json', '01.09.01', '7.536 van 7.572 MB', 'config-01.09.json'])
    await expect(health).toContainText(fact);
  await expect(config.getByText('Laatste upload op')).toBeVisible();
});

test("a new machine is created with a CANedge logger, and its page shows the logger's settings (43.6) @long", async ({
  page,
  portal,
}) => {
  const { email, organization } = await portal.fleet('admin');
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  await fillRequiredFields(page, organization.clean, 'CE-NEW');
  await page.getByLabel('Soort logger').selectOption('CANedge');
  await page.getByLabel('Device ID').fill('2f6913d');
  await submitButton(page).click();
  await expect(page.getByText('hexadecimale cijfers').first()).toBeVisible();
  await page.getByLabel('Device ID').fill('0badcafe');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await submitButton(page).click();
  await expect(page.getByText('De instellingen voor de CANedge staan op de pagina')).toBeVisible();
  await expect(page.getByText('config.xml')).toHaveCount(0);
  await page.getByRole('link', { name: 'Naar de machine' }).click();
  await expect(page.getByText('Logger 0BADCAFE is gekoppeld')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Toon instellingen voor de CANedge' })).toBeVisible();
});
