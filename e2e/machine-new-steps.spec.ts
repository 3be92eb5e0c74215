import { expect, signInByApi, test } from './fixtures.ts';
import {
  accessoryInput,
  fillRequiredFields,
  signInWithReferenceMachine,
  submitButton,
} from './new-machine.ts';

test('a double click makes the machine, its binding and its configuration once, and downloads the configuration (MEDIT-02, MEDIT-05, MEDIT-10) @long', async ({
  page,
  portal,
}, { project }) => {
  const { organization, reference } = await signInWithReferenceMachine(page, portal);
  await page.goto('/machine/nieuw');
  const serial = `CH-${project.name}`;
  const { alias } = await fillRequiredFields(page, organization.clean, serial);
  await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(`liebherr ${reference.serial}`);
  await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
  await page.getByLabel('Capaciteit van accu 1 in kWh').fill('90,5');
  await accessoryInput(page).fill('Nog niet toegevoegd'); // an accessory that was not added does not stop the form
  const calls: string[] = [];
  await page.route('**/api/machine/**', async (route) => {
    calls.push(new URL(route.request().url()).pathname.replace('/api/machine/', ''));
    if (calls.at(-1) === 'config/create')
      await expect(page.getByRole('dialog', { name: 'Laden... dit kan even duren' })).toBeVisible();
    await route.continue();
  });
  const [download] = await Promise.all([page.waitForEvent('download'), submitButton(page).dblclick()]);
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
  test(`the creation of a machine that fails at step ${step} shows the error, and continues at that step (MEDIT-05) @long`, async ({
    page,
    portal,
    expectConsole,
  }, { project }) => {
    expectConsole(/503/);
    const { organization, reference } = await signInWithReferenceMachine(page, portal);
    await page.goto('/machine/nieuw');
    const serial = `ST-${step}-${project.name}`;
    const { logger } = await fillRequiredFields(page, organization.clean, serial);
    await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(reference.serial);
    await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
    await page.route(`**/api/machine/${call}?**`, (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Even geduld.' } }),
    );
    await submitButton(page).click();
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
    // The form shows the logger too.
    await expect(page.getByLabel('Influx serienummer')).toHaveValue(logger);
  });
}

test('the form of a new machine refuses an existing serial number, keeps the typed values, and asks for confirmation before it is left (MEDIT-06) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  await fillRequiredFields(page, organization.clean, 'dubbel');
  await page.getByLabel('Machine serienummer').fill('a/b');
  await submitButton(page).click();
  await expect(page.getByText('Machine serienummer mag alleen letters')).toBeVisible();
  await page.getByLabel('Machine serienummer').fill(serial);
  await submitButton(page).click();
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
  // Closing the tab also asks for confirmation.
  const asked = page.waitForEvent('dialog');
  await Promise.all([page.close({ runBeforeUnload: true }), asked.then((question) => question.dismiss())]);
  expect((await asked).type()).toBe('beforeunload');
  await page.getByRole('link', { name: `Bekijk machine ${serial}` }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page).toHaveURL(`/machine/edit/${serial}`);
});
