import type { Page } from '@playwright/test';
import { expect, mapMarker, signIn, test } from './fixtures.ts';

const AT = { LATITUDE: 52.1, LONGITUDE: 5.3 };
const OUTAGE = /Geen verbinding met het portaal/;
/** Console messages of the browser, and one of the portal, without a network. */
const NETWORK = /ERR_INTERNET_DISCONNECTED|Failed to load|live data could not be fetched/i;
/** Shortest length of the outage, in seconds; `npm run faults` sets a minute. */
const SHORT_S = Number(process.env.FAULT_OFFLINE_S ?? 0);
/** Longest time until the page shows new data; `npm run faults` requires 5 s, for which a computer that runs other tests is too slow. */
const BACK_WITHIN_MS = SHORT_S > 0 ? 5_000 : 15_000;
const HOUR_MS = 3_600_000;

const banner = (page: Page) => page.getByRole('status').filter({ hasText: OUTAGE });

test('a browser without network shows that it is offline, and recovers as soon as the network returns (LIVE-02, LIVE-07) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NETWORK);
  test.setTimeout(150_000 + SHORT_S * 1_000);
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Netloos' });
  await report({ ...AT, Soc1: 50, MotorSpeed: 900 });
  await signIn(page, email);
  await page
    .getByRole('button', { name: /Netloos/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Netloos' });
  await expect(dialog).toContainText('50%');
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });

  await page.context().setOffline(true);
  const offlineAt = Date.now();
  await expect(banner(page)).toBeVisible({ timeout: 20_000 });
  await report({ ...AT, Soc1: 44, MotorSpeed: 900 });
  await page.waitForTimeout(Math.max(0, SHORT_S * 1_000 - (Date.now() - offlineAt)));
  await expect(dialog).toContainText('50%');
  await expect(banner(page)).toBeVisible();

  await page.context().setOffline(false);
  await expect(dialog).toContainText('44%', { timeout: BACK_WITHIN_MS });
  await expect(banner(page)).toHaveCount(0);
  expect(warnings).toHaveLength(1);
});

test('all data are shown as an hour old after an hour without network, and as fresh as soon as the network returns (LIVE-07, LIVE-02) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NETWORK);
  const { email, machine } = await portal.fleet();
  const { report } = await machine({ alias: 'Uurloos' });
  // The browser's clock starts an hour ago, so that the browser and the portal agree on the time when the hour
  // is over.
  const began = Date.now() - HOUR_MS;
  await page.clock.install({ time: began });
  await report({ GMT_UNIX: Math.floor(began / 1000), ...AT, Soc1: 50, MotorSpeed: 900 });
  await signIn(page, email);
  await expect(mapMarker(page, 'Uurloos')).toHaveAccessibleName('Uurloos, Draait');
  await page.context().setOffline(true);
  await page.clock.runFor(12 * 60_000);
  await expect(mapMarker(page, 'Uurloos')).toHaveAccessibleName('Uurloos, Stil, laatst Draait');
  await expect(banner(page)).toBeVisible();
  await page.clock.fastForward(began + HOUR_MS - (await page.evaluate(() => Date.now())));
  await mapMarker(page, 'Uurloos').click();
  const dialog = page.getByRole('dialog', { name: 'Uurloos' });
  await expect(dialog).toContainText('50%');
  await expect(dialog).toContainText('Gegevens zijn 1 uur oud');

  await report({ ...AT, Soc1: 44, MotorSpeed: 900 });
  // Waits a second, because the portal adds new readings to the live data once per second at most.
  await page.waitForTimeout(1_000);
  await page.context().setOffline(false);
  await expect(dialog).toContainText('44%', { timeout: BACK_WITHIN_MS });
  await expect(banner(page)).toHaveCount(0);
  await expect(mapMarker(page, 'Uurloos')).toHaveAccessibleName('Uurloos, Draait');
});
