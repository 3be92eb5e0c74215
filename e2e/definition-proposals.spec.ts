import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import {
  changesBar,
  DBC,
  mappingRow,
  openNewDefinition,
  saveButton,
  uploadToBus,
} from './definition-page.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

const MARK = 'Voorstel, nog niet opgeslagen';

test("one button adopts all proposed mappings, which are marked until they are saved, and 'Ongedaan maken' undoes them (54.5c) @long", async ({
  page,
  portal,
}) => {
  const { serial } = await openNewDefinition(page, portal);
  await uploadToBus(page, 0, DBC);
  await expect(
    page.getByText('2 signalen hebben een voorstel, naar de namen in het DBC-bestand.'),
  ).toBeVisible();
  await expectAccessible(page, 'the button for all proposals');
  const all = page.getByRole('button', { name: 'Neem alle 2 over' });
  await all.focus();
  await page.keyboard.press('Enter');
  await expect(all).toHaveCount(0);
  // The focus moves to the first row that was filled.
  const first = mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Motortoerental: ' });
  await expect(first).toBeFocused();
  await expect(first).toHaveAccessibleDescription(MARK);
  await expect(page.getByText(MARK, { exact: true })).toHaveCount(2);
  const status = page.getByRole('status').filter({ hasText: 'overgenomen' });
  await expect(status).toHaveText(
    '2 voorstellen zijn overgenomen en nog niet opgeslagen. Controleer ze en druk op Opslaan.',
  );
  await expectAccessible(page, 'proposals that are taken over');
  // A signal that was mapped by its name has no mark of a proposal.
  await expect(mappingRow(page, 'Laadtoestand accu 1')).not.toContainText(MARK);

  await changesBar(page).getByRole('button', { name: 'Ongedaan maken' }).click();
  await expect(page.getByText(MARK)).toHaveCount(0);
  await all.click();
  await mappingRow(page, 'Motortoerental')
    .getByRole('button', { name: 'Wis koppeling van Motortoerental' })
    .click();
  await expect(status).toHaveText(/^1 voorstel is overgenomen/);
  await mappingRow(page, 'Motortoerental').getByRole('button', { name: 'Overnemen' }).click();
  await expect(page.getByText(MARK, { exact: true })).toHaveCount(2);
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await expect(page.getByText(MARK)).toHaveCount(0);
  await expect(status).toHaveCount(0);
  const stored = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(stored.mapping.signals.map(({ to }: { to: string }) => to).sort()).toEqual([
    'BatteryVoltage',
    'MotorSpeed',
    'Soc1',
  ]);
});

test('one press adopts all eight mappings that the portal proposes for the DBC file of a Hyundai Kona (54.5c)', async ({
  page,
  portal,
}) => {
  test.skip(!hasSharedData, '../shared/data is not here');
  const { serial } = await openNewDefinition(page, portal);
  await uploadToBus(page, 0, sharedData('kona/pcan.dbc').toString('latin1'), 'pcan.dbc');
  await page.getByRole('button', { name: 'Neem alle 8 over' }).click();
  await expect(page.getByText(MARK, { exact: true })).toHaveCount(8);
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await expect(page.getByText(MARK)).toHaveCount(0);
  const stored = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(stored.mapping.signals).toHaveLength(8);
});

test('a proposed mapping converts the unit, and the form warns of a unit that does not fit and refuses a new name that resembles a signal of the portal (55.20) @long', async ({
  page,
  portal,
}) => {
  const { serial } = await openNewDefinition(page, portal);
  const speed = ' SG_ VehicleSpeed : 48|8@1+ (1,0) [0|160] "MPH" Vector__XXX\n';
  await uploadToBus(page, 0, DBC.replace(/(?= SG_ OlieTemp)/, speed));
  const speedRow = mappingRow(page, 'Snelheid');
  await expect(speedRow.getByText('omgerekend van MPH (factor 1,609344)')).toBeVisible();
  await speedRow.getByRole('button', { name: 'Overnemen' }).click();
  await expect(page.getByLabel('Factor voor Snelheid')).toHaveValue('1,609344');
  await expect(speedRow.getByText('Omgerekend van MPH.')).toBeVisible();

  const pick = mappingRow(page, 'Accuspanning').getByRole('button', { name: 'Accuspanning: ' });
  await pick.click();
  await page.getByRole('dialog').getByRole('button', { name: 'OlieTemp' }).click();
  const warning = 'Let op: De eenheid past niet: het DBC-signaal is in degC, Accuspanning is in V.';
  await expect(pick).toHaveAccessibleDescription(warning);
  await page.getByLabel('Nieuwe naam').fill('Accu');
  await page.getByRole('button', { name: 'Voeg naam toe' }).click();
  await expect(
    page.getByText(/^Accu is geen signaal van het portaal\. Bedoel je BatteryCurrent/),
  ).toBeVisible();
  await expectAccessible(page, 'a unit that does not fit, and a name that is refused');

  // The mapping can be saved in spite of the warning.
  await saveButton(page).click();
  await expect(changesBar(page).getByText('De koppeling is opgeslagen.')).toBeVisible();
  await expect(pick).toHaveAccessibleDescription(warning);
  const stored = await (await page.request.get(`/api/machine/dbc/${serial}`)).json();
  expect(stored.mapping.signals).toContainEqual({
    bus: 0,
    message: 'BMS_Status',
    signal: 'VehicleSpeed',
    to: 'Speed',
    factor: 1.609344,
  });
});
