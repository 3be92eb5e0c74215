import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { makeSnapshotUploader } from './configured-logger.ts';
import {
  confirmAddress,
  type E2ePortal,
  expect,
  PASSWORD,
  signIn,
  test,
  workerPortalFixture,
} from './fixtures.ts';

/** A DBC with two signals under the portal's names and one under another name. */
const DBC = `VERSION ""
BU_: ECU
BO_ 500 Accu: 8 ECU
 SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ MotorSpeed : 8|16@1+ (1,0) [0|10000] "rpm" Vector__XXX
 SG_ PackVoltage : 24|16@1+ (0.1,0) [0|1000] "V" Vector__XXX
`;

async function fillMachine(page: Page, serial: string, name: string, logger: string): Promise<void> {
  await page.goto('/machine/nieuw');
  await page.getByLabel('Organisatie').selectOption({ label: 'Bouwbedrijf Jansen' });
  await page.getByLabel('Influx serienummer').fill(logger);
  await page.getByLabel('Machine serienummer').fill(serial);
  await page.getByLabel('Merk').fill('Liebherr');
  await page.getByLabel('Model').fill('L 538');
  await page.getByLabel('Naam', { exact: true }).fill(name);
  await page.getByLabel('MAC-adres').fill('00:1A:2B:3C:4D:5E');
  await page.getByLabel('Capaciteit van accu 1 in kWh').fill('90');
}

/** Runs the tests of this file on a separate portal, in the state after the first `npm start`. */
const empty = test.extend<object, { portal: E2ePortal }>({
  portal: workerPortalFixture,
});

empty(
  'an administrator gets from an empty portal to a machine that moves on its user’s map (AUTH-03, ORG-04, MEDIT-05, MEDIT-10, MEDIT-11, MEDIT-12)',
  async ({ page, portal, browser, expectConsole }) => {
    expectConsole(/409/); // no definition yet
    const { email, password } = await portal.firstAdministrator();
    await page.goto('/organization/');
    await page.getByLabel('E-mailadres').fill(email);
    await page.getByLabel('Wachtwoord', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    // After signing in with the generated password, the only page is the form for a new password.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kies een nieuw wachtwoord');
    await page.getByLabel('Huidig wachtwoord').fill(password);
    await page.getByLabel('Nieuw wachtwoord').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Organisatie Codes');

    // The administrator makes the organization and gets its code.
    await page.goto('/organization/nieuw');
    await page.getByLabel('Functionele Bedrijfs Naam').fill('bouwbedrijf-jansen');
    await page.getByLabel('Nette Bedrijfs Naam').fill('Bouwbedrijf Jansen');
    await page.getByRole('button', { name: 'Maak Organisatie' }).click();
    await page.getByRole('button', { name: 'Kopieer de code van Bouwbedrijf Jansen' }).waitFor();
    const listed = await page.request.get('/api/organization/get');
    const { code } = (await listed.json()).find(
      ({ name }: { name: string }) => name === 'bouwbedrijf-jansen',
    );

    // A user of the new organization registers.
    const context = await browser.newContext({ baseURL: portal.address });
    const user = await context.newPage();
    await user.goto('/signin');
    await user.getByRole('tab', { name: 'Registreren' }).click();
    await user.getByLabel('E-mailadres').fill('planner@jansen.nl');
    await user.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
    await user.getByLabel('Herhaal wachtwoord').fill(PASSWORD);
    await user.getByLabel('Organisatiecode').fill(code);
    await user.getByRole('button', { name: 'Registreren' }).click();
    await expect(user.getByRole('tab', { name: 'Inloggen' })).toHaveAttribute('aria-selected', 'true');

    // The organization has no beheerder yet, so the administrator admits its first one, who confirms the address.
    await page.goto('/Users/');
    await page.getByRole('button', { name: 'Laat toe: planner@jansen.nl' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'is toegelaten' })).toBeVisible();
    await signIn(user, 'planner@jansen.nl');
    await confirmAddress(user, portal, 'planner@jansen.nl');

    // The first machine of a make has no reference machine to copy a data definition from, so its configuration cannot be made.
    await fillMachine(page, 'LH-001', 'Shovel 1', '7100001');
    await page.getByRole('button', { name: 'Maak Machine' }).click();
    await expect(page.getByText(/Configuratie maken is niet gelukt/)).toBeVisible();
    await page.goto('/machine/edit/LH-001/definitie');
    const bus = page.getByRole('region', { name: 'CAN-bus 0', exact: true });
    await bus
      .locator('input[type=file]')
      .setInputFiles({ name: 'liebherr.dbc', mimeType: 'text/plain', buffer: Buffer.from(DBC) });
    const voltage = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'Accuspanning: ' }) });
    await voltage.getByRole('button', { name: 'Overnemen' }).click();
    const bar = page.getByRole('region', { name: 'Wijzigingen' });
    await bar.getByRole('button', { name: 'Opslaan' }).click();
    await expect(bar.getByText('De koppeling is opgeslagen.')).toBeVisible();

    // A second machine of that make gets its configuration at once.
    await fillMachine(page, 'LH-002', 'Shovel 2', '7100002');
    await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill('LH-001');
    await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Maak Machine' }).click(),
    ]);
    const upload = makeSnapshotUploader(await readFile(await download.path(), 'utf8'), '7100002');

    // The logger reports a position, and then another one.
    const marker = user.getByRole('button', { name: 'Shovel 2, Draait' });
    // The first reading is older than 5 minutes, because a position that jumps within 5 minutes would not count at first.
    const earlier = Math.floor(Date.now() / 1000) - 400;
    await upload({ GMT_UNIX: earlier, LATITUDE: 52.1, LONGITUDE: 5.1, Soc1: 80, MotorSpeed: 900 });
    await expect(marker).toBeVisible();
    const before = await marker.boundingBox();
    await upload({ LATITUDE: 52.3, LONGITUDE: 5.6, Soc1: 79, MotorSpeed: 900 });
    await expect.poll(async () => (await marker.boundingBox())?.x).toBeGreaterThan((before?.x ?? 0) + 5);
    // The map is still at the first position, so the marker may be out of sight.
    await user.getByRole('button', { name: 'Toon alle machines' }).click();
    await marker.click();
    await expect(user.getByRole('dialog', { name: 'Shovel 2' })).toContainText('Draait');
    await context.close();
  },
);
