import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { expectPageFitsScreen } from './one-machine.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

test('a beheerder makes a maintenance template for a model, applies it, and records in the list that a task was done (53.29)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('manager');
  for (const alias of ['Rups 1', 'Rups 2']) await machine({ alias, brand: 'Stroomer', model: 'EX-26' });
  await machine({ alias: 'Shovel', brand: 'Berk', model: 'WL-60' });
  await signInByApi(page, email);
  await page.setViewportSize(PHONE);
  await page.goto('/onderhoud');
  await page.getByRole('link', { name: 'Maak een sjabloon voor een model' }).click();
  await page.getByRole('button', { name: 'Nieuw sjabloon' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Merk').fill('stroomer');
  await dialog.getByLabel('Model').fill('EX-26');
  await dialog.getByLabel('Onderhoud').fill('Grote beurt');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(dialog.getByText('vul minstens een van beide in').first()).toBeVisible();
  await dialog.getByLabel('Elke zoveel draaiuren').fill('500');
  await dialog.getByRole('button', { name: 'Voeg een taak toe' }).click();
  await dialog.getByLabel('Onderhoud').nth(1).fill('Keuring');
  await dialog.getByLabel('Elke zoveel maanden').nth(1).fill('12');
  await expectAccessible(page, 'template');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(page.getByText('Het sjabloon is gemaakt.')).toBeVisible();
  await expect(page.getByText('2 machines van dit model: 2 missen taken.')).toBeVisible();
  await page.getByRole('button', { name: 'Pas toe: stroomer EX-26' }).click();
  await dialog.getByRole('checkbox', { name: /^Rups 2/ }).uncheck();
  await expectAccessible(page, 'preview');
  await dialog.getByRole('button', { name: 'Pas toe op 1 machine' }).click();
  await expect(page.getByText('Eén machine kreeg 2 taken.')).toBeVisible();
  await expect(page.getByText('2 machines van dit model: 1 mist taken.')).toBeVisible();
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'templates');

  const { pool } = await portal.database();
  await pool.query(
    `update maintenance_plan p set last_day = now() - interval '400 days' from stream s
     where s.id = p.stream_id and s.alias = 'Rups 1' and p.name = 'Keuring'
       and p.organization_id = (select organization_id from account where email = $1)`,
    [email],
  );
  await page.setViewportSize(WIDE);
  await page.goto('/onderhoud');
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await expect(rows).toHaveText([
    /Rups 1.*Keuring.*Nu nodig, \d+ dagen over tijd/,
    /Rups 1.*Grote beurt.*Over 500 uur/,
  ]);
  await expectAccessible(page, 'list');
  await page.getByRole('button', { name: 'Nu nodig (1)' }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL('/onderhoud?toon=nodig');
  await page.getByRole('button', { name: 'Gedaan: Keuring, Rups 1' }).click();
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(page.getByText('Rups 1, Keuring: Genoteerd.')).toBeVisible();
  await expect(page.getByText('Nu is niets nodig')).toBeVisible();
  await page.getByRole('button', { name: 'Toon al het onderhoud' }).click();
  await expect(rows).toHaveCount(2);
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('list', { name: 'Onderhoud' }).getByRole('heading')).toHaveCount(2);
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'cards');
});

test('the overview has a column with the maintenance that is due first, and sorts by it (53.30)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('manager');
  const { pool } = await portal.database();
  for (const [alias, days] of [
    ['Later', 100],
    ['Over tijd', 400],
    ['Zonder', undefined],
  ] as const) {
    const { serial } = await machine({ alias });
    if (days !== undefined)
      await pool.query(
        `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
         select s.id, w.organization_id, 'Keuring', 12, 0, now() - make_interval(days => $2)
         from stream s join ownership w on w.stream_id = s.id where s.serial = $1`,
        [serial, days],
      );
  }
  await signInByApi(page, email);
  await page.setViewportSize(WIDE);
  await page.goto('/overzicht');
  await expect(page.getByRole('columnheader', { name: 'Onderhoud' })).toBeHidden();
  await page.goto('/overzicht?kolommen=onderhoud');
  await page.getByRole('button', { name: 'Onderhoud', exact: true }).click();
  await expect(page.getByRole('rowheader').getByRole('link')).toHaveText(['Over tijd', 'Later', 'Zonder']);
  await expect(page.getByRole('row', { name: /^Over tijd/ })).toContainText(
    /Nu nodig\d+ dagen over tijd, Keuring/,
  );
  await expect(page.getByRole('row', { name: /^Zonder/ })).toContainText('geen onderhoud ingesteld');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('listitem').filter({ hasText: 'Over tijd' }).first()).toContainText('Nu nodig');
});
