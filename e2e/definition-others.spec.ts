import {
  busRegion,
  CLIENT_ERROR_STATUS_PATTERN,
  changesBar,
  DBC,
  mappingRow,
  openDefinition,
  openNewDefinition,
  saveButton,
  uploadToBus,
} from './definition-page.ts';
import { expect, expectAccessible, forgetSession, signIn, signInByApi, test } from './fixtures.ts';

test('two people change a mapping at once, and the one who saves last sees the conflict and keeps all changes (MEDIT-12) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  expectConsole(CLIENT_ERROR_STATUS_PATTERN);
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  const other = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signIn(page, email);
  await signInByApi(other, email);
  await openDefinition(page, serial);
  await uploadToBus(page, 0, DBC);
  await expect(busRegion(page, 0)).toContainText('accu.dbc');
  await openDefinition(other, serial);
  await mappingRow(other, 'Motortoerental').getByRole('button', { name: 'Overnemen' }).click();
  await other.getByLabel('Offset voor Laadtoestand accu 1').fill('1');
  await page.getByLabel('Offset voor Laadtoestand accu 1').fill('2');
  await saveButton(other).click();
  await expect(changesBar(other).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await other.context().close();

  await mappingRow(page, 'Accuspanning').getByRole('button', { name: 'Overnemen' }).click();
  await saveButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Iemand anders heeft de koppeling intussen gewijzigd' });
  await expect(dialog).toContainText('Gewijzigd: Motortoerental, Laadtoestand accu 1.');
  await expect(dialog).toContainText('Ook door jou gewijzigd: Laadtoestand accu 1.');
  await dialog.getByRole('button', { name: 'Houd mijn wijzigingen' }).click();
  await expect(mappingRow(page, 'Motortoerental')).toContainText('Motor_Speed');
  await expect(page.getByLabel('Offset voor Laadtoestand accu 1')).toHaveValue('2');
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  const { mapping } = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(mapping.signals).toHaveLength(3);
  expect(mapping.signals.find(({ to }: { to: string }) => to === 'Soc1').offset).toBe(2);
});

test('a mapping of twenty thousand signals renders only visible rows, and its search responds within 5 s (MEDIT-12) @long', async ({
  page,
  portal,
}) => {
  await openNewDefinition(page, portal);
  const messages = Array.from({ length: 1_000 }, (_, m) => {
    const signals = Array.from({ length: 20 }, (_, s) => ` SG_ S_${m}_${s} : ${s}|1@1+ (1,0) [0|1] "" X`);
    return `BO_ ${m} M_${m}: 8 X\n${signals.join('\n')}`;
  });
  await uploadToBus(page, 0, `VERSION ""\nBU_: X\n${messages.join('\n')}\n`, 'groot.dbc');
  await expect(busRegion(page, 0)).toContainText('1.000 berichten · 20.000 signalen', { timeout: 20_000 });
  await page.getByRole('button', { name: 'Motortoerental: ' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status')).toHaveText('20.000 signalen');
  expect(await dialog.getByRole('listitem').count()).toBeLessThan(40);
  const took = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('dialog input')!;
    const status = document.querySelector('dialog [role=status]')!;
    const startedAt = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, 's_999_19');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    while (!status.textContent?.startsWith('1 van'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - startedAt;
  });
  expect(took).toBeLessThan(5_000);
  await dialog.getByLabel('Zoek een signaal').press('Enter');
  await expect(mappingRow(page, 'Motortoerental')).toContainText('S_999_19');
  await page.getByRole('button', { name: 'Motortoerental: ' }).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(dialog.getByRole('button', { name: 'S_999_19' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'S_999_19' })).toContainText('voedt MotorSpeed');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('an LMB logger has a data definition too, and only an administrator can open it (MEDIT-12) @long', async ({
  page,
  portal,
}) => {
  const { lmbLogger } = await portal.fleet('logger');
  const { serial } = await lmbLogger('Krol 6');
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await openDefinition(page, serial);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Datadefinitie: Krol 6');
  await uploadToBus(page, 3, DBC);
  await expect(busRegion(page, 3)).toContainText('accu.dbc');
  await expect(page.getByRole('link', { name: 'Terug' })).toHaveAttribute('href', '/lmb-logging/Krol%206');

  await forgetSession(page);
  const user = await portal.fleet();
  const { serial: own } = await user.machine();
  await signInByApi(page, user.email);
  await page.goto(`/machine/edit/${own}/definitie`);
  await expect(page.getByRole('heading', { name: 'Geen toegang' })).toBeVisible();
});

test('the page of a data definition has no accessibility violation, with errors and with the signal picker open (MEDIT-12) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(CLIENT_ERROR_STATUS_PATTERN);
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  await openDefinition(page, serial);
  await expectAccessible(page, 'empty');
  await uploadToBus(page, 0, 'geen dbc', 'kapot.dbc');
  await expect(busRegion(page, 0).getByRole('alert')).not.toHaveText('');
  await uploadToBus(
    page,
    1,
    `${DBC} SG_ zonder : 0|1@1+ (1,0) [0|1] "" X\nBO_ 7 Weg: 1 X\n SG_ w : 4|9@1+ (1,0) [0|1] "" X\n`,
  );
  await expect(busRegion(page, 1)).toContainText('accu.dbc');
  await page.getByLabel('Factor voor Laadtoestand accu 1').fill('0');
  await page.getByLabel('Nieuwe naam').fill('Soc1');
  await page.keyboard.press('Enter');
  await saveButton(page).click();
  await expectAccessible(page, 'faults');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'Motortoerental: ' }).click();
  await expectAccessible(page, 'picker');
  await page.getByLabel('Zoek een signaal').fill('bestaat niet');
  await expect(page.getByText('Niets gevonden')).toBeVisible();
  await expectAccessible(page, 'nothing found');
});
