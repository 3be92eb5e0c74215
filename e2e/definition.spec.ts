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
import { expect, signInByApi, test } from './fixtures.ts';

test('a person makes a machine’s first data definition by keyboard, with a DBC file, mapped signals, a custom signal name and a kept message (MEDIT-12) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial, alias } = await machine({ alias: 'Eerste kraan' });
  await signInByApi(page, email);
  await openDefinition(page, serial);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Datadefinitie: ${alias}`);
  await expect(page.getByText('Nog geen signalen om te koppelen')).toBeVisible();
  await busRegion(page, 0).getByLabel('Snelheid van CAN-bus 0').selectOption('500 kbit/s');
  await uploadToBus(page, 0, DBC);
  await expect(
    changesBar(page).getByText('accu.dbc is opgeslagen voor CAN-bus 0. 1 signaal is direct gekoppeld.'),
  ).toBeVisible();
  await expect(busRegion(page, 0)).toContainText('500 kbit/s · 2 berichten · 5 signalen');
  await expect(mappingRow(page, 'Laadtoestand accu 1')).toContainText('soc1');
  const count = page.getByText('nog niet gekoppeld', { exact: false }).first();
  await expect(count).toHaveText('14 nog niet gekoppeld');

  // One click adopts a proposal and moves the focus.
  await mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Overnemen' }).click();
  await expect(mappingRow(page, 'Motortoerental')).toContainText('Motor_Speed');
  await expect(
    mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Motortoerental: ' }),
  ).toBeFocused();
  await expect(count).toHaveText('13 nog niet gekoppeld');

  // The user finds a signal by its comment, with the keyboard.
  const pick = mappingRow(page, 'Accustroom').getByRole('button', { name: 'Accustroom: ' });
  await pick.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Signaal voor Accustroom' });
  await expect(dialog.getByLabel('Zoek een signaal')).toBeFocused();
  await page.keyboard.type('hoofdzekering');
  await expect(dialog.getByRole('status')).toHaveText('1 van 5');
  await expect(dialog.getByRole('listitem')).toContainText('-1.000 tot 1.000 mA · can0 · BMS_Status');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(pick).toBeFocused();
  await expect(pick).toContainText('Gemeten aan de hoofdzekering');
  await page.keyboard.press('Tab');
  await page.keyboard.type('-0,001');

  await page.getByLabel('Nieuwe naam').fill('Olietemperatuur');
  await page.keyboard.press('Enter');
  await page.getByLabel('Zoek een signaal').fill('olie');
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('1 van 5');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'DRV_Status' }).press('Space');
  await expect(page.getByText('1 van 2 bewaard')).toBeVisible();
  await expect(changesBar(page)).toContainText('Niet opgeslagen wijzigingen');
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await expect(changesBar(page)).toBeFocused();

  const stored = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(stored.buses[0].bitrate).toBe(500_000);
  const at = { bus: 0, message: 'BMS_Status' };
  expect(stored.mapping.signals).toEqual(
    expect.arrayContaining([
      { ...at, signal: 'soc1', to: 'Soc1' },
      { bus: 0, message: 'DRV_Status', signal: 'Motor_Speed', to: 'MotorSpeed' },
      { ...at, signal: 'Stroom', to: 'BatteryCurrent', factor: -0.001 },
      { ...at, signal: 'OlieTemp', to: 'Olietemperatuur' },
    ]),
  );
  expect(stored.mapping.signals).toHaveLength(4);
  expect(stored.mapping.keep).toEqual([{ bus: 0, message: 'DRV_Status' }]);

  await page.reload();
  await expect(page.getByLabel('Factor voor Accustroom')).toHaveValue('-0,001');
  await expect(page.getByRole('checkbox', { name: 'DRV_Status' })).toBeChecked();
  await mappingRow(page, 'Accustroom').getByRole('button', { name: 'Wis koppeling van Accustroom' }).click();
  await page.getByRole('button', { name: 'Verwijder Olietemperatuur' }).click();
  await expect(page.getByLabel('Nieuwe naam')).toBeFocused();
  await saveButton(page).click();
  await changesBar(page).getByRole('link', { name: 'Naar de configuratie' }).click();
  await expect(page).toHaveURL(`/machine/edit/${serial}`);
  const after = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(after.mapping.signals.map(({ to }: { to: string }) => to).sort()).toEqual(['MotorSpeed', 'Soc1']);
});

test('a broken DBC file is refused with its line and the reason, and a valid file that is dropped on the page is accepted (MEDIT-12) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(CLIENT_ERROR_STATUS_PATTERN);
  const { serial } = await openNewDefinition(page, portal);
  await uploadToBus(page, 1, 'VERSION ""\nBO_ 1 A: 8 X\n SG_ a : 0|9@1+ (1,0 [0|1] "" X\n', 'kapot.dbc');
  const alert = busRegion(page, 1).getByRole('alert').last();
  await expect(alert).toContainText(/kapot\.dbc, regel 3: .*SG_ a/);
  await uploadToBus(page, 1, '', 'leeg.dbc');
  await expect(alert).toHaveText('leeg.dbc is leeg.');
  await busRegion(page, 1).getByLabel('Snelheid van CAN-bus 1', { exact: true }).selectOption('Anders');
  const typed = page.getByLabel('Snelheid van CAN-bus 1 in kbit/s');
  await typed.fill('5');
  await uploadToBus(page, 1, DBC);
  await expect(alert).toHaveText('Vul eerst een snelheid in van 10 tot 1000 kbit/s.');
  await typed.fill('83,333');
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'gesleept.dbc'));
    return transfer;
  }, DBC);
  await busRegion(page, 1).dispatchEvent('drop', { dataTransfer: data });
  await expect(busRegion(page, 1)).toContainText('gesleept.dbc');
  await expect(busRegion(page, 1)).toContainText('83,333 kbit/s · 2 berichten · 5 signalen');
  await expect(alert).toHaveText('');

  await page.getByRole('button', { name: 'Verwijder het DBC-bestand van CAN-bus 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je dit DBC-bestand wilt verwijderen' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    'CAN-bus 1: gesleept.dbc verwijderd',
    'Koppeling vervalt: Laadtoestand accu 1 uit soc1 (BMS_Status, can1)',
  ]);
  await dialog.getByRole('button', { name: 'Ja' }).dblclick();
  await expect(busRegion(page, 1)).toContainText('Nog geen DBC-bestand');
  expect(await (await page.request.get(`/api/machine/dbc/${serial}`)).json()).toMatchObject({
    version: 0,
    buses: [],
    mapping: { signals: [] },
  });
});

test('a DBC with bad lines is accepted, and its card lists the unreadable lines (43.7) @long', async ({
  page,
  portal,
}) => {
  await openNewDefinition(page, portal);
  await uploadToBus(
    page,
    0,
    DBC.replace('16@1+ (0.1,0)', '0@1+ (0.1,0)').replace('BO_ 2566845396', 'BO_ 536870912'),
  );
  await expect(busRegion(page, 0)).toContainText('1 bericht · 4 signalen');
  const list = busRegion(page, 0).getByRole('group').filter({ hasText: 'Niet leesbaar' });
  await expect(list.getByRole('listitem')).toHaveText([
    'regel 5, signaal PackVoltage van BMS_Status: 0 bits (1 tot en met 64 kan)',
    'regel 8, bericht DRV_Status: 536870912 is geen CAN-nummer',
  ]);
  await page.reload();
  await busRegion(page, 0).getByText('Niet leesbaar').click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
});

test('a factor of 0 is not saved, leaving the page with changes asks for confirmation, and changes can be undone (MEDIT-12) @long', async ({
  page,
  portal,
}) => {
  const { serial } = await openNewDefinition(page, portal);
  await uploadToBus(page, 0, DBC);
  const factor = page.getByLabel('Factor voor Laadtoestand accu 1');
  await factor.fill('0,0');
  await saveButton(page).click();
  await expect(changesBar(page).getByRole('alert')).toHaveText(
    'Niet opgeslagen: 1 koppeling klopt nog niet.',
  );
  await expect(page.getByText('De factor mag niet 0 zijn.')).toBeAttached();
  await expect(factor).toBeFocused();
  await page.getByRole('link', { name: 'Terug' }).click();
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je deze pagina wilt verlaten' });
  await expect(dialog).toContainText('niet zijn opgeslagen');
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(factor).toHaveValue('0,0');
  // Uploading a second DBC keeps the typed values.
  await uploadToBus(page, 2, DBC.replace('soc1', 'Soc2'), 'tweede.dbc');
  await expect(busRegion(page, 2)).toContainText('tweede.dbc');
  await expect(changesBar(page)).toContainText(
    'tweede.dbc is opgeslagen voor CAN-bus 2. 1 signaal is direct gekoppeld.',
  );
  await expect(changesBar(page)).toContainText('Niet opgeslagen wijzigingen');
  await expect(factor).toHaveValue('0,0');
  await changesBar(page).getByRole('button', { name: 'Ongedaan maken' }).click();
  await expect(factor).toHaveValue('');
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL(`/machine/edit/${serial}`);
});
