import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';
import { fillRequiredFields, submitButton } from './new-machine.ts';

test('the form shows all its errors at once, below the fields, and focuses the first wrong field (MEDIT-01, 12.C7) @long', async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/400|409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const other = await machine();
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  await submitButton(page).click();
  for (const sentence of [
    'Kies een organisatie.',
    'Influx serienummer moet uit 7 cijfers bestaan.',
    'Machine serienummer ontbreekt.',
    'Merk ontbreekt.',
    'Model ontbreekt.',
    'Naam ontbreekt.',
    'MAC-adres ontbreekt.',
  ])
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  await expect(page.getByLabel('Organisatie')).toBeFocused();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Kijk nog even naar: Organisatie, Influx' }),
  ).toBeVisible();
  await expectAccessible(page, 'faults');
  await fillRequiredFields(page, organization.clean, `FF-${project.name}`);
  await expect(page.getByText('Merk ontbreekt.', { exact: true })).toHaveCount(0);
  // Errors that only the server finds are also shown at their fields.
  await page.getByLabel('Influx serienummer').fill(other.loggerSerial);
  await page.getByLabel('Machine serienummer').fill(other.serial.toLowerCase());
  await submitButton(page).click();
  await expect(
    page.getByText(`Logger ${other.loggerSerial} hoort bij machine ${other.serial}.`),
  ).toBeVisible();
  await expect(page.getByText('Er bestaat al een machine met dit serienummer.')).toBeVisible();
  await expect(page.getByLabel('Influx serienummer')).toBeFocused();
});

test('a logger of another machine is moved to a new machine, and to an existing one, after a confirmation (INGEST-06, 12.C7) @long', async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const from = await machine();
  const logger = from.loggerSerial;
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  const serial = `MV-${project.name}`;
  await fillRequiredFields(page, organization.clean, serial);
  await page.getByLabel('Influx serienummer').fill(logger);
  await submitButton(page).click();
  await page.getByRole('button', { name: 'Verplaats hierheen' }).click();
  const dialog = page.getByRole('dialog', { name: `Wil je logger ${logger} hierheen verplaatsen` });
  await expect(dialog).toContainText(`blijft bij ${from.serial}`);
  await expectAccessible(page, 'question');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(
    page.getByRole('heading', { name: `Kraan ${serial} is gemaakt, maar nog niet klaar` }),
  ).toBeVisible();
  // Moves the logger back to the first machine, in the panel that a machine without a logger shows.
  await page.goto(`/machine/edit/${from.serial}`);
  await page.getByLabel('Serienummer van de logger').fill(logger);
  await page.getByRole('button', { name: 'Ga verder' }).click();
  await page.getByRole('button', { name: 'Verplaats hierheen' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText(`Logger ${logger} is gekoppeld`)).toBeVisible();
  await expect(page.getByLabel('Influx serienummer')).toHaveValue(logger);
});

test('a machine with 200 accessories is saved from its page (MEDIT-03, 12.C7) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  const { pool } = await portal.database();
  await pool.query(
    `update machine set accessories = (select jsonb_agg(jsonb_build_object('naam', rpad(n || ' ', 100, 'é'), 'nummer', n)) from generate_series(1, 200) n)
     from stream where stream.id = machine.stream_id and stream.serial = $1`,
    [serial],
  );
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await page.getByLabel('Merk').fill('Tweehonderd');
  // Proxies limit a URL to 8 kB or less, so that the fields must be in the body.
  const [sent] = await Promise.all([
    page.waitForRequest(/\/api\/machine\/edit/),
    page.getByRole('button', { name: 'Machine Opslaan' }).click(),
  ]);
  expect([sent.method(), sent.url()]).toEqual(['POST', `${portal.address}/api/machine/edit`]);
  await expect(page).toHaveURL(`/machine/${serial}`);
});

test('a machine is found by its logger, in the list and in the quick menu, and its address works in upper and lower case (MLIST-01, APP-08, 12.C7) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const one = await machine({ alias: 'De gezochte' });
  // The list has a search field from 21 machines on.
  await Promise.all(Array.from({ length: 21 }, () => machine()));
  await signInByApi(page, email);
  await page.goto('/machine/');
  await page.getByRole('searchbox', { name: 'Zoek een machine' }).fill(one.loggerSerial);
  const card = page.getByRole('list', { name: 'Machines', exact: true }).locator(':scope > li');
  await expect(card).toHaveCount(1);
  await expect(card).toContainText(`Logger ${one.loggerSerial}`);
  await page.getByRole('button', { name: 'Machines' }).click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  await menu.getByRole('searchbox').fill(one.loggerSerial);
  await expect(menu.getByRole('listitem')).toHaveCount(1);
  await expect(menu.getByRole('listitem')).toContainText('De gezochte');
  await page.goto(`/machine/${one.serial.toLowerCase()}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('De gezochte');
});

test('disabling an organization asks for confirmation, and its signed-in users read why their session ended (ORG-02, 12.C7) @long', async ({
  page,
  portal,
  browser,
}) => {
  const admin = await portal.fleet('admin');
  const { email, organization } = await portal.fleet();
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signIn(theirs, email);
  await signInByApi(page, admin.email);
  await page.goto('/organization/');
  const toggle = page.getByRole('switch', { name: `${organization.clean} actief`, exact: true });
  const dialog = page.getByRole('dialog', {
    name: `Weet je zeker dat je ${organization.clean} wilt uitschakelen`,
  });
  await toggle.click();
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expectAccessible(page, 'question');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(toggle).not.toBeChecked();
  await expect(theirs).toHaveURL('/signin', { timeout: 30_000 });
  const message = theirs.getByRole('alert').filter({ hasText: 'Je organisatie is uitgeschakeld, daarom' });
  await expect(message).toBeVisible();
  await theirs.reload();
  await expect(message).toBeVisible();
  await theirs.context().close();
});
