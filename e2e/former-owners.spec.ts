import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const LONG_NAME =
  'Aannemersbedrijf en machineverhuur Gebroeders Van den Heuvel-Groenewegen en Zonen te Wijk bij Duurst';

test('an administrator sees the former owners of a machine, on desktop and phone, and erases the history of one of them (55.43, 55.45) @long', async ({
  page,
  portal,
}) => {
  const seller = await portal.fleet('admin');
  const { organization: second } = await portal.fleet();
  const { organization: third } = await portal.fleet();
  const { serial, report } = await seller.machine();
  await report({ Soc1: 80 });
  const { pool } = await portal.database();
  await pool.query('update organization set clean = $2 where name = $1', [second.name, LONG_NAME]);
  await signInByApi(page, seller.email);
  await page.goto(`/machine/edit/${serial}`);
  const panel = page.getByRole('region', { name: 'Vorige eigenaren' });
  await expect(page.getByRole('button', { name: 'Machine Opslaan' })).toBeVisible();
  await expect(panel).toHaveCount(0);
  const dialog = page.getByRole('dialog');
  for (const to of [LONG_NAME, third.clean]) {
    await page.getByRole('button', { name: 'Verkoop of verplaats' }).click();
    await dialog.getByLabel('Naar').selectOption(to);
    await expect(dialog).toContainText('gaan mee');
    await dialog.getByRole('button', { name: 'Ja' }).click();
    await expect(page.getByRole('status').filter({ hasText: `van ${to}.` })).toBeVisible();
  }
  // The panel shows the sales without loading the page again.
  const periods = panel.getByRole('listitem');
  await expect(periods).toHaveCount(2);
  await expect(periods.first()).toContainText(seller.organization.clean);
  await expect(periods.first()).toContainText('1 meting bewaard');
  await expect(periods.last()).toContainText('0 metingen bewaard');
  for (const [name, size] of [
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const) {
    await page.setViewportSize(size);
    await panel.scrollIntoViewIfNeeded();
    await periods.last().getByRole('button', { name: 'Wis geschiedenis van' }).click();
    await expect(dialog.getByRole('button', { name: 'Nee' })).toBeInViewport();
    await expectAccessible(page, `question ${name}`);
    await dialog.getByRole('button', { name: 'Nee' }).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(size.width);
  }
  await periods.first().getByRole('button', { name: 'Wis geschiedenis van' }).click();
  await expect(dialog).toContainText('1 meting gaat weg');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'wordt gewist' })).toBeVisible();
  await expect(periods.first()).toContainText('Wordt gewist');
  await expect(periods.first().getByRole('button')).toHaveCount(0);
  await expectAccessible(page, 'erasing');
  // Marks the period as erased, as the portal does in the background within some minutes.
  await pool.query('update erased_period set erased_at = now()');
  await expect(periods.first()).toContainText('Gewist', { timeout: 20_000 });
});

test('the dialog that deletes a customer fits a desktop and a phone, with a long name, many machines or no data (55.42, 55.45) @long', async ({
  page,
  portal,
}) => {
  const admin = await portal.fleet('admin'); // its organization is empty
  const { organization, machine } = await portal.fleet();
  const first = await machine();
  await first.report({ Soc1: 80 });
  for (let n = 0; n < 25; n += 1) await machine();
  const { pool } = await portal.database();
  const long = `${LONG_NAME.slice(0, 90)} ${organization.name}`;
  await pool.query('update organization set clean = $2 where name = $1', [organization.name, long]);
  await pool.query(
    `insert into project (organization_id, name, areas, first_day) select id, 'Werk ' || n, '[]', '2026-01-01'
     from organization, generate_series(1, 12) as n where organization.name = $1`,
    [organization.name],
  );
  await signInByApi(page, admin.email);
  await page.goto('/organization/');
  const dialog = page.getByRole('dialog');
  for (const [name, size] of [
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: `Delete ${long}`, exact: true }).click();
    await expect(dialog).toContainText('26 machines');
    await expect(dialog).toContainText('12 projecten');
    await dialog.getByLabel('Direct definitief').check();
    await expect(dialog).toContainText('Dat is niet terug te nemen.');
    await dialog.getByRole('button', { name: 'Ja' }).scrollIntoViewIfNeeded();
    await expect(dialog.getByRole('button', { name: 'Ja' })).toBeInViewport();
    await expectAccessible(page, `leave ${name}`);
    await dialog.getByRole('button', { name: 'Nee' }).click();
    await page.getByRole('button', { name: `Delete ${admin.organization.clean}`, exact: true }).click();
    await expect(dialog).toContainText('Er hoort niets bij');
    await dialog.getByRole('button', { name: 'Nee' }).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(size.width);
  }
});
