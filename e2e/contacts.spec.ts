import type { Page } from '@playwright/test';
import {
  type E2ePortal,
  expect,
  expectAccessible,
  type Fleet,
  signIn,
  signInByApi,
  test,
} from './fixtures.ts';
import { addMachines } from './many-machines.ts';

const HERE = { LATITUDE: 52.1, LONGITUDE: 5.3, Soc1: 12, IsCharging1: 0, ChargingCurrent: 0 };

/**
 * Returns a time 72 hours ago, in Unix seconds. A 'silent' alert stays open after a reading of this age, because only readings that are
 * at most 48 hours old when they are stored end a silence.
 */
const threeDaysAgo = () => Math.floor(Date.now() / 1000) - 72 * 3_600;

/**
 * Stores an open alert about each machine of a fleet, all of one rule, as the alert engine would have stored them an hour ago. The rule is
 * switched off if its kind is `low`, so that no evaluation resolves its alerts.
 */
async function openAlerts(portal: E2ePortal, { organization }: Fleet, kind: 'silent' | 'low'): Promise<void> {
  const { pool } = await portal.database();
  await pool.query(
    `with rule as (
       insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
       select id, 'Regel', $2, '{"threshold": 24}', 'always', 'all', 'notice', '{beheerder}', false, $2 = 'silent', now() from organization where name = $1
       returning id, organization_id)
     insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, is_news, made_at)
     select rule.id, 1, rule.organization_id, w.stream_id, $2, 'notice', 'al 1 dag niets gehoord', now() - interval '1 hour',
       now() - interval '50 minutes', true, now() from rule join ownership w on w.organization_id = rule.organization_id`,
    [organization.name, kind],
  );
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Meldingen/ });
const openList = (page: Page) => page.getByRole('list', { name: /^Open meldingen/ });
const toCall = (page: Page) => page.getByRole('link', { name: /^Bel / });

test('a manager enters a contact, and the machine’s page, popup and alert show its phone number, also once changed (53.14, 53.15)', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report({ ...HERE, GMT_UNIX: threeDaysAgo() });
  await openAlerts(portal, fleet, 'silent');
  await signIn(page, fleet.email);
  await page.goto(`/organization/${fleet.organization.name}`);
  await page.getByRole('link', { name: 'Contacten instellen' }).click();
  await page.getByRole('button', { name: 'Voeg contact toe' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Naam').fill('Planning');
  await dialog.getByLabel('Telefoonnummer').fill('06-1234567');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(dialog.getByText(/^Telefoonnummer heeft in Nederland 10 cijfers/)).toBeVisible();
  await expect(dialog.getByLabel('Telefoonnummer')).toBeFocused();
  await dialog.getByLabel('Telefoonnummer').fill('085-0123456');
  await dialog.getByLabel('Toelichting').fill('werkdagen 06:00 tot 18:00');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByLabel('Contact', { exact: true }).selectOption('Planning');
  await page.getByRole('button', { name: 'Bewaar' }).click();
  await expect(page.getByText('Gebruikt bij de organisatie')).toBeVisible();
  await expectAccessible(page, 'contacts');

  await page.goto(`/machine/${rups.serial}`);
  await expect(toCall(page)).toHaveAttribute('href', 'tel:+31850123456');
  const known = page.getByRole('region', { name: 'Laatst bekend' });
  await expect(known).toContainText('12%');
  await expect(known).toContainText('laadde niet');
  await expect(known).toContainText('Meestal: de accu is leeg');

  await page.getByRole('link', { name: 'Contact', exact: true }).click();
  await page.getByRole('button', { name: 'Nieuw contact' }).click();
  await dialog.getByLabel('Naam').fill('Machinist');
  await dialog.getByLabel('Telefoonnummer').fill('+32 470 12 34 56');
  await dialog.getByLabel('Wie het ziet').selectOption('Alleen beheerders');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Het contact is bewaard.' })).toBeVisible();
  await expectAccessible(page, 'the contact of a machine');

  await page.goto('/meldingen');
  const card = openList(page).getByRole('listitem');
  await expect(card.getByRole('link', { name: 'Bel Machinist: +32 470 12 34 56' })).toBeVisible();
  await expect(card).toContainText('Meestal: de accu is leeg');
  await page.goto(`/?machine=${rups.serial}`);
  await expect(toCall(page)).toHaveText('Bel Machinist');
  await expect(toCall(page)).toHaveAttribute('href', 'tel:+32470123456');
  await expect(page.getByRole('region', { name: 'Laatst bekend' })).toContainText('accu 12%');

  // After the deletion of a contact the page shows the next nearest one.
  await page.goto(`/organization/${fleet.organization.name}/contacten`);
  await page.getByRole('button', { name: 'Verwijder Machinist' }).click();
  await expect(dialog).toContainText('Gebruikt bij machine Rups');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Het contact is verwijderd.')).toBeVisible();
  await page.goto(`/machine/${rups.serial}`);
  await expect(toCall(page)).toHaveText('Bel Planning: 085-0123456');

  // The text about working hours shows on a Sunday, and not on a Monday morning.
  const hours = page.getByText('nu buiten werktijd');
  await page.clock.setFixedTime('2026-11-22T12:00+01:00');
  for (const path of [`/?machine=${rups.serial}`, `/machine/${rups.serial}`]) {
    await page.goto(path);
    await expect(hours).toContainText('van de organisatie');
  }
  await page.clock.setFixedTime('2026-11-23T12:00+01:00');
  await page.reload();
  await expect(page.getByText('werkdagen 06:00 tot 18:00')).toBeVisible();
  await expect(hours).toHaveCount(0);
});

test("viewing alerts does not change the number of open alerts in the bell, and the filter 'Aandacht' explains that it counts machines (53.16)", async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  for (const alias of ['Rups', 'Kraan'])
    await (await fleet.machine({ alias })).report({ ...HERE, GMT_UNIX: threeDaysAgo() });
  await openAlerts(portal, fleet, 'silent');
  await signIn(page, fleet.email);
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 2 open, 2 nieuw');
  await expect(bell(page)).toHaveAttribute('title', 'Meldingen: 2 open, 2 nieuw');
  await page.goto('/overzicht');
  await expect(page.getByRole('button', { name: '2 Aandacht' })).toHaveAccessibleDescription(
    /^2 machines met een reden om te kijken: .* De bel telt meldingen, hier tellen machines\.$/,
  );
  await bell(page).click();
  await expect(page.getByText('2 open meldingen over 2 machines')).toBeVisible();
  await openList(page).getByRole('listitem').last().scrollIntoViewIfNeeded();
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 2 open');
  await page.reload();
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 2 open');
  await expect(openList(page).getByRole('listitem')).toHaveCount(2);
});

test('a thousand open alerts of one rule are collapsed to a few rows, and the list, the bell and the map respond at once (53.16) @long', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report(HERE);
  await addMachines(portal, rups.serial, 999, `'Machine ' || n`, {
    LATITUDE: '52.5 + n * 0.0001',
    LONGITUDE: '6',
  });
  await openAlerts(portal, fleet, 'low');
  await signInByApi(page, fleet.email);
  await page.goto('/meldingen');
  await expect(page.getByText('1.000 open meldingen over 1.000 machines')).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName(/^Meldingen: 1\.000 open, /);
  await expect(bell(page)).toContainText('99+');
  await expect(openList(page).getByRole('heading')).toHaveCount(3);
  const more = page.getByRole('button', {
    name: 'Toon 50 van de andere 997 meldingen van ‘Regel’',
  });
  const begun = await page.evaluate(() => performance.now());
  await more.click();
  await expect(openList(page).getByRole('heading')).toHaveCount(53);
  expect((await page.evaluate(() => performance.now())) - begun).toBeLessThan(10_000);
  await page.goto(`/?machine=${rups.serial}`);
  await expect(page.getByRole('list', { name: 'Open meldingen' })).toBeVisible();
});
