import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';

test('a person finds in the log who deleted a machine, from where and when (13.9l, 13.9n) @long', async ({
  page,
  portal,
  browser,
}) => {
  const [boss, culprit] = [await portal.fleet('admin'), await portal.fleet('admin')];
  const { serial, alias, report } = await culprit.machine();
  await report({ LATITUDE: 52, LONGITUDE: 5 });
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signIn(theirs, culprit.email);
  await theirs.goto('/machine/');
  const search = theirs.getByRole('searchbox');
  await expect(search.or(theirs.getByRole('button', { name: `Delete ${alias}` })).first()).toBeVisible();
  if (await search.count()) await search.fill(serial);
  await theirs.getByRole('button', { name: `Delete ${alias}` }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(theirs.getByRole('button', { name: `Delete ${alias}` })).toHaveCount(0);
  await theirs.context().close();

  // A unique name, so that the log can be searched for it.
  const { pool } = await portal.database();
  const name = `Cor ${serial}`;
  await pool.query('update account set name = $2 where email = $1', [culprit.email, name]);
  await signIn(page, boss.email);
  const other = await boss.machine();
  await other.report({ LATITUDE: 52.5, LONGITUDE: 5 });
  await page.goto(`/machine/${other.serial}`);
  await page.getByRole('link', { name: 'Logboek' }).click();
  await expect(page).toHaveURL(`/logboek?machine=${other.serial}`);
  await expect(page.getByRole('textbox', { name: 'Machine' })).toHaveValue(other.serial);
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Logboek' }).click();
  await expect(page).toHaveURL('/logboek');
  await page.getByRole('textbox', { name: 'Machine' }).fill(serial.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/logboek?machine=${serial.toLowerCase()}`);
  const row = page.getByRole('list', { name: 'Logboek, nieuwste eerst' }).locator('> li').first();
  await expect(row.getByRole('heading', { name: 'Machine verwijderd' })).toBeVisible();
  await expect(row).toContainText(serial);
  await expect(row).toContainText(`Naam: ${alias}`);
  await expect(row).toContainText(name);
  await expect(row).toContainText(culprit.email);
  await expect(row).toContainText(/Chrome op /);
  await expect(row.locator('time')).toHaveAttribute('datetime', /^20\d\d-/);
  await expectAccessible(page, 'the log');

  // The person's name links to the log filtered by that person. A reload of the address restores the filter.
  await row.getByRole('link', { name: `Alles van ${name}` }).click();
  await expect(page).toHaveURL(/\/logboek\?persoon=\d+$/);
  await expect(page.getByLabel('Persoon')).toHaveValue(/\d+/);
  await expect(page.getByLabel('Persoon').locator('option:checked')).toHaveText(`${name} (${culprit.email})`);
  await page.getByLabel('Soort').selectOption('Machines');
  await expect(page).toHaveURL(/\?soort=machine&persoon=\d+$/);
  await page.reload();
  await expect(page.getByLabel('Soort')).toHaveValue('machine');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Machine verwijderd']);
  await page.getByLabel('Periode').selectOption('Vandaag');
  await expect(page).toHaveURL(/&van=20\d\d-\d\d-\d\dT00(?::|%3A)00$/);
  await expect(page.getByRole('heading', { name: 'Machine verwijderd' })).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download als CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^logboek-.*\.csv$/);
  await page.getByRole('button', { name: 'Wis filters' }).click();
  await expect(page).toHaveURL('/logboek');
  await expect(page.getByRole('heading', { name: 'Logboek geëxporteerd' })).toBeVisible();
});

test('the log loads more while a person scrolls, and by keyboard (13.9e)', async ({ page, portal }) => {
  const { email } = await portal.fleet('admin');
  const { pool } = await portal.database();
  await pool.query(
    `insert into audit (at, actor, action, kind, subject) select now() - interval '300 days' - n * interval '1 s', 'demo', 'machine.create', 'machine', 'OUD-' || n
     from generate_series(1, 130) as n`,
  );
  await signInByApi(page, email);
  // A day in Amsterdam begins an hour or two before the UTC day.
  const until = new Date(Date.now() - 298 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/logboek?tot=${until}T00:00`);
  const rows = page.getByRole('list', { name: 'Logboek, nieuwste eerst' }).locator('> li');
  await expect(rows.first()).toContainText('OUD-1');
  const more = page.getByRole('button', { name: 'Toon meer' });
  while ((await rows.count()) < 130) {
    if (await more.count()) await more.press('Enter', { timeout: 1_000 }).catch(() => undefined);
    await page.waitForTimeout(50);
  }
  await expect(page.getByText('Dit is het begin van het logboek.')).toBeVisible();
  await expect(rows.last()).toContainText('OUD-130');
  await pool.query('select expire_log(299)');
});
