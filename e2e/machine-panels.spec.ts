/** Panels beside the edit form: photo, manual, and the logger's health, network and key. */
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

const photo = (red: number) =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: { r: red, g: 90, b: 20 } } })
    .jpeg()
    .toBuffer();

test('a photo is uploaded with progress, replaced and removed, each shown at once (MEDIT-08) @long', async ({
  page,
  portal,
  expectConsole,
}, info) => {
  expectConsole(/400/);
  const { email, machine } = await portal.fleet('admin');
  const { serial, alias } = await machine();
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await expect(page.getByText('No Image Was Found')).toBeVisible();
  let loads = 0;
  page.on('framenavigated', () => {
    loads += 1;
  });
  const input = page.locator('input[type=file][aria-label="Upload Foto"]');
  const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });

  await input.setInputFiles({ name: 'plaat.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(alert('Dit bestand is geen foto.')).toBeVisible();
  const large = info.outputPath('groot.jpg');
  await writeFile(large, Buffer.alloc(20 * 1024 * 1024 + 1));
  await input.setInputFiles(large);
  await expect(alert('De foto is te groot')).toBeVisible();
  // Only the server recognizes that this is no photo.
  await input.setInputFiles({ name: 'nep.png', mimeType: 'image/png', buffer: Buffer.from('<html>') });
  await expect(alert('Dit bestand is geen foto. Kies een JPEG')).toBeVisible();

  const image = page.getByRole('img', { name: `Foto van ${alias}` });
  let goOn = (): void => undefined;
  const seen = new Promise<void>((done) => {
    goOn = done;
  });
  await page.route('**/api/img/upload', async (route) => {
    await seen;
    await route.continue();
  });
  await input.setInputFiles({ name: 'kraan.jpg', mimeType: 'image/jpeg', buffer: await photo(220) });
  await expect(page.getByRole('progressbar')).toBeVisible();
  goOn();
  await expect(image).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(alert('foto')).toHaveCount(0);
  expect(await image.evaluate((element) => getComputedStyle(element).borderRadius)).toBe('50%');
  const first = await image.getAttribute('src');
  await input.setInputFiles({ name: 'kraan.jpg', mimeType: 'image/jpeg', buffer: await photo(20) });
  await expect(image).not.toHaveAttribute('src', String(first));
  await page.getByRole('button', { name: 'Delete foto' }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('No Image Was Found')).toBeVisible();
  expect(loads).toBe(0);
});

test('a manual is uploaded, opened in a tab, and removed (MEDIT-09) @long', async ({ page, portal }) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await expect(page.getByText('Handleiding is niet Beschikbaar')).toBeVisible();
  const input = page.locator('input[type=file][aria-label="Upload Handleiding"]');
  await input.setInputFiles({ name: 'a.docx', mimeType: 'application/msword', buffer: PDF });
  await expect(page.getByRole('alert').filter({ hasText: 'Dit bestand is geen PDF.' })).toBeVisible();
  await input.setInputFiles({ name: 'kraan <1>.pdf', mimeType: 'application/pdf', buffer: PDF });
  const link = page.getByRole('link', { name: /^Handleiding is Beschikbaar/ });
  await expect(link).toHaveAttribute('target', '_blank');
  const answer = await page.request.get(String(await link.getAttribute('href')));
  expect(answer.headers()['content-type']).toContain('application/pdf');
  await page.getByRole('button', { name: 'Delete handleiding' }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Handleiding is niet Beschikbaar')).toBeVisible();
});

test("an administrator sees the logger's health and quarantine, sets its network, renews its keys and releases it (12.B6, MEDIT-07, MEDIT-15) @long", async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400|409/);
  const { email, machine } = await portal.fleet('admin');
  const { serial, report } = await machine();
  await report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 80 });
  await report({ LATITUDE: 52, LONGITUDE: 5, GMT_UNIX: 5 });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  const health = page.getByRole('region', { name: 'Toestand van de logger' });
  await expect(health).toContainText(/Laatste upload(vandaag|\d\d-\d\d-\d\d), \d\d:\d\d/, {
    timeout: 30_000,
  });
  await expect(health).toContainText('voor 2015');
  await expect(health).toContainText('Ontvangen bestanden2');
  await health.getByText('In quarantaine: 1 bestand').click();
  await expectAccessible(page, 'edit, with the quarantine open');
  await expect(health.getByRole('listitem')).toContainText('snapshot.json');
  const config = page.getByRole('region', { name: 'Configuratie van de logger' });
  await expect(config).toContainText('Er is geen datadefinitie');
  await expect(config.getByRole('link', { name: 'Datadefinitie en signalen' })).toHaveAttribute(
    'href',
    `/machine/edit/${serial}/definitie`,
  );
  await config.getByRole('button', { name: 'Ga verder' }).click();
  await expect(config.getByRole('alert')).toContainText('Het configuratiebestand kan nog niet.');

  const network = page.getByRole('region', { name: 'Netwerk van de logger' });
  const save = network.getByRole('button', { name: 'Netwerk opslaan' });
  await network.getByLabel('Pincode van de simkaart', { exact: true }).fill('0000');
  await save.click();
  await expect(network.getByRole('status')).toContainText('Het netwerk is opgeslagen.');
  await expect(network.getByLabel('Pincode van de simkaart', { exact: true })).toHaveValue('');
  await network.getByLabel('Verwijder de pincode').check();
  await save.click();
  await expect(network.getByLabel('Verwijder de pincode')).toHaveCount(0);
  await network.getByLabel('Verbinding').selectOption('wifi');
  await network.getByLabel('Naam van het wifi-netwerk').fill('Loods');
  await network.getByLabel('Wifi-wachtwoord', { exact: true }).fill('ééééééééé');
  await save.click();
  await expect(network.getByText('zonder accenten')).toBeVisible();
  await network.getByLabel('Wifi-wachtwoord', { exact: true }).fill('a password');
  await save.click();
  await expect(network.getByLabel('Verwijder het wachtwoord')).toBeVisible();
  await page.reload();
  await expect(network.getByLabel('Naam van het wifi-netwerk')).toHaveValue('Loods');

  const key = page.getByRole('region', { name: 'Sleutel en koppeling' });
  const newKey = key.getByRole('button', { name: 'Nieuwe sleutel' });
  const withdraw = page.getByRole('checkbox', { name: 'De oude sleutel direct intrekken' });
  await newKey.click();
  await withdraw.check();
  await expect(page.getByRole('dialog')).toContainText('wordt geweigerd');
  await page.getByRole('button', { name: 'Nee' }).click();
  await newKey.click();
  await expect(withdraw).not.toBeChecked();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(key.getByRole('status')).toHaveText(/een nieuwe sleutel\. Maak/);
  await newKey.click();
  await withdraw.check();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(key.getByRole('status')).toContainText('De oude sleutel wordt geweigerd.');
  // Retries, because the upload endpoint does not refuse the old key at once.
  const answer = () =>
    report({ Soc1: 81 }).then(
      () => 'taken',
      ({ name }: Error) => name,
    );
  await expect.poll(answer).toBe('InvalidAccessKeyId');
  await key.getByRole('button', { name: 'Koppel logger los' }).click();
  await expectAccessible(page, 'question');
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(config).toContainText('Nog geen logger gekoppeld');
  await expect(key).toHaveCount(0);
  await expect(page.getByLabel('Influx serienummer')).toHaveValue('');
});
