/** Daily use: the header on a desktop, the settings of an organization, and the search of the overview. */
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('the header on a desktop links to the pages that are used daily, and the menu keeps its entries (53.26) @long', async ({
  page,
  portal,
}) => {
  const { email, machine, organization } = await portal.fleet('manager');
  await machine({ alias: 'Kraan' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInByApi(page, email);
  await page.goto('/');
  const daily = page.getByRole('navigation', { name: 'Dagelijks' });
  await expect(daily.getByRole('link')).toHaveText(['Overzicht', 'Kaart', 'Projecten', 'Rapporten']);
  const bell = page.getByRole('banner').getByRole('link', { name: /^Meldingen/ });
  // The link is wide because a text stands beside the bell.
  expect((await bell.boundingBox())!.width).toBeGreaterThan(100);
  for (const [name, path] of [
    ['Overzicht', '/overzicht'],
    ['Projecten', '/projecten'],
    ['Rapporten', '/rapporten'],
    ['Kaart', '/'],
  ] as const) {
    await daily.getByRole('link', { name }).press('Enter');
    await expect(page).toHaveURL(path);
    await expect(daily.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
  }
  await expectAccessible(page, 'header');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Instellingen organisatie' }).click();
  await expect(page).toHaveURL(`/organization/${organization.name}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Instellingen organisatie');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(daily).toBeHidden();
  expect((await bell.boundingBox())!.width).toBeLessThan(50);
});

test('the overview finds machines by label, project and place (53.26) @long', async ({ page, portal }) => {
  const fleet = await portal.fleet('manager');
  const serials: Record<string, string> = {};
  // The places are Utrecht, Groningen and Maastricht.
  for (const [alias, LATITUDE, LONGITUDE] of [
    ['Kraan', 52.09, 5.12],
    ['Shovel', 53.22, 6.57],
    ['Rups', 50.85, 5.69],
  ] as const) {
    const { serial, report } = await fleet.machine({ alias });
    serials[alias] = serial;
    await report({ LATITUDE, LONGITUDE, Soc1: 50 });
  }
  const { pool } = await portal.database();
  await pool.query(
    `with made as (
       insert into label (organization_id, name, colour) select id, 'Nachtploeg', 'green' from organization where name = $1 returning id
     )
     insert into machine_label (label_id, stream_id) select made.id, s.id from made, stream s where s.serial = $2`,
    [fleet.organization.name, serials.Rups],
  );
  await signInByApi(page, fleet.email);
  await page.goto('/overzicht');
  const field = page.getByLabel('Zoek een machine');
  const names = page.getByRole('link', { name: /^(Kraan|Shovel|Rups)$/ });
  await expect(names).toHaveCount(3);
  for (const [words, found] of [
    ['groning', 'Shovel'],
    ['nachtploeg', 'Rups'],
    ['kraan utrecht', 'Kraan'],
  ] as const) {
    await field.fill(words);
    await expect(names).toHaveText([found]);
  }
  await field.fill('nachtploeg utrecht');
  await expect(page.getByText('Niets gevonden')).toBeVisible();
});
