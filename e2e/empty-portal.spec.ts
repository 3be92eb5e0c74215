import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { makeSnapshotUploader } from './configured-logger.ts';
import { changesBar, DBC, uploadToBus } from './definition-page.ts';
import {
  E2ePortal,
  expect,
  expectAccessible,
  forgetSession,
  mapMarker,
  PASSWORD,
  signInByApi,
  test,
} from './fixtures.ts';

/** Texts about a reading, which may not appear on a screen with only machines that never reported. */
const WAS_SEEN = /Stil \(|laatst |Laatst gezien: |nooit iets gehoord|Nog geen gegevens ontvangen/;

test('every screen shows a machine that never reported as never seen, without any other status (54.5b) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { serial } = await machine({ alias: 'Nieuwe kraan' });
  await machine({ alias: 'Nieuwe lader' });
  await signInByApi(page, email);

  await page.goto('/');
  const nearby = page.getByRole('region', { name: 'Machines in de buurt' });
  const row = nearby.getByRole('link', { name: /Nieuwe kraan/ });
  await expect(row).toContainText('Nog nooit gezien');
  await expect(row.getByRole('img', { name: 'Nog nooit gezien' })).toBeVisible();
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  await expect(menu.getByRole('link', { name: /Nieuwe kraan/ })).toContainText('Nog nooit gezien');
  await expect(page.locator('body')).not.toContainText(WAS_SEEN);

  await page.goto('/machine/');
  const cards = page.getByRole('list', { name: 'Machines', exact: true });
  await expect(cards.getByText('Nog nooit gezien')).toHaveCount(2);
  await expect(page.getByRole('main')).not.toContainText(WAS_SEEN);

  await page.goto('/overzicht');
  const line = page.getByRole('row', { name: /Nieuwe kraan/ });
  await expect(line).toContainText('Nog nooit gezien');
  await expect(line).toContainText('nog geen gegevens');
  await expect(line).not.toContainText(/Stil|te oud|gehoord$/);
  // On a card only the status shows that the machine never reported.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('article').first().getByText('Nog nooit gezien')).toHaveCount(1);
  await expect(page.getByRole('article').first()).not.toContainText(WAS_SEEN);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto(`/machine/${serial}`);
  await expect(page.getByRole('status').filter({ hasText: 'Nog nooit gezien' })).toHaveText(
    'Nog nooit gezien',
  );
  await expect(page.getByRole('main')).not.toContainText(WAS_SEEN);
  await expect(page.getByRole('main')).not.toContainText('te oud');
  await expectAccessible(page, 'a machine that was never seen');
});

/** Gives each test a separate portal, in the state after the first `npm start`. */
const empty = test.extend<{ emptyPortal: E2ePortal }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
  emptyPortal: async ({}, use) => {
    const portal = await E2ePortal.start();
    await use(portal);
    await portal.close();
  },
  baseURL: ({ emptyPortal }, use) => use(emptyPortal.address),
});

const guide = (page: Page) => page.getByRole('group').filter({ hasText: 'Naar je eerste machine' });
const steps = (page: Page) => guide(page).getByRole('list', { name: 'Stappen' }).getByRole('listitem');
const SENTENCE = /Zodra je organisatie een machine heeft/;

/** Waits until the setup guide shows exactly these steps as done, in the steps' texts and in the number of done steps. */
async function expectDone(page: Page, numbers: readonly number[]): Promise<void> {
  await expect(guide(page)).toContainText(`${numbers.length} van 5 klaar`);
  await expect(steps(page)).toHaveText(
    [1, 2, 3, 4, 5].map((step) => (numbers.includes(step) ? /[a-z]klaar[A-Z]/ : /, nog niet klaar/)),
  );
}

const follow = (page: Page, name: string) => steps(page).getByRole('link', { name }).click();

empty(
  'the first steps lead the first administrator from the organization to the first upload, and then disappear (54.5a) @long',
  async ({ page, emptyPortal: portal, expectConsole }) => {
    expectConsole(/409/); // no definition yet
    const { email, password } = await portal.firstAdministrator();
    await page.goto('/');
    await page.getByLabel('E-mailadres').fill(email);
    await page.getByLabel('Wachtwoord', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Huidig wachtwoord').fill(password);
    await page.getByLabel('Nieuw wachtwoord').fill(PASSWORD);
    await page.keyboard.press('Enter');
    for (const path of ['/overzicht', '/machine/', '/']) {
      if (path !== '/overzicht') await page.goto(path);
      else await expect(steps(page).first()).toBeVisible();
      await expectDone(page, []);
      await expect(steps(page).first()).toHaveAttribute('aria-current', 'step');
      await expect(page.locator('body')).not.toContainText(SENTENCE);
      await expectAccessible(page, `the first steps before ${path}`);
    }
    // In tab order, the first link comes right after the heading that collapses the list of steps.
    await guide(page).locator('summary').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/organization/nieuw');
    await page.getByLabel('Functionele Bedrijfs Naam').fill('bouwbedrijf-jansen');
    await page.getByLabel('Nette Bedrijfs Naam').fill('Bouwbedrijf Jansen');
    await page.getByRole('button', { name: 'Maak Organisatie' }).click();
    await page.getByRole('button', { name: 'Kopieer de code van Bouwbedrijf Jansen' }).waitFor();
    await page.getByRole('link', { name: 'Terug' }).click();
    await expectDone(page, [1]);

    await follow(page, 'Maak een machine');
    await page.getByLabel('Organisatie').selectOption({ label: 'Bouwbedrijf Jansen' });
    for (const [label, text] of [
      ['Influx serienummer', '7100001'],
      ['Machine serienummer', 'LH-001'],
      ['Merk', 'Liebherr'],
      ['Model', 'L 538'],
      ['Naam', 'Shovel 1'],
      ['MAC-adres', '00:1A:2B:3C:4D:5E'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel('Capaciteit van accu 1 in kWh').fill('90');
    await page.getByRole('button', { name: 'Maak Machine' }).click();
    await expect(page.getByText(/Configuratie maken is niet gelukt/)).toBeVisible();
    // Step 4 (a logger) is done too, because the form for the new machine also bound the logger. The machine's card is below the steps.
    await page.goto('/machine/');
    await expectDone(page, [1, 2, 4]);
    await expect(steps(page).nth(2)).toHaveAttribute('aria-current', 'step');
    await expect(page.getByRole('heading', { name: 'L 538' })).toBeVisible();
    await expectAccessible(page, 'the first steps above the machines');

    await follow(page, 'Geef de machine een datadefinitie');
    await expect(page).toHaveURL('/machine/edit/LH-001/definitie');
    await uploadToBus(page, 0, DBC);
    await expect(changesBar(page)).toContainText('1 signaal is direct gekoppeld');
    for (const path of ['/overzicht', '/']) {
      await page.goto(path);
      await expectDone(page, [1, 2, 3, 4]);
    }
    await expect(steps(page).getByRole('link', { name: 'Koppel een logger' })).toHaveAttribute(
      'href',
      '/machine/edit/LH-001',
    );

    await page.request.get('/api/machine/config/create?serienummer=LH-001', { headers: SCRIPT_HEADERS });
    const config = await page.request.get('/api/machine/config/download?serienummer=LH-001', {
      headers: SCRIPT_HEADERS,
    });
    const report = makeSnapshotUploader(await config.text(), '7100001');
    await report({ LATITUDE: 52.1, LONGITUDE: 5.1, Soc1: 80 });
    await expect(mapMarker(page, 'Shovel 1, Uit')).toBeVisible();
    await expect(guide(page)).toHaveCount(0);
    await page.goto('/machine/');
    await expect(page.getByRole('heading', { name: 'L 538' })).toBeVisible();
    await expect(guide(page)).toHaveCount(0);
  },
);

empty(
  'a technician sees the first steps without the link to make an organization, and a customer sees a sentence (54.5a) @long',
  async ({ page, emptyPortal: portal }) => {
    const customer = await portal.fleet();
    const technician = await portal.fleet('admin');
    const { pool } = await portal.database();
    await pool.query("update account set role = 'technicus' where email = $1", [technician.email]);
    await signInByApi(page, technician.email);
    await page.goto('/overzicht');
    await expectDone(page, [1]);
    await expect(steps(page).getByRole('link')).toHaveCount(4);
    await expect(steps(page).first().getByRole('link')).toHaveCount(0);
    await follow(page, 'Maak een machine');
    await expect(page).toHaveURL('/machine/nieuw');

    await forgetSession(page);
    await signInByApi(page, customer.email);
    for (const path of ['/', '/overzicht']) {
      await page.goto(path);
      await expect(page.getByText(SENTENCE)).toBeVisible();
      await expect(guide(page)).toHaveCount(0);
    }
  },
);
