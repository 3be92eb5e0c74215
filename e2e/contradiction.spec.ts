import { busRegion, changesBar, mappingRow, openNewDefinition, uploadToBus } from './definition-page.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { expectPageFitsScreen } from './one-machine.ts';

/** A DBC with current, voltage, charge level and motor speed under the portal's own names. */
const DBC = `VERSION ""
BU_: BMS
BO_ 500 Accu: 8 BMS
 SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ BatteryCurrent : 8|16@1- (1,0) [-1000|1000] "A" Vector__XXX
 SG_ BatteryVoltage : 24|16@1+ (1,0) [0|1000] "V" Vector__XXX
 SG_ MotorSpeed : 40|16@1+ (1,0) [0|8000] "rpm" Vector__XXX
`;
const MINUTES = 60;

/** An hour of charging from 40 to 70 %, in which 60 A at 640 V has the sign of a discharge. */
function anHourOnTheCable(): string {
  const end = Math.floor(Date.now() / 1000);
  return Array.from({ length: MINUTES + 1 }, (_, n) => {
    const level = (80 + n).toString(16).padStart(2, '0');
    return `(${end - (MINUTES - n) * 60}.000000) can0 1F4#${level}3C0080020000\n`;
  }).join('');
}

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`a signal with the wrong sign is found, corrected with one click and decoded again, on a ${size} (52.7) @long`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize(viewport);
    const { serial, put } = await openNewDefinition(page, portal);
    await uploadToBus(page, 0, DBC);
    await expect(busRegion(page, 0)).toContainText('accu.dbc');
    await put('1/rit.log', anHourOnTheCable());

    const words =
      /Accustroom heeft vermoedelijk het verkeerde teken: de accu liep \d\d% op terwijl \d\d kWh werd afgenomen/;
    const notice = page.getByRole('list', { name: 'Tegenstrijdige signalen' });
    await expect(async () => {
      await page.goto(`/machine/${serial}`);
      // Time for the page to load on a busy computer.
      await expect(notice).toContainText(words, { timeout: 10_000 });
    }).toPass({ timeout: 80_000 });
    await expectPageFitsScreen(page);
    await page.goto(`/overzicht?zoek=${serial}`);
    await expect(page.getByText('Stroom: verkeerd teken?').first()).toBeVisible();

    await page.goto(`/machine/${serial}`);
    await notice.getByRole('link', { name: 'Naar de datadefinitie' }).click();
    const panel = page.getByRole('region', { name: 'Tegenstrijdige signalen' });
    await expect(panel).toContainText(words);
    await expectAccessible(page, 'the contradiction');
    await expectPageFitsScreen(page);
    await panel.getByRole('button', { name: 'Herstel met factor -1' }).click();
    await expect(changesBar(page)).toContainText('De koppeling is hersteld.');
    await expect(panel).toHaveCount(0);
    await expect(mappingRow(page, 'Accustroom').getByLabel('Factor voor Accustroom')).toHaveValue('-1');
    const decoded = page.getByRole('region', { name: 'Decodeer logbestanden opnieuw' });
    await expect(decoded.getByRole('status')).toHaveText(/^Opnieuw gedecodeerd, 1 logbestand/, {
      timeout: 20_000,
    });

    const range = `start=-2d`;
    const sessions = async () =>
      (await (await page.request.get(`/api/influx/sessions/${serial}?${range}`)).json()).sessions;
    await expect.poll(sessions, { timeout: 40_000 }).toMatchObject([{ packs: [{ begin: 40, end: 70 }] }]);
    await page.goto(`/machine/${serial}`);
    await expect(page.getByRole('region', { name: 'Vandaag en gisteren' })).toContainText('Geladen');
    await expect(notice).toHaveCount(0);
  });
