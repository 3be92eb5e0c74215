import type { Page } from '@playwright/test';
import { type E2ePortal, expect, type Machine, signInByApi } from './fixtures.ts';

export const CLIENT_ERROR_STATUS_PATTERN = /status of 4\d\d/;

/** A DBC for these tests, with a battery and a drive. */
export const DBC = `VERSION ""
BU_: BMS
BO_ 500 BMS_Status: 8 BMS
 SG_ soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ PackVoltage : 8|16@1+ (0.1,0) [0|1000] "V" Vector__XXX
 SG_ Stroom : 24|16@1- (1,0) [-1000|1000] "mA" Vector__XXX
 SG_ OlieTemp : 40|8@1- (1,0) [-40|100] "degC" Vector__XXX
BO_ 2566845396 DRV_Status: 4 BMS
 SG_ Motor_Speed : 0|16@1+ (0.5,0) [0|8000] "rpm" Vector__XXX
CM_ SG_ 500 Stroom "Gemeten aan de hoofdzekering";
`;
const dbc = (text: string, name = 'accu.dbc') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});
export const busRegion = (page: Page, number: number) =>
  page.getByRole('region', { name: `CAN-bus ${number}`, exact: true });
export const uploadToBus = (page: Page, number: number, text: string, name?: string) =>
  busRegion(page, number).locator('input[type=file]').setInputFiles(dbc(text, name));
export const mappingRow = (page: Page, word: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `${word}: ` }) });
export const changesBar = (page: Page) => page.getByRole('region', { name: 'Wijzigingen' });
export const saveButton = (page: Page) => changesBar(page).getByRole('button', { name: 'Opslaan' });

export async function openDefinition(page: Page, serial: string): Promise<void> {
  await page.goto(`/machine/edit/${encodeURIComponent(serial)}/definitie`);
  await expect(busRegion(page, 0)).toBeVisible();
}

/** Makes a machine, signs in its administrator and opens the page of its data definition. */
export async function openNewDefinition(page: Page, portal: E2ePortal): Promise<Machine & { email: string }> {
  const { email, machine } = await portal.fleet('admin');
  const made = await machine();
  await signInByApi(page, email);
  await openDefinition(page, made.serial);
  return { ...made, email };
}
