import {
  busRegion,
  changesBar,
  DBC,
  mappingRow,
  openDefinition,
  openNewDefinition,
  saveButton,
  uploadToBus,
} from './definition-page.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

const SMALLER = DBC.split('BO_ 2566845396')[0]!;

test('uploading a DBC that removes mappings asks for confirmation and lists these mappings, and an earlier version can be restored (12.C1) @long', async ({
  page,
  portal,
}) => {
  const { email } = await openNewDefinition(page, portal);
  await uploadToBus(page, 0, DBC);
  await mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Overnemen' }).click();
  await page.getByRole('checkbox', { name: 'DRV_Status' }).press('Space');
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();

  await uploadToBus(page, 0, SMALLER, 'klein.dbc');
  const dialog = page.getByRole('dialog', {
    name: 'Weet je zeker dat je klein.dbc wilt opslaan voor CAN-bus 0',
  });
  const goes = [
    'CAN-bus 0: accu.dbc vervangen door klein.dbc',
    'Koppeling vervalt: Motortoerental uit Motor_Speed (DRV_Status, can0)',
    'Bewaren vervalt: DRV_Status (can0)',
  ];
  await expect(dialog.getByRole('listitem')).toHaveText(goes);
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeFocused();
  await expectAccessible(page, 'the question');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(busRegion(page, 0)).toContainText('accu.dbc');
  await uploadToBus(page, 0, SMALLER, 'klein.dbc');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(busRegion(page, 0)).toContainText('klein.dbc');
  await expect(mappingRow(page, 'Motortoerental')).not.toContainText('Motor_Speed');

  const versions = page.getByRole('region', { name: 'Eerdere versies' }).locator('ol > li');
  await expect(versions).toHaveCount(3);
  await expect(versions.nth(0)).toContainText(`${email}Nu in gebruik`);
  await expect(versions.nth(0).getByRole('listitem')).toHaveText(goes);
  await expectAccessible(page, 'the versions');
  await versions
    .nth(1)
    .getByRole('button', { name: /^Zet terug: de versie van / })
    .press('Enter');
  const back = page.getByRole('dialog', { name: /^Weet je zeker dat je de versie van .* wilt terugzetten$/ });
  await expect(back.getByRole('listitem')).toHaveText([
    'CAN-bus 0: klein.dbc vervangen door accu.dbc',
    'Koppeling toegevoegd: Motortoerental uit Motor_Speed (DRV_Status, can0)',
    'Bewaren toegevoegd: DRV_Status (can0)',
  ]);
  await back.getByRole('button', { name: 'Ja' }).click();
  await expect(changesBar(page)).toContainText('is teruggezet.');
  await expect(mappingRow(page, 'Motortoerental')).toContainText('Motor_Speed');
  await expect(versions).toHaveCount(4);
  await expect(versions.nth(0)).toContainText('Nu in gebruik');
});

test('choosing another reference machine on the edit page asks for confirmation and lists the mappings that are removed (12.C1) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const [own, other] = [await machine(), await machine()];
  await signInByApi(page, email);
  await openDefinition(page, other.serial);
  await uploadToBus(page, 0, SMALLER, 'klein.dbc');
  await expect(busRegion(page, 0)).toContainText('klein.dbc');
  await openDefinition(page, own.serial);
  await uploadToBus(page, 0, DBC);
  await mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Overnemen' }).click();
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();

  await page.goto(`/machine/edit/${own.serial}`);
  await page.getByRole('combobox', { name: 'Vergelijkbare Machine' }).fill(other.serial);
  await page.getByRole('option', { name: other.serial }).click();
  await page.getByRole('button', { name: 'Machine Opslaan' }).click();
  const dialog = page.getByRole('dialog', {
    name: `Weet je zeker dat je de datadefinitie wilt vervangen door die van ${other.serial}`,
  });
  await expect(dialog.getByRole('listitem')).toHaveText([
    'CAN-bus 0: accu.dbc vervangen door klein.dbc',
    'Koppeling vervalt: Motortoerental uit Motor_Speed (DRV_Status, can0)',
  ]);
  const mapped = async (): Promise<number> =>
    (await (await page.request.get(`/api/machine/dbc/${own.serial}`)).json()).mapping.signals.length;
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await mapped()).toBe(2);
  await page.getByRole('button', { name: 'Machine Opslaan' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page).toHaveURL(`/machine/${own.serial}`);
  expect(await mapped()).toBe(1);
});

test('decoding log files again shows its plan, its progress and its result (12.C2) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  const { put } = await openNewDefinition(page, portal);
  await uploadToBus(page, 0, DBC);
  await expect(busRegion(page, 0)).toContainText('accu.dbc');
  const now = Math.floor(Date.now() / 1000);
  await put(
    '1/rit.log',
    `(${now}.100000) can0 1F4#A000000000000000\n(${now + 1}.100000) can0 1F4#A200000000000000\n`,
  );
  await page.getByLabel('Factor voor Laadtoestand accu 1').fill('0,5');
  const panel = page.getByRole('region', { name: 'Decodeer logbestanden opnieuw' });
  await expect(panel).toContainText('Sla eerst je wijzigingen op.');
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await panel.getByRole('button', { name: 'Bekijk wat er verandert' }).dblclick();
  await expect(panel.getByRole('status')).toHaveText(/^Wat er zou veranderen, 1 logbestand \(.*\):$/);
  await expect(panel.getByRole('row', { name: 'Laadtoestand accu 1' })).toHaveText('Laadtoestand accu 1020');
  // 55.68: the second click of the double click above gets a 409, whose message disappears once the decoding is done.
  expectConsole(/409 \(Conflict\).*redecode/);
  await expect(panel.getByText('De logbestanden worden al opnieuw gedecodeerd.')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Vervang de metingen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je de metingen wilt vervangen' });
  await expect(dialog).toContainText('0 metingen erbij, 2 gewijzigd, 0 vervallen.');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  // The decoding continues after closing and opening the page.
  await page.reload();
  await expect(panel.getByRole('status')).toHaveText(/^Opnieuw gedecodeerd, 1 logbestand \(.*\):$/);
  await expectAccessible(page, 'what was done');
  await panel.getByRole('button', { name: 'Bekijk wat er verandert' }).click();
  await expect(panel).toContainText('Niets: de metingen zijn al zo.');
});
