import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type E2ePortal, expect, signIn } from './fixtures.ts';

/** A DBC with signals under the portal's names, which are mapped at once. */
export const DBC = `VERSION ""
BS_:
BU_: ECU
BO_ 500 Pack: 8 ECU
 SG_ Soc1 : 0|8@1+ (1,0) [0|100] "%" ECU
 SG_ MotorSpeed : 8|16@1+ (1,0) [0|10000] "rpm" ECU
`;

let made = 0;
/** Returns a serial number of seven digits that no other test of this worker uses. */
const loggerSerial = (): string => {
  made += 1;
  return String(4_000_000 + made);
};

/** Signs in an administrator, for whom there is a reference machine: a machine with a data definition. */
export async function signInWithReferenceMachine(page: Page, portal: E2ePortal) {
  const admin = await portal.fleet('admin');
  const reference = await admin.machine({ brand: 'Liebherr', model: 'L 538' });
  await reference.report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 80 });
  await signIn(page, admin.email);
  const file = `data:application/octet-stream;base64,${Buffer.from(DBC).toString('base64')}`;
  const sent = await page.request.post('/api/machine/dbc/upload', {
    data: { serial: reference.serial, name: 'pack.dbc', file },
    headers: SCRIPT_HEADERS,
  });
  expect(sent.status(), await sent.text()).toBe(200);
  return { ...admin, reference };
}

/** Fills the required fields of the form for a new machine. @returns the typed values */
export async function fillRequiredFields(page: Page, organization: string, serial: string) {
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

export const submitButton = (page: Page) => page.getByRole('button', { name: 'Maak Machine' });
export const accessoryInput = (page: Page) => page.getByLabel('Naam hulpstuk');
