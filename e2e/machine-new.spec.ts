import type { Page } from '@playwright/test';
import { type E2ePortal, enter, expect, expectAccessible, signIn, test } from './fixtures.ts';

const NO_POSITION = /has no position/; // machines that never reported
const NO_FILE = /404/; // no photo, no manual: a browser says it in its console
/** One frame whose signals have the names of ours: mapped at once. */
const DBC = `VERSION ""
BS_:
BU_: ECU
BO_ 500 Pack: 8 ECU
 SG_ Soc1 : 0|8@1+ (1,0) [0|100] "%" ECU
 SG_ MotorSpeed : 8|16@1+ (1,0) [0|10000] "rpm" ECU
`;

let made = 0;
/** Seven digits that no other test of this worker has. */
const loggerSerial = (): string => {
  made += 1;
  return String(4_000_000 + Number(String(Date.now()).slice(-5)) * 10 + made);
};

/** An administrator, signed in, with one machine that has a data definition. */
async function adminWithReference(page: Page, portal: E2ePortal) {
  const admin = await portal.fleet('admin');
  const reference = await admin.machine({ brand: 'Liebherr', model: 'L 538' });
  await reference.report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 80 });
  await signIn(page, admin.email);
  const file = `data:application/octet-stream;base64,${Buffer.from(DBC).toString('base64')}`;
  const sent = await page.request.post('/api/machine/dbc/upload', {
    data: { serial: reference.serial, name: 'pack.dbc', file },
  });
  expect(sent.status(), await sent.text()).toBe(200);
  return { ...admin, reference };
}

/** Fills what is required; answers what it typed. */
async function fillNew(page: Page, organization: string, serial: string) {
  const logger = loggerSerial();
  await page.getByLabel('Organisatie').selectOption({ label: organization });
  await page.getByLabel('Influx serienummer').fill(logger);
  await page.getByLabel('Machine serienummer').fill(serial);
  await page.getByLabel('Merk').fill('Liebherr');
  await page.getByLabel('Model').fill('L 538');
  await page.getByLabel('Naam', { exact: true }).fill(`Kraan ${serial}`);
  await page.getByLabel('MAC-adres').fill('000 00 AS0 A0000');
  return { logger, alias: `Kraan ${serial}` };
}

const submit = (page: Page) => page.getByRole('button', { name: 'Maak Machine' });
const addInput = (page: Page) => page.getByLabel('Naam hulpstuk');

test('MEDIT-01 MEDIT-14 the new form has all fields, and what is required is', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  const { email } = await portal.fleet('admin');
  await enter(page, email);
  await page.goto('/machine/nieuw');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Maak Een Nieuwe Machine');
  await expect(page.getByLabel('Organisatie').locator('option').first()).toHaveText('Kies Een Organisatie');
  for (const name of [
    'influx_Serienummer',
    'machine_Serienummer',
    'machine_Merk',
    'machine_Naam',
    'machine_Model',
    'macaddress',
  ])
    await expect(page.locator(`input[name=${name}]`)).toHaveAttribute('required', '');
  await expect(page.getByLabel('MAC-adres')).toHaveAttribute('placeholder', '000 00 AS0 A0000');
  await expect(page.getByLabel('Urenstand bij aanvang')).toHaveValue('0');
  await expect(page.getByRole('combobox', { name: 'Vergelijkbare Machine' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Importeer' })).toBeVisible();
  for (const name of ['hulpstuk', 'hulpstuknummer'])
    await expect(page.locator(`input[name=${name}]`)).not.toHaveAttribute('required', '');
  await expect(page.getByRole('link', { name: 'Handleiding' })).toHaveAttribute(
    'href',
    '/machine/handleiding',
  );
  await page.getByRole('button', { name: 'Voeg Accu Toe' }).click();
  await expect(page.getByLabel('Capaciteit van accu 2 in kWh')).toBeFocused();
  await page.getByRole('button', { name: 'Delete accu 1' }).click();
  await expect(page.getByLabel('Capaciteit van accu 2 in kWh')).toHaveCount(0);
});

test('MEDIT-03 MEDIT-04 accessories are added, removed and imported, by keyboard too, in a panel 610 px high', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  const { email, machine } = await portal.fleet('admin');
  const other = await machine({ brand: 'Hitachi', model: 'ZX-17' });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set accessories = '[{"naam":"Bak","nummer":1},{"naam":" ","nummer":2},{"naam":"Vork","nummer":3}]'
     from stream where stream.id = machine.stream_id and stream.serial = $1`,
    [other.serial],
  );
  await enter(page, email);
  await page.goto('/machine/nieuw');
  const panel = page.getByRole('region', { name: 'Hulpstukken' });
  const rows = panel.getByRole('listitem');
  expect((await panel.boundingBox())?.height).toBe(610);
  const number = page.getByLabel('Nummer', { exact: true });
  await number.fill('5');
  await page.getByRole('button', { name: 'Voeg Hulpstuk Toe' }).click();
  await expect(rows).toHaveCount(0); // an empty name is ignored
  await addInput(page).fill('Sloophamer <b>');
  for (const wrong of ['12abc', '1e9', '']) {
    await number.fill(wrong);
    await number.press('Enter');
    await expect(page.getByText('Het nummer is een geheel getal')).toBeVisible();
    await expect(rows).toHaveCount(0);
  }
  await number.fill('-1');
  await number.press('Enter');
  await expect(rows).toHaveText(['Sloophamer <b>-1']);
  await expect(addInput(page)).toBeFocused();
  await expect(addInput(page)).toHaveValue('');
  for (let at = 0; at < 20; at += 1) {
    await addInput(page).fill(`Bak ${at}`);
    await number.fill(String(at));
    await number.press('Enter');
  }
  await expect(rows).toHaveCount(21);
  expect((await panel.boundingBox())?.height).toBe(610);
  expect(await panel.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  await page.getByRole('button', { name: 'Delete hulpstuk Bak 19' }).click();
  await expect(rows).toHaveCount(20);

  const from = page.getByRole('combobox', { name: 'Hulpstukken overnemen van' });
  await from.fill('hitachi zx-17');
  await page
    .getByRole('option', { name: /Hitachi ZX-17/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Importeer' }).click();
  await expect(rows).toHaveText(['Bak1', 'Vork3']);
  await expect(page.getByText('De lijst is vervangen door 2 hulpstukken.')).toBeVisible();
});

test('MEDIT-02 a long list of machines scrolls in itself, so that its last one can be pointed at', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  const { email, machine } = await portal.fleet('admin');
  for (let at = 0; at < 15; at += 1) await machine({ brand: 'Lang', model: `L-${at}` });
  await enter(page, email);
  await page.goto('/machine/nieuw');
  const reference = page.getByRole('combobox', { name: 'Vergelijkbare Machine' });
  await reference.fill('lang l-');
  await page.getByRole('option', { name: /Lang L-14/ }).click();
  await expect(reference).toHaveValue(/^Lang L-14/);
  await expectAccessible(page, 'a machine is chosen');
  await page.getByRole('button', { name: 'Vergelijkbare Machine wissen' }).press('Enter');
  await expect(reference).toHaveValue('');
});

test('MEDIT-02 MEDIT-05 MEDIT-10 the whole chain: record, writer, config, download, once for a double click', async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(NO_POSITION);
  const { organization, reference } = await adminWithReference(page, portal);
  await page.goto('/machine/nieuw');
  const serial = `CH-${project.name}`;
  const { alias } = await fillNew(page, organization.clean, serial);
  await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(`liebherr ${reference.serial}`);
  await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
  await page.getByLabel('Capaciteit van accu 1 in kWh').fill('90,5');
  await addInput(page).fill('Nog niet toegevoegd'); // never keeps the form from being sent
  const calls: string[] = [];
  await page.route('**/api/machine/**', async (route) => {
    calls.push(new URL(route.request().url()).pathname.replace('/api/machine/', ''));
    if (calls.at(-1) === 'config/create') await new Promise((later) => setTimeout(later, 500));
    await route.continue();
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    submit(page).dblclick(),
    expect(page.getByRole('dialog', { name: 'Laden... dit kan even duren' })).toBeVisible(),
  ]);
  expect(download.suggestedFilename()).toBe('config.xml');
  await expect(page.getByRole('heading', { name: `${alias} is gemaakt`, exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(calls.filter((path) => /create|download/.test(path))).toEqual([
    'create',
    'writer/create',
    'config/create',
    'config/download',
  ]);
  await expect(page.getByText('Hulpstuk ‘Nog niet toegevoegd’ is niet toegevoegd')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Foto en handleiding toevoegen' }).click();
  expectConsole(NO_FILE);
  await expect(page.getByText(/Gedownload op/)).toBeVisible();
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Config Bestand' }).click(),
  ]);
  expect(again.suggestedFilename()).toBe('config.xml');
});

for (const [step, call, words] of [
  ['writer', 'writer/create', 'Logger koppelen is niet gelukt.'],
  ['config', 'config/create', 'Configuratie maken is niet gelukt.'],
  ['download', 'config/download', 'config.xml downloaden is niet gelukt.'],
] as const) {
  test(`MEDIT-05 the chain stops at ${step}, says so, and goes on where it stopped`, async ({
    page,
    portal,
    expectConsole,
  }, { project }) => {
    expectConsole(NO_POSITION);
    expectConsole(/503|404/);
    const { organization, reference } = await adminWithReference(page, portal);
    await page.goto('/machine/nieuw');
    const serial = `ST-${step}-${project.name}`;
    const { logger } = await fillNew(page, organization.clean, serial);
    await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(reference.serial);
    await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
    await page.route(`**/api/machine/${call}?**`, (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Even geduld.' } }),
    );
    await submit(page).click();
    await expect(page.getByText(`${words} Even geduld.`)).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Ga verder bij de machine' }).click();
    await expect(page).toHaveURL(`/machine/edit/${serial}`);
    const goOn = page.getByRole('button', { name: 'Ga verder' });
    if (step === 'writer') await expect(page.getByLabel('Serienummer van de logger')).toHaveValue(logger);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (step === 'download' ? page.getByRole('link', { name: 'Download Config Bestand' }) : goOn).click(),
    ]);
    expect(download.suggestedFilename()).toBe('config.xml');
    await expect(goOn).toHaveCount(0);
    await expect(page.getByText(`Logger ${logger} is gekoppeld`)).toBeVisible();
    // The form beside it knows the logger too.
    await expect(page.getByLabel('Influx serienummer')).toHaveValue(logger);
  });
}

test('MEDIT-06 an existing serial number is refused, what was typed stays, and leaving asks', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  expectConsole(/409|404/);
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await enter(page, email);
  await page.goto('/machine/nieuw');
  await fillNew(page, organization.clean, 'dubbel');
  await page.getByLabel('Machine serienummer').fill('a/b');
  await submit(page).click();
  await expect(page.getByText('Machine serienummer mag alleen letters')).toBeVisible();
  await page.getByLabel('Machine serienummer').fill(serial);
  await submit(page).click();
  await expect(page.getByText('Er bestaat al een machine met dit serienummer.')).toBeVisible();
  await expect(page.getByLabel('Merk')).toHaveValue('Liebherr');

  await page.getByRole('link', { name: `Bekijk machine ${serial}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je deze pagina wilt verlaten' });
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/machine/nieuw');
  await expect(page.getByLabel('Merk')).toHaveValue('Liebherr');
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  // Closing the tab asks as well.
  const asked = page.waitForEvent('dialog');
  await Promise.all([page.close({ runBeforeUnload: true }), asked.then((question) => question.dismiss())]);
  expect((await asked).type()).toBe('beforeunload');
  await page.getByRole('link', { name: `Bekijk machine ${serial}` }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page).toHaveURL(`/machine/edit/${serial}`);
});
