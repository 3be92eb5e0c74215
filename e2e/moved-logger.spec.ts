/** A logger that moved to another organization's machine. */
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('readings that a moved logger recorded earlier are quarantined until the administrator adopts them (12.B6) @long', async ({
  page,
  portal,
}) => {
  const seller = await portal.fleet();
  const first = await seller.machine();
  const { email, machine } = await portal.fleet('admin');
  const { serial, report } = await machine({ takes: first.loggerSerial });
  const before = Math.floor(Date.now() / 1000) - 7200;
  for (const n of [0, 60, 120]) await report({ GMT_UNIX: before + n, Soc1: 80 });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  const health = page.getByRole('region', { name: 'Toestand van de logger' });
  await expect(health).toContainText('3 metingen wachten tot je ze overneemt', { timeout: 30_000 });
  await health.getByText('In quarantaine: de laatste 3 bestanden').click();
  const one = health.getByRole('button', { name: 'Neem over' });
  await one.first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Wil je deze metingen overnemen' });
  await expect(dialog).toContainText(
    /1 meting uit E2E_SN\d{7}\/snapshot.jsonWanneerop \d\d-\d\d-\d\d, \d\d:\d\dNaar/,
  );
  await expect(dialog).toContainText(`machine ${first.serial} van organisatie ${seller.organization.clean}`);
  await expectAccessible(page, 'take over');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(one).toHaveCount(3);
  await one.first().click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(health.getByText('1 meting overgenomen.')).toBeVisible();
  await health.getByRole('button', { name: 'Neem alles over' }).click();
  await expect(dialog).toContainText('2 metingen uit 2 bestanden');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(health.getByText('2 bestanden overgenomen.', { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(health.getByText('In quarantaine:')).toHaveCount(0);
  const { pool } = await portal.database();
  const { rows } = await pool.query(
    `select s.serial, count(*)::int as readings from stream s join reading r on r.stream_id = s.id
     where s.serial = any ($1) group by 1`,
    [[first.serial, serial]],
  );
  expect(rows).toEqual([{ serial: first.serial, readings: 3 }]);
});
