import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { DBC, fillRequiredFields, signInWithReferenceMachine, submitButton } from './new-machine.ts';

for (const call of ['create', 'writer/create', 'config/create'] as const)
  test(`the creation of a machine continues after the response of ${call} was lost (MEDIT-05, 12.C5) @long`, async ({
    page,
    portal,
    expectConsole,
  }, { project }) => {
    expectConsole(/409|ERR_FAILED/);
    const { organization, reference } = await signInWithReferenceMachine(page, portal);
    await page.goto('/machine/nieuw');
    const serial = `LOST-${call.replace('/', '-')}-${project.name}`;
    const { alias } = await fillRequiredFields(page, organization.clean, serial);
    await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(reference.serial);
    await page.getByRole('option', { name: /^Liebherr L 538/ }).click();
    let isLost = false;
    await page.route(new RegExp(`/api/machine/${call}(\\?|$)`), async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      // The portal executes the call, but its response is lost.
      await route.fetch();
      await route.abort();
    });
    await submitButton(page).click();
    await expect(page.getByText('Geen verbinding met het portaal.')).toBeVisible();
    const again =
      call === 'create' ? submitButton(page) : page.getByRole('button', { name: 'Probeer opnieuw' });
    const [download] = await Promise.all([page.waitForEvent('download'), again.click()]);
    expect(download.suggestedFilename()).toBe('config.xml');
    await expect(page.getByRole('heading', { name: `${alias} is gemaakt`, exact: true })).toBeVisible();
    const made = (await (await page.request.get('/api/machine/get/all')).json()) as {
      serialNumber: string;
    }[];
    expect(made.filter(({ serialNumber }) => serialNumber === serial)).toHaveLength(1);
  });

test('the creation of a machine without a reference machine asks for a DBC file on the same page, and then completes (MEDIT-12, 12.C5) @long', async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/409/);
  const { email, organization } = await portal.fleet('admin');
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  const { alias } = await fillRequiredFields(page, organization.clean, `DBC-${project.name}`);
  await submitButton(page).click();
  const card = page.getByRole('region', { name: 'CAN-bus 0' });
  await expect(card).toBeVisible();
  await expectAccessible(page, 'a DBC file is missing');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card
      .locator('input[type=file]')
      .setInputFiles({ name: 'pack.dbc', mimeType: 'text/plain', buffer: Buffer.from(DBC) }),
  ]);
  expect(download.suggestedFilename()).toBe('config.xml');
  await expect(page.getByRole('heading', { name: `${alias} is gemaakt`, exact: true })).toBeVisible();
});

test("an interrupted creation of a machine continues on the machine's edit page, prefilled with the logger and with links to missing steps (MEDIT-05, MEDIT-12, 12.C5) @long", async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/409|503/);
  const { email, organization, machine } = await portal.fleet('admin');
  const bare = await machine({ brand: 'Zonder', model: 'definitie' });
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  const reference = page.getByRole('combobox', { name: 'Vergelijkbare Machine' });
  await reference.fill(bare.serial);
  await expect(page.getByText('Geen machine met een datadefinitie gevonden')).toBeVisible();
  await page.keyboard.press('Escape');
  await reference.fill('');
  const serial = `BROKEN-${project.name}`;
  const { logger } = await fillRequiredFields(page, organization.clean, serial);
  await page.route('**/api/machine/writer/create?**', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Even geduld.' } }),
  );
  await submitButton(page).click();
  await expect(page.getByText('Logger koppelen is niet gelukt. Even geduld.')).toBeVisible();
  await page.unrouteAll();
  // The technician leaves the form and later opens the edit page of the machine.
  await page.goto('/machine/');
  await page.goto(`/machine/edit/${serial.toLowerCase()}`);
  await expect(page.getByLabel('Serienummer van de logger')).toHaveValue(logger);
  await page.getByRole('button', { name: 'Ga verder' }).click();
  await expect(page.getByText(`Logger ${logger} is gekoppeld`)).toBeVisible();
  const way = page.getByRole('link', { name: 'Upload het DBC-bestand' });
  await expect(way).toBeVisible();
  await expectAccessible(page, 'what is missing');
  await way.click();
  await expect(page).toHaveURL(new RegExp(`/machine/edit/${serial}/definitie`, 'i'));
});
